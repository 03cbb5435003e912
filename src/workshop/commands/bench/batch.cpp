// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Many small systems: a batch against loops.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <functional>
#include <omp.h>
#include <random>

#include <lacis/error.hpp>
#include <lacis/plan.hpp>

#include "commands/bench/small.hpp"
#include "console/progress_bar.hpp"
#include "measure/interleave.hpp"
#include "measure/plain_cg.hpp"

namespace lacis::app {
namespace {

constexpr double tolerance = 1e-8;

/// Symmetric positive definite matrices of one pattern, with entries on diagonals near and far.
class small_systems {
 public:
  explicit small_systems(const batch_bench_settings& settings) : systems_(settings.systems), rows_(settings.rows) {
    std::vector<std::int64_t> distances = {0};
    const std::int64_t pairs = (settings.entries - 1) / 2;
    for (std::int64_t k = 0; k < pairs; ++k) {
      const double power = static_cast<double>(k) / static_cast<double>(pairs);
      const auto distance = std::llround(std::pow(static_cast<double>(rows_), power));
      distances.push_back(std::max<std::int64_t>(distance, distances.back() + 1));
    }
    std::vector<std::int64_t> offsets = {0};
    std::vector<std::int32_t> columns;
    for (std::int64_t i = 0; i < rows_; ++i) {
      const auto put = [&](std::int64_t j) {
        if (j >= 0 && j < rows_) columns.push_back(static_cast<std::int32_t>(j));
      };
      for (std::size_t k = distances.size() - 1; k > 0; --k) put(i - distances[k]);
      for (const std::int64_t distance : distances) put(i + distance);
      offsets.push_back(static_cast<std::int64_t>(columns.size()));
    }
    std::vector<double> ones(columns.size(), 1.0);
    pattern_ = csr_matrix{rows_, rows_, std::move(offsets), std::move(columns), std::move(ones)};
    fill();
  }

  [[nodiscard]] std::int64_t systems() const { return systems_; }
  [[nodiscard]] std::int64_t rows() const { return rows_; }
  [[nodiscard]] const csr_matrix<double>& pattern() const { return pattern_; }
  [[nodiscard]] const std::vector<double>& values() const { return values_; }
  [[nodiscard]] const std::vector<double>& b() const { return b_; }
  [[nodiscard]] csr_view<double> matrix(std::int64_t s) const {
    return {rows_, rows_, pattern_.row_offsets, pattern_.columns,
            values_view<double>(part(values_, s, pattern_.nnz()))};
  }
  [[nodiscard]] std::span<const double> right_side(std::int64_t s) const { return part(b_, s, rows_); }
  [[nodiscard]] static std::span<const double> part(const std::vector<double>& all, std::int64_t s, std::int64_t size) {
    return {all.data() + s * size, static_cast<std::size_t>(size)};
  }

 private:
  void fill() {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> number(0.5, 1.5);
    values_.resize(static_cast<std::size_t>(systems_ * pattern_.nnz()));
    b_.resize(static_cast<std::size_t>(systems_ * rows_));
    for (double& element : b_) element = number(random) - 1;
    for (std::int64_t s = 0; s < systems_; ++s) {
      double* const values = values_.data() + s * pattern_.nnz();
      std::vector<double> sums(static_cast<std::size_t>(rows_));
      for (double& sum : sums) sum = 0.02 * number(random);
      for (std::int64_t i = 0; i < rows_; ++i)
        for (std::int64_t k = pattern_.row_offsets[i]; k < pattern_.row_offsets[i + 1]; ++k) {
          const std::int64_t j = pattern_.columns[k];
          if (j >= i) continue;
          values[k] = -number(random);
          const auto* const row = pattern_.columns.data() + pattern_.row_offsets[j];
          const auto* const end = pattern_.columns.data() + pattern_.row_offsets[j + 1];
          values[std::lower_bound(row, end, i) - pattern_.columns.data()] = values[k];
          sums[static_cast<std::size_t>(i)] -= values[k];
          sums[static_cast<std::size_t>(j)] -= values[k];
        }
      for (std::int64_t i = 0; i < rows_; ++i) {
        const auto* const row = pattern_.columns.data() + pattern_.row_offsets[i];
        const auto* const end = pattern_.columns.data() + pattern_.row_offsets[i + 1];
        values[std::lower_bound(row, end, i) - pattern_.columns.data()] = sums[static_cast<std::size_t>(i)];
      }
    }
  }

  std::int64_t systems_;
  std::int64_t rows_;
  csr_matrix<double> pattern_;
  std::vector<double> values_;
  std::vector<double> b_;
};

double seconds_of(auto&& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Everyone's way to the solutions.
class batch_contest {
 public:
  explicit batch_contest(const small_systems& all)
      : all_(all),
        x_(all.b().size()),
        plain_x_(all.b().size()),
        memory_(static_cast<std::size_t>(omp_get_max_threads() * 3 * all.rows())) {}

  batch_report as_batch(batch_method method) {
    std::fill(x_.begin(), x_.end(), 0.0);
    return solve_batch(all_.pattern(), all_.values(), all_.b(), x_, {.method = method, .tolerance = tolerance});
  }

  solve_report one_by_one(std::int64_t s, std::span<double> x) const {
    std::fill(x.begin(), x.end(), 0.0);
    return cg(multiply_inspect(all_.matrix(s)), all_.right_side(s), x, {.tolerance = tolerance});
  }
  void all_one_by_one(int threads) {
#pragma omp parallel for schedule(dynamic, 8) num_threads(threads)
    for (std::int64_t s = 0; s < all_.systems(); ++s)
      static_cast<void>(one_by_one(s, {x_.data() + s * all_.rows(), static_cast<std::size_t>(all_.rows())}));
  }

  void by_plain_loops() {
#pragma omp parallel for schedule(dynamic, 8)
    for (std::int64_t s = 0; s < all_.systems(); ++s)
      measure::plain_cg<double>(
          all_.rows(), all_.pattern().row_offsets.data(), all_.pattern().columns.data(),
          all_.matrix(s).values.data.data(), all_.right_side(s).data(), plain_x_.data() + s * all_.rows(),
          memory_.data() + omp_get_thread_num() * 3 * all_.rows(), tolerance, 10 * all_.rows() + 1000);
  }

  /// Throws unless every x of a batch has the bits of a single solution, and every report its numbers.
  std::string check(const progress& report_progress) {
    const batch_report report = as_batch(batch_method::cg);
    std::vector<double> x(static_cast<std::size_t>(all_.rows()));
    std::int64_t iterations = 0;
    for (std::int64_t s = 0; s < all_.systems(); ++s) {
      report_progress("comparing", static_cast<double>(s) / static_cast<double>(all_.systems()));
      const solve_report one = one_by_one(s, x);
      const system_report& found = report.systems[static_cast<std::size_t>(s)];
      const auto mine = small_systems::part(x_, s, all_.rows());
      if (std::memcmp(mine.data(), x.data(), mine.size_bytes()) != 0 || found.iterations != one.iterations ||
          found.outcome != one.outcome || found.true_residual != one.true_residual)
        throw error(errc::unsupported, fmt::format("system {} of the batch differs from its single solution", s));
      iterations += found.iterations;
    }
    return fmt::format(
        "x and reports of all {} systems are those of single solutions, bit for bit; {} converged, in "
        "{:.1f} iterations on average",
        all_.systems(), all_.systems() - report.unsolved(),
        static_cast<double>(iterations) / static_cast<double>(all_.systems()));
  }

 private:
  const small_systems& all_;
  std::vector<double> x_;
  std::vector<double> plain_x_;
  std::vector<double> memory_;
};

}  // namespace

solve_bench_report bench_batch(const batch_bench_settings& settings) {
  progress_bar bar(settings.quiet);
  bar.announce("preparing");
  const small_systems all(settings);
  batch_contest contest(all);
  solve_bench_report report;
  report.operation = "batch";
  report.matrix = fmt::format("{} systems", all.systems());
  report.rows = all.rows();
  report.entries = all.pattern().nnz();
  report.value_type = "double";
  report.unit = "system";
  report.threads = omp_get_max_threads();
  report.notes = {contest.check(bar.callback()),
                  "one by one: multiply_inspect and cg for each system, in a loop, or with the threads sharing the "
                  "systems; plain loop: conjugate gradients without checks, compiled as they are, threads share the "
                  "systems"};
  struct way {
    std::string name;
    int threads;
    bool is_peer;
    std::function<void()> work;
  };
  const int threads = report.threads;
  const std::vector<way> ways = {
      {"cg", threads, false, [&] { static_cast<void>(contest.as_batch(batch_method::cg)); }},
      {"bicgstab", threads, false, [&] { static_cast<void>(contest.as_batch(batch_method::bicgstab)); }},
      {"band-lu", threads, false, [&] { static_cast<void>(contest.as_batch(batch_method::band_lu)); }},
      {"band-cholesky", threads, false, [&] { static_cast<void>(contest.as_batch(batch_method::band_cholesky)); }},
      {"cg one by one", 1, true, [&] { contest.all_one_by_one(1); }},
      {"cg one by one", threads, true, [&] { contest.all_one_by_one(threads); }},
      {"plain cg loop", threads, true, [&] { contest.by_plain_loops(); }}};
  std::vector<measure::contestant> contestants;
  for (const way& one : ways)
    contestants.push_back({one.name, [&one](int times) {
                             return seconds_of([&] {
                                      for (int t = 0; t < times; ++t) one.work();
                                    }) /
                                    times;
                           }});
  measure::interleave_options options;
  options.seconds = settings.seconds;
  options.least_rounds = 5;
  options.most_retakes = 1;
  options.most_retakes_in_all = 5;
  options.report = bar.callback();
  std::vector<measure::samples> taken = measure::interleave(contestants, options);
  for (measure::samples& one : taken)
    for (double& seconds : one.seconds) seconds /= static_cast<double>(all.systems());
  report.rounds = static_cast<int>(taken[0].seconds.size());
  for (std::size_t i = 0; i < taken.size(); ++i)
    report.results.push_back({ways[i].name, "", ways[i].threads, ways[i].is_peer,
                              measure::median_estimate(taken[i].seconds), taken[i].disturbed, taken[i].retaken,
                              measure::ratio_estimate(taken[i].seconds, taken[0].seconds)});
  std::sort(report.results.begin(), report.results.end(),
            [](const auto& x, const auto& y) { return x.seconds.median < y.seconds.median; });
  return report;
}

}  // namespace lacis::app

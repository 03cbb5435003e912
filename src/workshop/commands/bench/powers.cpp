// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis bench powers: A x, A^2 x, ... with as few readings of A as possible, against one product after the other.
#include "commands/bench/powers.hpp"

#include <chrono>
#include <omp.h>
#include <span>

#include <lacis/any_csr.hpp>
#include <lacis/error.hpp>
#include <lacis/facts.hpp>
#include <lacis/hash.hpp>
#include <lacis/powers.hpp>

#include "console/progress_bar.hpp"
#include "measure/interleave.hpp"

namespace lacis::app {
namespace {

/// Seconds of one of `power` products.
template <class Work> measure::contestant timed(std::string name, int power, Work work) {
  return {std::move(name), [power, work = std::move(work)](int times) {
            const auto begin = std::chrono::steady_clock::now();
            for (int t = 0; t < times; ++t) work();
            return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / times / power;
          }};
}

template <class T, class Index>
solve_bench_report measured(const powers_bench_settings& settings, const csr_matrix<T, Index>& a) {
  if (a.rows != a.cols) throw error(errc::bad_input, "powers need a square matrix");
  progress_bar bar(settings.quiet);
  bar.announce("preparing");
  const auto plan = multiply_inspect(a, settings.plan);
  workspace memory;
  const auto rows = static_cast<std::size_t>(a.rows);
  const buffer<T> x(a.rows, T(1));
  buffer<T> y(a.rows * settings.power);
  buffer<T> wanted(a.rows * settings.power);
  const dense_view<T> columns = column_major(std::span<T>(y), a.rows, settings.power);
  const auto column = [&](int k) { return std::span<T>(wanted.data() + k * a.rows, rows); };
  const std::vector<measure::contestant> contestants = {
      timed("powers", settings.power, [&] { multiply_powers(plan, x, columns, memory); }),
      timed("one by one", settings.power, [&] {
        multiply(plan, x, column(0), memory);
        for (int k = 1; k < settings.power; ++k) multiply(plan, column(k - 1), column(k), memory);
      })};
  for (const measure::contestant& one : contestants) static_cast<void>(one.run(1));
  if (solution_hash(std::span<const T>(y)) != solution_hash(std::span<const T>(wanted)))
    throw error(errc::unsupported, "powers differ from one product after the other");
  measure::interleave_options options;
  options.seconds = settings.seconds;
  options.report = bar.callback();
  const std::vector<measure::samples> taken = measure::interleave(contestants, options);
  solve_bench_report report;
  report.value_type = type_name<T>();
  report.rounds = static_cast<int>(taken[0].seconds.size());
  report.notes = {"the plan has the layout " + plan.layout() + "; powers: " + explain_powers(plan, settings.power)};
  for (std::size_t i = 0; i < taken.size(); ++i)
    report.results.push_back({contestants[i].name, "", omp_get_max_threads(), i > 0,
                              measure::median_estimate(taken[i].seconds), taken[i].disturbed, taken[i].retaken,
                              measure::ratio_estimate(taken[i].seconds, taken[0].seconds)});
  report.rows = a.rows;
  report.entries = a.nnz();
  return report;
}

}  // namespace

solve_bench_report bench_powers(const powers_bench_settings& settings, const std::string& name, const any_csr& matrix) {
  solve_bench_report report = std::visit([&](const auto& a) { return measured(settings, a); }, matrix);
  report.operation = "powers";
  report.matrix = name;
  report.unit = "product";
  report.steps = settings.power;
  report.threads = omp_get_max_threads();
  return report;
}

}  // namespace lacis::app

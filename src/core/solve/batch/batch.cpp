// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Many small systems of one pattern: checked, shared out to threads in groups, and solved.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <limits>
#include <memory>

#include <lacis/batch.hpp>
#include <lacis/error.hpp>
#include <lacis/plan.hpp>
#include <lacis/precondition.hpp>

#include "base/checked.hpp"
#include "base/instantiate.hpp"
#include "base/interruption.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "cpu/launch.hpp"
#include "cpu/spmv/spmv.hpp"
#include "formats/order_rows.hpp"
#include "solve/batch/run.hpp"
#include "solve/tolerance.hpp"
#include "summation/environment.hpp"

namespace lacis {

std::string_view name_of(batch_method method) {
  constexpr std::array<std::string_view, batch_methods> names = {"cg", "bicgstab", "band-lu", "band-cholesky"};
  return names[static_cast<std::size_t>(method)];
}

std::string_view name_of(batch_preconditioner preconditioner) {
  return preconditioner == batch_preconditioner::none ? "none" : "jacobi";
}

std::int64_t batch_report::unsolved() const {
  return std::count_if(systems.begin(), systems.end(), [](const system_report& one) { return !one.converged(); });
}

namespace detail {
namespace {

/// The number of systems whose arrays these are. Throws error(invalid_argument) where they do not fit.
std::int64_t systems_of(std::int64_t entries, std::int64_t x_size, std::int64_t y_size, std::size_t values,
                        std::size_t x, std::size_t y, const char* x_name, const char* y_name) {
  const std::int64_t unit = std::max({entries, x_size, y_size});
  const std::size_t size = unit == entries ? values : unit == x_size ? x : y;
  const std::int64_t systems = unit == 0 ? 0 : static_cast<std::int64_t>(size) / unit;
  const auto fits = [&](std::size_t has, std::int64_t each) {
    return static_cast<std::int64_t>(has) == systems * each;  // has is memory that exists: no overflow
  };
  if (!fits(values, entries) || !fits(x, x_size) || !fits(y, y_size))
    throw error(errc::invalid_argument,
                text("for every system the batch needs ", entries, " values, ", x_size, " elements of ", x_name,
                     " and ", y_size, " of ", y_name, "; the arrays have ", values, ", ", x, " and ", y));
  return systems;
}

template <class T> void require_apart(std::span<const T> one, std::span<T> other, const char* names) {
  const std::less<const T*> before;
  if (!one.empty() && !other.empty() && before(one.data(), other.data() + other.size()) &&
      before(other.data(), one.data() + one.size()))
    throw error(errc::invalid_argument, text(names, " overlap; they must be apart"));
}

void require_options(const batch_options& options) {
  if (static_cast<std::size_t>(options.method) >= batch_methods)
    throw error(errc::invalid_argument, "there is no such method");
  const bool iterates = options.method == batch_method::cg || options.method == batch_method::bicgstab;
  if (options.preconditioner != batch_preconditioner::none && !iterates)
    throw error(errc::invalid_argument,
                text(name_of(options.method), " takes no preconditioner; leave it out, or take cg or bicgstab"));
}

/// One batch at work.
template <class T, class Index> class batch_run {
 public:
  batch_run(const csr_view<float, Index>& pattern, std::int64_t systems, std::span<const T> values,
            std::span<const T> b, std::span<T> x, const batch_options& options)
      : pattern_(pattern), systems_(systems), columns_(pattern.nnz()) {
    const std::int64_t work = checked_multiply(systems, pattern.rows + pattern.nnz(), "the entries of a batch");
    // A solution is worth ten products at least.
    const cpu::launch how = cpu::launch_of({options.threads, options.isa}, std::min(work, most_work) * 10);
    groups_ = (systems + solver::system_group<T>::lanes - 1) / solver::system_group<T>::lanes;
    threads_ = static_cast<int>(std::min<std::int64_t>(how.threads, groups_));
    std::copy(pattern.columns.begin(), pattern.columns.end(), columns_.begin());
    task_.pattern = {pattern.rows, pattern.row_offsets.data(), columns_.data()};
    task_.entries = pattern.nnz();
    task_.values = values.data();
    task_.b = b.data();
    task_.x = x.data();
    task_.set = how.set;
    task_.kernels = &cpu::batch_kernels_for<T>(how.set);
    task_.options = solver::settled<T>(options);
    look_at_pattern();
  }

  batch_report go() {
    report_.systems.resize(static_cast<std::size_t>(systems_));
    switch (task_.options.method) {
      case batch_method::cg:
        share_out([this] { return solver::iterated_group<T, solver::group_cg>(task_); });
        break;
      case batch_method::bicgstab:
        share_out([this] { return solver::iterated_group<T, solver::group_bicgstab>(task_); });
        break;
      case batch_method::band_lu:
      case batch_method::band_cholesky:
        share_out([this] { return solver::factored_group<T>(task_); });
        break;
    }
    report_.alone = alone_;
    return std::move(report_);
  }

 private:
  static constexpr std::int64_t most_work = std::numeric_limits<std::int64_t>::max() / 16;

  void look_at_pattern() {
    diagonal_.assign(static_cast<std::size_t>(pattern_.rows), -1);
    for (std::int64_t i = 0; i < pattern_.rows; ++i)
      for (std::int64_t k = task_.pattern.row_offsets[i]; k < task_.pattern.row_offsets[i + 1]; ++k) {
        const std::int64_t j = columns_[k];
        task_.lower = std::max(task_.lower, i - j);
        task_.upper = std::max(task_.upper, j - i);
        if (i == j) diagonal_[static_cast<std::size_t>(i)] = k;
      }
    task_.diagonal = diagonal_.data();
    if (task_.options.preconditioner == batch_preconditioner::jacobi)
      if (const auto none = std::find(diagonal_.begin(), diagonal_.end(), -1); none != diagonal_.end())
        throw error(errc::invalid_matrix, text("jacobi: the diagonal entry of row ", none - diagonal_.begin(),
                                               ", counted from 0, is missing; leave the preconditioner out"));
  }

  /// Threads take one group after the other.
  template <class Make> void share_out(Make&& make) {
    std::atomic<std::int64_t> next = 0;
    const stop_check stop;
    on_threads(threads_, [&](int, int) {
      const summation::rounding_guard guard;
      auto worker = make();
      for (std::int64_t group = next++; group < groups_; group = next++) {
        stop();
        const std::int64_t first = group * solver::system_group<T>::lanes;
        const std::int64_t count = std::min(solver::system_group<T>::lanes, systems_ - first);
        solver::system_group<T>& done = worker.solve(first, count);
        for (std::int64_t lane = 0; lane < count; ++lane) settle(done, lane, first + lane);
      }
    });
  }

  void settle(solver::system_group<T>& done, std::int64_t lane, std::int64_t system) {
    system_report& report = report_.systems[static_cast<std::size_t>(system)];
    report = std::move(done.report(lane));
    const auto rows = static_cast<std::size_t>(pattern_.rows);
    const std::span<T> x(task_.x + system * pattern_.rows, rows);
    if (done.state(lane) == solver::lane_state::refused) std::fill(x.begin(), x.end(), T(0));
    if (done.state(lane) == solver::lane_state::alone)
      solve_alone(report, system, {task_.b + system * pattern_.rows, rows}, x);
  }

  /// By solve(), which scales what needs it. What its numbers make it throw is the report of this system.
  void solve_alone(system_report& report, std::int64_t system, std::span<const T> b, std::span<T> x) {
    ++alone_;
    const batch_options& options = task_.options;
    const auto entries = static_cast<std::size_t>(task_.entries);
    const std::span<const T> values(task_.values + system * task_.entries, entries);
    const csr_view<T, Index> a(pattern_.rows, pattern_.cols, pattern_.row_offsets, pattern_.columns,
                               values_view<T>(values));
    try {
      const auto plan = detail::multiply_inspect(a, {.threads = 1, .isa = task_.set});
      std::unique_ptr<preconditioner<T>> m;
      if (options.preconditioner == batch_preconditioner::jacobi) m = make_preconditioner(a, {.threads = 1});
      const solve_report one = lacis::solve<T>(
          options.method == batch_method::cg ? solve_method::cg : solve_method::bicgstab, *make_operator(plan), b, x,
          {.tolerance = options.tolerance, .max_iterations = options.max_iterations}, m.get());
      report = {one.outcome, one.iterations, one.residual, one.true_residual, one.converged() ? "" : one.reason};
    } catch (const error& problem) {
      if (problem.code() != errc::invalid_argument && problem.code() != errc::invalid_matrix) throw;
      std::fill(x.begin(), x.end(), T(0));
      report = {solve_outcome::broke_down, 0, 0, 1, text(problem.what(), "; x is set to zero")};
    }
  }

  csr_view<float, Index> pattern_;
  std::int64_t systems_;
  std::int64_t groups_ = 0;
  int threads_ = 1;
  buffer<std::int32_t> columns_;
  std::vector<std::int64_t> diagonal_;
  solver::batch_task<T> task_;
  std::atomic<std::int64_t> alone_ = 0;
  batch_report report_;
};

}  // namespace

template <class T, class Index>
batch_report solve_batch(const csr_view<float, Index>& pattern, std::span<const T> values, std::span<const T> b,
                         std::span<T> x, const batch_options& options) {
  const auto begin = std::chrono::steady_clock::now();
  require_options(options);
  if (pattern.rows != pattern.cols)
    throw error(errc::invalid_matrix,
                text("the matrices are ", pattern.rows, " x ", pattern.cols, "; solve_batch is for square ones"));
  require_canonical_pattern(pattern, "solve_batch");
  if (pattern.rows > std::numeric_limits<std::int32_t>::max())
    throw error(errc::unsupported, "systems of a batch have up to 2^31 - 1 rows; solve larger ones with solve()");
  const std::int64_t systems =
      systems_of(pattern.nnz(), pattern.rows, pattern.rows, values.size(), b.size(), x.size(), "b", "x");
  require_apart(b, x, "b and x");
  require_apart(values, x, "the values and x");
  batch_report report = batch_run<T, Index>(pattern, systems, values, b, x, options).go();
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return report;
}

template <class T, class Index>
void multiply_batch(const csr_view<float, Index>& pattern, std::span<const T> values, std::span<const T> x,
                    std::span<T> y, const multiply_options& options) {
  require_canonical_pattern(pattern, "multiply_batch");
  const std::int64_t entries = pattern.nnz();
  const std::int64_t systems =
      systems_of(entries, pattern.cols, pattern.rows, values.size(), x.size(), y.size(), "x", "y");
  require_apart(x, y, "x and y");
  require_apart(values, y, "the values and y");
  const cpu::launch how =
      cpu::launch_of(options, checked_multiply(systems, pattern.rows + entries, "the entries of a batch"));
  on_threads(how.threads, [&](int thread, int threads) {
    workspace memory;
    for (auto s = even_cut(systems, thread, threads); s < even_cut(systems, thread + 1, threads); ++s) {
      const csr_view<T, Index> a(
          pattern.rows, pattern.cols, pattern.row_offsets, pattern.columns,
          values_view<T>(std::span<const T>(values.data() + s * entries, static_cast<std::size_t>(entries))));
      static_cast<void>(cpu::spmv(cpu::launch{1, how.set}, cpu::scaling<T>(T(1), T(0)), a, x.data() + s * pattern.cols,
                                  y.data() + s * pattern.rows, memory));
    }
  });
}

#define LACIS_INSTANTIATE_SOLVE(T, Index)                                                                            \
  template LACIS_API batch_report solve_batch(const csr_view<float, Index>&, std::span<const T>, std::span<const T>, \
                                              std::span<T>, const batch_options&);
LACIS_INSTANTIATE_SOLVE(float, std::int32_t)
LACIS_INSTANTIATE_SOLVE(float, std::int64_t)
LACIS_INSTANTIATE_SOLVE(double, std::int32_t)
LACIS_INSTANTIATE_SOLVE(double, std::int64_t)
#define LACIS_INSTANTIATE_MULTIPLY(T, Index)                                                                    \
  template LACIS_API void multiply_batch(const csr_view<float, Index>&, std::span<const T>, std::span<const T>, \
                                         std::span<T>, const multiply_options&);
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE_MULTIPLY)

}  // namespace detail
}  // namespace lacis

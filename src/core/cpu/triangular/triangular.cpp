// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Triangular systems on threads. Rows lie in memory in the order of their schedule.
#include "summation/triangular.hpp"

#include <atomic>
#include <thread>

#include <lacis/error.hpp>
#include <lacis/triangular.hpp>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "cpu/launch.hpp"
#include "cpu/triangular/row_runs.hpp"
#include "cpu/triangular/schedule.hpp"
#include "cpu/triangular/solve_rows.hpp"

namespace lacis::detail {

template <class T, class Index> struct triangular_data {
  triangular_options options;
  cpu::row_schedule<Index> schedule;
  std::vector<cpu::row_run> runs;       ///< and one more that marks the end; a task begins with a run
  std::vector<std::int64_t> task_runs;  ///< the first run of each task, and the end
  buffer<Index> columns;                ///< of runs
  buffer<T> values;                     ///< in the order of the schedule
  buffer<T> diagonals;                  ///< likewise, empty when they are one
};

namespace {

template <class T, class Index> cpu::triangle_arrays<T, Index> arrays_of(const triangular_data<T, Index>& data) {
  return {data.schedule.order.data(), data.columns.data(), data.values.data(),
          data.options.unit_diagonal ? nullptr : data.diagonals.data(), data.schedule.order.size()};
}

template <class T, class Index>
void solve(const cpu::triangle_arrays<T, Index>& a, const cpu::row_run* first, const cpu::row_run* last, const T* b,
           T* x) {
  if (a.diagonals == nullptr)
    cpu::solve_runs<true>(a, first, last, b, x);
  else
    cpu::solve_runs<false>(a, first, last, b, x);
}

int threads_of(const triangular_options& options) { return options.threads > 0 ? options.threads : thread_count(); }

/// each(row, place in the order, its number in the run, the run) for all rows, tasks shared by threads.
template <class T, class Index, class Each> void for_places(const triangular_data<T, Index>& data, Each&& each) {
  const std::int64_t tasks = data.schedule.task_count();
  on_threads(threads_for(data.schedule.order.size()), [&](int thread, int threads) {
    const std::int64_t last = data.task_runs[static_cast<std::size_t>(even_cut(tasks, thread + 1, threads))];
    for (std::int64_t r = data.task_runs[static_cast<std::size_t>(even_cut(tasks, thread, threads))]; r < last; ++r) {
      const cpu::row_run* run = &data.runs[static_cast<std::size_t>(r)];
      for (std::int64_t k = run[0].first; k < run[1].first; ++k)
        each(static_cast<std::int64_t>(data.schedule.order[k]), k, k - run[0].first, run[0]);
    }
  });
}

/// The column of entry e of a row, which is the k-th of its run.
template <class T, class Index>
std::int64_t column_of(const triangular_data<T, Index>& data, const cpu::row_run& run, std::int64_t row, std::int64_t k,
                       std::int64_t e) {
  return run.is_shifted ? row + data.columns[run.columns + e] : data.columns[run.columns + k * run.length + e];
}

template <class T, class Index>
void copy_values(triangular_data<T, Index>& data, const csr_view<T, Index>& a,
                 const cpu::triangle_pattern<Index>& pattern) {
  for_places(data, [&](std::int64_t row, std::int64_t place, std::int64_t k, const cpu::row_run& run) {
    const std::int64_t to = run.entries + k * run.length;
    const std::int64_t from = pattern.first(row);
    for (std::int64_t e = 0; e < run.length; ++e) data.values[to + e] = a.values[from + e];
    if (!data.options.unit_diagonal) data.diagonals[place] = a.values[pattern.diagonal(row)];
  });
}

/// The pattern of the triangle. Throws where A is no system, or a row has no diagonal and needs one.
template <class T, class Index>
cpu::triangle_pattern<Index> pattern_of(const csr_view<T, Index>& a, const triangular_options& options) {
  summation::require_square(a.rows, a.cols);
  require_canonical(a, "triangular solve");
  cpu::triangle_pattern<Index> pattern(a.row_offsets, a.columns, options.upper);
  for (std::int64_t row = 0; row < a.rows && !options.unit_diagonal; ++row)
    if (!pattern.has_diagonal(row)) summation::refuse_row_without_diagonal(row);
  return pattern;
}

/// Throws where A has another pattern than the one that was inspected.
template <class T, class Index>
void require_pattern(const triangular_data<T, Index>& data, const cpu::triangle_pattern<Index>& pattern) {
  for_places(data, [&](std::int64_t row, std::int64_t, std::int64_t k, const cpu::row_run& run) {
    bool same = pattern.length(row) == run.length;
    for (std::int64_t e = 0; same && e < run.length; ++e)
      same = pattern.column(pattern.first(row) + e) == column_of(data, run, row, k, e);
    if (!same)
      throw error(errc::invalid_argument,
                  text("row ", row, " has other columns than in the matrix that was inspected; inspect it anew"));
  });
}

/// Threads take tasks in their order and wait for each x that they read.
template <class T, class Index>
void solve_sync_free(const triangular_data<T, Index>& data, const cpu::launch& how, const T* b, T* x,
                     workspace& memory) {
  const auto solved = memory.bytes(data.schedule.order.size());  // which rows are
  std::fill(solved.begin(), solved.end(), std::byte{0});
  const auto mark_of = [&](std::int64_t row) {
    return std::atomic_ref<std::byte>(solved[static_cast<std::size_t>(row)]);
  };
  std::atomic<std::int64_t> next{0};
  const cpu::triangle_arrays<T, Index> arrays = arrays_of(data);
  cpu::run(how, [&](int, int) {
    for (std::int64_t task = next++; task < data.schedule.task_count(); task = next++)
      for (std::int64_t r = data.task_runs[static_cast<std::size_t>(task)];
           r < data.task_runs[static_cast<std::size_t>(task + 1)]; ++r) {
        const cpu::row_run* run = &data.runs[static_cast<std::size_t>(r)];
        for (std::int64_t k = run[0].first; k < run[1].first; ++k) {
          const std::int64_t before = k - run[0].first;
          const Index row = data.schedule.order[k];
          for (std::int64_t e = 0; e < run[0].length; ++e)
            while (mark_of(column_of(data, run[0], row, before, e)).load(std::memory_order_acquire) == std::byte{0})
              std::this_thread::yield();
          std::array<cpu::row_run, 2> one{run[0], {}};
          one[0].first = k;
          one[0].entries += before * run[0].length;
          if (!run[0].is_shifted) one[0].columns += before * run[0].length;
          one[1].first = k + 1;
          solve(arrays, one.data(), one.data() + 1, b, x);
          mark_of(row).store(std::byte{1}, std::memory_order_release);
        }
      }
  });
}

}  // namespace

template <class T, class Index>
triangular_plan<T, Index> triangular_inspect(const csr_view<T, Index>& a, const triangular_options& options) {
  const cpu::triangle_pattern<Index> pattern = pattern_of(a, options);
  auto data = std::make_shared<triangular_data<T, Index>>();
  data->options = options;
  data->schedule = cpu::make_schedule(pattern, threads_of(options), options.schedule);
  cpu::run_finder<Index> finder(pattern, data->schedule);
  finder.find(data->runs, data->task_runs);
  data->columns = buffer<Index>(data->runs.back().columns);
  data->values = buffer<T>(data->runs.back().entries);
  if (!options.unit_diagonal) data->diagonals = buffer<T>(a.rows);
  for_places(*data, [&](std::int64_t row, std::int64_t, std::int64_t k, const cpu::row_run& run) {
    if (run.is_shifted) return;
    const Index* const from = a.columns.data() + pattern.first(row);
    std::copy(from, from + run.length, data->columns.data() + run.columns + k * run.length);
  });
  finder.copy_distances(data->columns.data());
  copy_values(*data, a, pattern);
  return triangular_plan<T, Index>(std::move(data));
}

template <class T, class Index> void update_values(triangular_plan<T, Index>& plan, const csr_view<T, Index>& a) {
  if (a.rows != plan.rows())
    throw error(errc::invalid_argument,
                text("the plan is for ", plan.rows(), " rows, the matrix has ", a.rows, "; inspect it anew"));
  auto& data = *plan.internals();
  const cpu::triangle_pattern<Index> pattern = pattern_of(a, data.options);
  require_pattern(data, pattern);
  copy_values(data, a, pattern);
}

template <class T, class Index>
void triangular_solve(const triangular_plan<T, Index>& plan, std::span<const T> b, std::span<T> x, workspace& memory) {
  const auto& data = *plan.internals();
  if (b.size() != static_cast<std::size_t>(plan.rows()) || x.size() != b.size())
    throw error(errc::invalid_argument,
                text("b has ", b.size(), " elements and x ", x.size(), ", the matrix needs ", plan.rows()));
  const int threads = threads_of(data.options);
  if (data.schedule.kind == triangular_schedule::sync_free)
    return solve_sync_free(data, {threads, isa::scalar}, b.data(), x.data(), memory);
  const cpu::triangle_arrays<T, Index> arrays = arrays_of(data);
  cpu::run_schedule(data.schedule, threads, [&](std::int64_t first, std::int64_t last) {
    const auto run_at = [&](std::int64_t task) {
      return data.runs.data() + data.task_runs[static_cast<std::size_t>(task)];
    };
    solve(arrays, run_at(first), run_at(last), b.data(), x.data());
  });
}

#define LACIS_INSTANTIATE(T, Index)                                                                            \
  template LACIS_API triangular_plan<T, Index> triangular_inspect(const csr_view<T, Index>&,                   \
                                                                  const triangular_options&);                  \
  template LACIS_API void update_values(triangular_plan<T, Index>&, const csr_view<T, Index>&);                \
  template LACIS_API void triangular_solve(const triangular_plan<T, Index>&, std::span<const T>, std::span<T>, \
                                           workspace&);
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)

}  // namespace lacis::detail

namespace lacis {

template <value T, index Index> std::int64_t triangular_plan<T, Index>::rows() const {
  return data_->schedule.order.size();
}
template <value T, index Index> std::int64_t triangular_plan<T, Index>::nnz() const {
  return data_->values.size() + data_->diagonals.size();
}
template <value T, index Index> std::int64_t triangular_plan<T, Index>::levels() const {
  return data_->schedule.levels;
}
template <value T, index Index> triangular_schedule triangular_plan<T, Index>::schedule() const {
  return data_->schedule.kind;
}
template <value T, index Index> std::string triangular_plan<T, Index>::reason() const { return data_->schedule.reason; }
template <value T, index Index> std::int64_t triangular_plan<T, Index>::storage_bytes() const {
  const auto& d = *data_;
  return d.schedule.storage_bytes() + d.columns.size() * static_cast<std::int64_t>(sizeof(Index)) +
         (d.values.size() + d.diagonals.size()) * static_cast<std::int64_t>(sizeof(T)) +
         static_cast<std::int64_t>(d.runs.size() * sizeof(cpu::row_run) + d.task_runs.size() * sizeof(std::int64_t));
}

#define LACIS_PLAN(T, Index) template class LACIS_API triangular_plan<T, Index>;
LACIS_FOR_EACH_TYPE(LACIS_PLAN)

}  // namespace lacis

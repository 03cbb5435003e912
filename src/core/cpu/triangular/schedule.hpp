// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Rows of a triangle in an order for threads. Rows are cut into tasks of neighbours in that order; each worker has a
// list of tasks, and before a task it waits until other workers have finished as many of theirs as the task needs. A
// barrier, a pipeline of blocks and one thread alone are all such lists, and one loop runs them.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <omp.h>
#include <string>
#include <thread>
#include <vector>

#include <lacis/buffer.hpp>
#include <lacis/triangular.hpp>

#include "base/parallel.hpp"
#include "summation/environment.hpp"

namespace lacis::cpu {

/// Which rows each row needs: those left of the diagonal, or right of it. Columns ascend in each row.
template <class Index> class triangle_pattern {
 public:
  triangle_pattern(std::span<const std::int64_t> offsets, std::span<const Index> columns, bool upper)
      : offsets_(offsets), columns_(columns), upper_(upper), diagonals_(static_cast<std::int64_t>(offsets.size()) - 1) {
    detail::parallel_for(rows(), [&](std::int64_t row) {
      const auto* all = columns_.data();
      diagonals_[row] = std::lower_bound(all + begin_of(row), all + begin_of(row + 1), row) - all;
    });
  }

  [[nodiscard]] std::int64_t rows() const { return diagonals_.size(); }
  [[nodiscard]] bool upper() const { return upper_; }
  /// Where the diagonal entry is, or would be.
  [[nodiscard]] std::int64_t diagonal(std::int64_t row) const { return diagonals_[row]; }
  [[nodiscard]] bool has_diagonal(std::int64_t row) const {
    return diagonals_[row] < begin_of(row + 1) && columns_[static_cast<std::size_t>(diagonals_[row])] == row;
  }
  [[nodiscard]] std::int64_t first(std::int64_t row) const {
    return upper_ ? diagonals_[row] + (has_diagonal(row) ? 1 : 0) : begin_of(row);
  }
  [[nodiscard]] std::int64_t last(std::int64_t row) const { return upper_ ? begin_of(row + 1) : diagonals_[row]; }
  [[nodiscard]] std::int64_t length(std::int64_t row) const { return last(row) - first(row); }
  [[nodiscard]] std::int64_t column(std::int64_t place) const { return columns_[static_cast<std::size_t>(place)]; }
  /// The row that step k of the elimination solves, and the step of a row: upper triangles go from the last row up.
  [[nodiscard]] std::int64_t turned(std::int64_t k) const { return upper_ ? rows() - 1 - k : k; }

 private:
  [[nodiscard]] std::int64_t begin_of(std::int64_t row) const { return offsets_[static_cast<std::size_t>(row)]; }

  std::span<const std::int64_t> offsets_;
  std::span<const Index> columns_;
  bool upper_;
  buffer<std::int64_t> diagonals_;
};

/// What the choice of a schedule depends on, in nanoseconds; measured once per process.
struct row_costs {
  double row = 0;     ///< a row beside others that do not need it
  double entry = 0;   ///< each of its entries
  double needed = 0;  ///< a row that needs the one before
  double flag = 0;    ///< from the end of a task until another thread sees it
  double region = 0;  ///< threads start and end together
};
[[nodiscard]] const row_costs& measured_row_costs();
/// The same as row_costs::region, for who needs no more.
[[nodiscard]] double measured_region_cost();

/// More threads than this do not share a triangle.
inline constexpr int most_workers = 64;

struct row_task {
  std::int64_t first = 0;  ///< place in the order; the task ends where the next begins
  std::int64_t waits = 0;  ///< where its waits begin
  int worker = 0;
};

/// `tasks` of the list of `worker` are finished.
struct row_wait {
  std::int32_t worker = 0;
  std::int32_t tasks = 0;
};

template <class Index> struct row_schedule {
  triangular_schedule kind = triangular_schedule::serial;
  int workers = 1;
  buffer<Index> order;          ///< all rows, each behind those that it needs
  std::vector<row_task> tasks;  ///< in the same order, and one more that marks the end
  std::vector<row_wait> waits;
  std::vector<std::vector<std::int32_t>> lists;  ///< the tasks of each worker
  std::int64_t levels = 0;                       ///< rows of the longest way in which each needs the one before
  std::string reason;

  [[nodiscard]] std::int64_t task_count() const { return static_cast<std::int64_t>(tasks.size()) - 1; }
  [[nodiscard]] std::int64_t storage_bytes() const {
    return order.size() * static_cast<std::int64_t>(sizeof(Index)) +
           static_cast<std::int64_t>(tasks.size() * sizeof(row_task) + waits.size() * sizeof(row_wait));
  }
};

/// `wanted` as it is, or for `automatic` what costs least by the model. Work per entry is `weight` times that of a
/// triangular solution.
template <class Index>
[[nodiscard]] row_schedule<Index> make_schedule(const triangle_pattern<Index>& pattern, int threads,
                                                triangular_schedule wanted, double weight = 1,
                                                const row_costs& costs = measured_row_costs());

/// Finished tasks of one worker, alone in its cache lines.
struct alignas(128) row_progress {
  std::atomic<std::int32_t> tasks{0};
};

/// Waits awake for some microseconds, then lets others use the processor: a team may have fewer processors than
/// threads.
inline void wait_for(const row_progress& other, std::int32_t tasks) {
  for (int turn = 0; other.tasks.load(std::memory_order_acquire) < tasks; ++turn) {
    if (turn > 128) std::this_thread::yield();
#if defined(__x86_64__)
    else if (turn > 16)
      __builtin_ia32_pause();
#endif
  }
}

/// work(first, last) on ranges of tasks: every task once, after those that it waits for. `threads`: as many as may be
/// used now; with fewer than the schedule has workers the caller does everything. work must not throw.
template <class Index, class Work> void run_schedule(const row_schedule<Index>& rows, int threads, Work&& work) {
  if (rows.workers == 1 || threads < rows.workers || detail::begin_region(rows.workers) < rows.workers) {
    const summation::rounding_guard guard;
    work(std::int64_t{0}, rows.task_count());
    return;
  }
  std::array<row_progress, most_workers> progress;
#pragma omp parallel num_threads(rows.workers)
  {
    const summation::rounding_guard guard;
    const auto me = static_cast<std::size_t>(omp_get_thread_num());
    if (omp_get_num_threads() < rows.workers) {
      if (me == 0) work(std::int64_t{0}, rows.task_count());
    } else {
      std::int32_t finished = 0;
      for (const std::int32_t task : rows.lists[me]) {
        const row_task* t = &rows.tasks[static_cast<std::size_t>(task)];
        for (std::int64_t w = t[0].waits; w < t[1].waits; ++w) {
          const row_wait& wait = rows.waits[static_cast<std::size_t>(w)];
          wait_for(progress[static_cast<std::size_t>(wait.worker)], wait.tasks);
        }
        work(std::int64_t{task}, std::int64_t{task} + 1);
        progress[me].tasks.store(++finished, std::memory_order_release);
      }
    }
  }
}

}  // namespace lacis::cpu

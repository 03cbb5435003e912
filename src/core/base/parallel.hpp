// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Threads: loops over ranges on OpenMP that pass exceptions on, scans, and cuts of equal work.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace lacis::detail {

/// How many threads a region started here gets: OpenMP's number, but one inside another region and one in a child of
/// fork() (libgomp's pool does not survive it).
[[nodiscard]] int thread_count();

/// How many regions of several threads this process has started: what must not wake threads does not change it.
[[nodiscard]] std::int64_t regions_started();

/// Counts a region and returns how many of `threads` threads it may start: one in a child of fork().
[[nodiscard]] int begin_region(int threads);

/// Refers to what the threads of a region call, so that the region is compiled once and not for every lambda.
class thread_work {
 public:
  template <class Work>
  explicit thread_work(Work& work)
      : work_(const_cast<void*>(static_cast<const void*>(&work))),
        call_([](void* called, int thread, int threads) { (*static_cast<Work*>(called))(thread, threads); }) {}
  void operator()(int thread, int threads) const { call_(work_, thread, threads); }

 private:
  void* work_;
  void (*call_)(void*, int, int);
};

void run_on_threads(int threads, thread_work work);

/// work(thread, threads) on `threads` threads. Every thread number runs exactly once, also when fewer threads come.
template <class Work> void on_threads(int threads, Work&& work) { run_on_threads(threads, thread_work(work)); }

/// Below this many elements a loop is not worth waking threads for.
inline constexpr std::int64_t parallel_threshold = 1 << 14;

/// The number of threads for a loop over `size` elements, each of which may be much work.
[[nodiscard]] inline int threads_for(std::int64_t size) { return size < parallel_threshold ? 1 : thread_count(); }

/// Entries or elements of a vector that are worth one more thread.
inline constexpr std::int64_t work_per_thread = parallel_threshold / 2;

/// The number of threads for `work` rows and entries, or elements of vectors: in proportion, up to what there is.
[[nodiscard]] inline int threads_for_work(std::int64_t work) {
  if (work < parallel_threshold) return 1;
  return static_cast<int>(std::min<std::int64_t>(thread_count(), work / work_per_thread));
}

/// Where part `part` of `parts` equal ranges of 0 .. size begins.
[[nodiscard]] inline std::int64_t even_cut(std::int64_t size, int part, int parts) {
  return static_cast<std::int64_t>(static_cast<__int128>(size) * part / parts);
}

/// work(begin, end) on one contiguous range per thread.
template <class Work> void parallel_ranges(std::int64_t size, Work&& work) {
  on_threads(threads_for(size), [&](int t, int threads) {
    const std::int64_t begin = even_cut(size, t, threads);
    const std::int64_t end = even_cut(size, t + 1, threads);
    if (begin < end) work(begin, end);
  });
}

/// work(i) for every i, one contiguous range per thread.
template <class Work> void parallel_for(std::int64_t size, Work&& work) {
  parallel_ranges(size, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) work(i);
  });
}

/// balanced_cut for either type of offsets.
template <class Offset>
[[nodiscard]] std::int64_t balanced_cut_of(std::span<const Offset> row_offsets, int part, int parts) {
  const auto rows = static_cast<std::int64_t>(row_offsets.size()) - 1;
  if (part <= 0) return 0;
  if (part >= parts) return rows;
  // Offsets may be those of a matrix that is not checked yet: their sums wrap, and the cut is a row all the same.
  const auto weight = [&](std::int64_t row) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(row) +
                                     static_cast<std::uint64_t>(row_offsets[static_cast<std::size_t>(row)]));
  };
  const std::int64_t target = even_cut(weight(rows), part, parts);
  std::int64_t low = 0;
  std::int64_t high = rows;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (weight(middle) < target)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/// The row at which part `part` of `parts` begins when rows are cut so that rows + entries are shared evenly.
[[nodiscard]] inline std::int64_t balanced_cut(std::span<const std::int64_t> row_offsets, int part, int parts) {
  return balanced_cut_of(row_offsets, part, parts);
}
[[nodiscard]] inline std::int64_t balanced_cut(std::span<const std::int32_t> row_offsets, int part, int parts) {
  return balanced_cut_of(row_offsets, part, parts);
}

/// work(first_row, last_row) on one contiguous range of rows per thread, cut by balanced_cut.
template <class Work> void parallel_rows(std::span<const std::int64_t> row_offsets, Work&& work) {
  const auto rows = static_cast<std::int64_t>(row_offsets.size()) - 1;
  on_threads(threads_for_work(rows + row_offsets[static_cast<std::size_t>(rows)]), [&](int t, int threads) {
    const std::int64_t begin = balanced_cut(row_offsets, t, threads);
    const std::int64_t end = balanced_cut(row_offsets, t + 1, threads);
    if (begin < end) work(begin, end);
  });
}

/// Turns counts into offsets in place: element i becomes the sum of those before it. `counts` has one element more than
/// there are counts; the last is overwritten with the total, which is also returned.
std::int64_t counts_to_offsets(std::span<std::int64_t> counts);

}  // namespace lacis::detail

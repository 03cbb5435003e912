// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The transpose: a stable counting sort of the entries by column.
#include <algorithm>
#include <utility>
#include <vector>

#include <lacis/structure.hpp>

#include "base/checked.hpp"
#include "base/instantiate.hpp"
#include "base/interruption.hpp"
#include "base/machine.hpp"
#include "base/parallel.hpp"
#include "formats/assemble.hpp"
#include "formats/rows.hpp"
#include "summation/arithmetic.hpp"

namespace lacis::detail {
namespace {

/// The columns first .. last that a range of rows touches.
struct window {
  std::int64_t first = 0;
  std::int64_t last = 0;
  [[nodiscard]] std::int64_t width() const { return last - first; }
  [[nodiscard]] bool holds(std::int64_t column) const { return column >= first && column < last; }
};

window join(window a, window b) {
  if (a.width() == 0) return b;
  if (b.width() == 0) return a;
  return {std::min(a.first, b.first), std::max(a.last, b.last)};
}

template <index Index> window window_of(std::span<const Index> columns) {
  if (columns.empty()) return {};
  Index least = columns[0];
  Index most = columns[0];
  for (const Index column : columns) {
    least = std::min(least, column);
    most = std::max(most, column);
  }
  return {static_cast<std::int64_t>(least), static_cast<std::int64_t>(most) + 1};
}

/// The window of each thread's rows when every stretch of rows keeps to few columns (bands, grids, few columns at all),
/// so that an entry's place in the transpose is likely in cache; nothing when entries are scattered.
template <value Value, index Index> std::vector<window> find_windows(const csr_view<Value, Index>& a, int threads) {
  constexpr int fewest_stretches = 64;
  constexpr std::int64_t few_columns = 4096;
  const int stretches_a_thread = (fewest_stretches + threads - 1) / threads;
  const int stretches = stretches_a_thread * threads;
  std::vector<window> by_stretch(static_cast<std::size_t>(stretches));
  on_threads(threads, [&](int t, int) {
    for (int s = t * stretches_a_thread; s < (t + 1) * stretches_a_thread; ++s) {
      const std::int64_t begin = a.row_offsets.data()[balanced_cut(a.row_offsets, s, stretches)];
      const std::int64_t end = a.row_offsets.data()[balanced_cut(a.row_offsets, s + 1, stretches)];
      by_stretch[static_cast<std::size_t>(s)] =
          window_of(a.columns.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)));
    }
  });
  std::vector<window> by_thread(static_cast<std::size_t>(threads));
  std::int64_t touched_by_stretches = 0;
  for (int s = 0; s < stretches; ++s) {
    window& whole = by_thread[static_cast<std::size_t>(s / stretches_a_thread)];
    whole = join(whole, by_stretch[static_cast<std::size_t>(s)]);
    touched_by_stretches += by_stretch[static_cast<std::size_t>(s)].width();
  }
  std::int64_t touched_by_threads = 0;
  for (const window& w : by_thread) touched_by_threads += w.width();
  // What a stretch writes among, where all columns are about as long.
  const double bytes = static_cast<double>(a.nnz()) * (sizeof(Index) + sizeof(Value)) *
                       (static_cast<double>(touched_by_stretches) / stretches) / static_cast<double>(a.cols);
  const bool is_near = touched_by_stretches / 4 <= a.cols || bytes <= static_cast<double>(l2_cache_bytes());
  const bool is_local = is_near && touched_by_threads / 4 <= a.cols;
  if (!is_local && a.cols > few_columns) by_thread.clear();
  return by_thread;
}

/// Each thread counts its rows' entries by column in its window, then puts each where it belongs: after those of the
/// same column that earlier threads, or the thread itself, met before.
template <value Value, index Index>
csr_matrix<Value, Index> sort_directly(const csr_view<Value, Index>& a, const std::vector<window>& windows) {
  const auto threads = static_cast<int>(windows.size());
  std::vector<buffer<std::int64_t>> next(windows.size());
  const stop_check stop;
  const auto each_entry = [&](int t, auto&& work) {
    const std::int64_t last = balanced_cut(a.row_offsets, t + 1, threads);
    for (std::int64_t i = balanced_cut(a.row_offsets, t, threads); i < last; ++i) {
      stop.at(i);
      for (std::int64_t k = a.row_offsets.data()[i]; k < a.row_offsets.data()[i + 1]; ++k) work(i, k);
    }
  };
  on_threads(threads, [&](int t, int) {
    const window w = windows[static_cast<std::size_t>(t)];
    buffer<std::int64_t> counts(w.width(), 0);
    each_entry(t, [&](std::int64_t, std::int64_t k) { ++counts[a.columns.data()[k] - w.first]; });
    next[static_cast<std::size_t>(t)] = std::move(counts);
  });

  csr_matrix<Value, Index> result{.rows = a.cols,
                                  .cols = a.rows,
                                  .row_offsets = buffer<std::int64_t>(a.cols + 1),
                                  .columns = buffer<Index>(a.nnz()),
                                  .values = values_array<Value>::like(a.values, a.nnz())};
  const auto each_counter = [&](std::int64_t column, auto&& work) {
    for (std::size_t t = 0; t < windows.size(); ++t)
      if (windows[t].holds(column)) work(next[t][column - windows[t].first]);
  };
  parallel_for(a.cols, [&](std::int64_t j) {
    std::int64_t length = 0;
    each_counter(j, [&](std::int64_t count) { length += count; });
    result.row_offsets[j] = length;
  });
  counts_to_offsets(result.row_offsets);
  parallel_for(a.cols, [&](std::int64_t j) {
    std::int64_t slot = result.row_offsets[j];
    each_counter(j, [&](std::int64_t& counter) { slot += std::exchange(counter, slot); });
  });

  on_threads(threads, [&](int t, int) {
    const std::int64_t first = windows[static_cast<std::size_t>(t)].first;
    buffer<std::int64_t>& slots = next[static_cast<std::size_t>(t)];
    each_entry(t, [&](std::int64_t i, std::int64_t k) {
      const std::int64_t slot = slots[a.columns.data()[k] - first]++;
      result.columns[slot] = static_cast<Index>(i);
      if (!a.values.iso) result.values.data[slot] = a.values.data.data()[k];
    });
  });
  return result;
}

/// The entries as coordinates with rows and columns exchanged, gathered: two levels of buckets, so that scattered
/// writes stay in cache.
template <value Value, index Index> csr_matrix<Value, Index> sort_in_buckets(const csr_view<Value, Index>& a) {
  buffer<Index> row_of_entry(a.nnz());
  parallel_each_row(a.row_offsets, [&](std::int64_t i) {
    const std::int64_t* offsets = a.row_offsets.data();
    std::fill(row_of_entry.data() + offsets[i], row_of_entry.data() + offsets[i + 1], static_cast<Index>(i));
  });
  return gather_rows(coo_view<Value, Index>{a.cols, a.rows, a.columns, row_of_entry, a.values});
}

}  // namespace

template <class Value, class Index>
csr_matrix<Value, Index> transpose(const csr_view<Value, Index>& a, bool conjugate) {
  require_index<Index>(a.rows, "rows");
  const auto windows = find_windows(a, threads_for(a.rows + a.cols + a.nnz()));
  csr_matrix<Value, Index> result = windows.empty() ? sort_in_buckets(a) : sort_directly(a, windows);
  if constexpr (is_complex<Value>)
    if (conjugate)
      parallel_for(result.values.data.size(),
                   [&](std::int64_t k) { result.values.data[k] = summation::conjugate(result.values.data[k]); });
  return result;
}

#define LACIS_TRANSPOSE(Value, Index) \
  template LACIS_API csr_matrix<Value, Index> transpose(const csr_view<Value, Index>&, bool);
LACIS_FOR_EACH_TYPE(LACIS_TRANSPOSE)

}  // namespace lacis::detail

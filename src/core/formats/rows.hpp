// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What the operations on rows share: searching them, making a matrix from the lengths of its rows, writing a row.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>
#include <utility>

#include <lacis/csr.hpp>

#include "base/parallel.hpp"

namespace lacis::detail {

/// The first row for which holds(row) is true, or -1. Threads stop at rows beyond one already found.
template <class Holds> std::int64_t first_row_where(std::span<const std::int64_t> row_offsets, Holds&& holds) {
  const auto rows = static_cast<std::int64_t>(row_offsets.size()) - 1;
  std::atomic<std::int64_t> found{rows};
  parallel_rows(row_offsets, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last && i < found.load(std::memory_order_relaxed); ++i) {
      if (!holds(i)) continue;
      std::int64_t earliest = found.load(std::memory_order_relaxed);
      while (i < earliest && !found.compare_exchange_weak(earliest, i, std::memory_order_relaxed)) {
      }
      return;
    }
  });
  const std::int64_t row = found.load();
  return row == rows ? -1 : row;
}

/// work(row) for every row, one contiguous range of rows per thread.
template <class Work> void parallel_each_row(std::span<const std::int64_t> row_offsets, Work&& work) {
  parallel_rows(row_offsets, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) work(i);
  });
}

template <class T> void parallel_copy(std::span<const T> from, T* to) {
  parallel_ranges(static_cast<std::int64_t>(from.size()), [&](std::int64_t begin, std::int64_t end) {
    std::copy(from.data() + begin, from.data() + end, to + begin);
  });
}

template <class T> buffer<T> parallel_copy_of(std::span<const T> from) {
  buffer<T> copy(static_cast<std::int64_t>(from.size()));
  parallel_copy(from, copy.data());
  return copy;
}

/// An owned copy, made by all threads.
template <value Value, index Index> csr_matrix<Value, Index> copy_of(const csr_view<Value, Index>& a) {
  return {.rows = a.rows,
          .cols = a.cols,
          .row_offsets = parallel_copy_of(a.row_offsets),
          .columns = parallel_copy_of(a.columns),
          .values = values_array<Value>(parallel_copy_of(a.values.data), a.values.iso)};
}

/// A matrix whose row i has room for count(i) entries, which are left to the caller to fill. Its values are shaped like
/// `shape`. Counting is shared among threads by `work`, the row offsets of what is read to count.
template <value Value, index Index, class Count>
csr_matrix<Value, Index> with_row_lengths(std::int64_t rows, std::int64_t cols, values_view<Value> shape,
                                          std::span<const std::int64_t> work, Count&& count) {
  buffer<std::int64_t> row_offsets(rows + 1);
  parallel_each_row(work, [&](std::int64_t i) { row_offsets[i] = count(i); });
  const std::int64_t entries = counts_to_offsets(row_offsets);
  return {.rows = rows,
          .cols = cols,
          .row_offsets = std::move(row_offsets),
          .columns = buffer<Index>(entries),
          .values = values_array<Value>::like(shape, entries)};
}

/// Puts entries one after the other, from the start of a row on; of an iso matrix only their columns.
template <value Value, index Index> class row_writer {
 public:
  row_writer(csr_matrix<Value, Index>& target, std::int64_t row)
      : column_(target.columns.data() + target.row_offsets[row]),
        value_(target.values.iso ? nullptr : target.values.data.data() + target.row_offsets[row]) {}

  void put(Index column, Value value) {
    *column_++ = column;
    if (value_ != nullptr) *value_++ = value;
  }

 private:
  Index* column_;
  Value* value_;
};

}  // namespace lacis::detail

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Rows of a sparse matrix that are made one after the other, by several threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <lacis/buffer.hpp>
#include <lacis/csr.hpp>

#include "base/parallel.hpp"
#include "summation/arithmetic.hpp"

namespace lacis::multigrid {

template <class S, class Index> struct entry {
  Index column;
  S value;
};

/// Sums up one row at a time: columns in the order in which they come first, each sum in the order of its terms.
template <class S, class Index> class row_sums {
 public:
  explicit row_sums(std::int64_t columns) : place_(columns, 0), entries_(columns) {}

  /// A new row.
  void clear() { count_ = 0; }
  void add(Index column, S value) {
    // A place that an earlier row has left is that of another column, or behind the end.
    const Index known = place_[column];
    if (known < count_ && entries_[known].column == column) {
      entries_[known].value = summation::add(entries_[known].value, value);
    } else {
      place_[column] = count_;
      entries_[count_++] = {column, value};
    }
  }
  [[nodiscard]] std::span<entry<S, Index>> row() { return {entries_.data(), static_cast<std::size_t>(count_)}; }
  void sort() {
    std::sort(entries_.begin(), entries_.begin() + count_,
              [](const entry<S, Index>& a, const entry<S, Index>& b) { return a.column < b.column; });
  }
  /// Removes entries and keeps the order of the others. Afterwards nothing may be added to the row.
  template <class Drop> void drop(Drop&& is_dropped) {
    count_ =
        static_cast<Index>(std::remove_if(entries_.begin(), entries_.begin() + count_, is_dropped) - entries_.begin());
  }

 private:
  buffer<Index> place_;  ///< where a column is in this row, if it is there
  buffer<entry<S, Index>> entries_;
  Index count_ = 0;
};

/// Entries of rows in memory that never moves.
template <class S, class Index> class row_pages {
 public:
  std::span<const entry<S, Index>> keep(std::span<const entry<S, Index>> row) {
    const auto count = static_cast<std::int64_t>(row.size());
    if (pages_.empty() || used_ + count > pages_.back().size()) {
      pages_.emplace_back(std::max(count, page_entries));
      used_ = 0;
    }
    entry<S, Index>* const to = pages_.back().data() + used_;
    std::copy(row.begin(), row.end(), to);
    used_ += count;
    return {to, row.size()};
  }

 private:
  static constexpr std::int64_t page_entries = std::int64_t{1} << 18;
  std::vector<buffer<entry<S, Index>>> pages_;
  std::int64_t used_ = 0;
};

/// A matrix whose rows are made by make(sums, i), which leaves row i in `sums`; `weights` are offsets by which rows are
/// shared out to threads.
template <class S, class Index, class Make>
[[nodiscard]] csr_matrix<S, Index> collect_rows(std::int64_t rows, std::int64_t cols,
                                                std::span<const std::int64_t> weights, Make&& make) {
  csr_matrix<S, Index> all{rows, cols, buffer<std::int64_t>(rows + 1), {}, {}};
  const int threads = detail::threads_for_work(rows + weights[static_cast<std::size_t>(rows)]);
  std::vector<std::vector<entry<S, Index>>> kept(static_cast<std::size_t>(threads));
  detail::on_threads(threads, [&](int t, int count) {
    auto& mine = kept[static_cast<std::size_t>(t)];
    row_sums<S, Index> sums(cols);
    for (auto i = detail::balanced_cut(weights, t, count); i < detail::balanced_cut(weights, t + 1, count); ++i) {
      sums.clear();
      make(sums, i);
      const auto row = sums.row();
      mine.insert(mine.end(), row.begin(), row.end());
      all.row_offsets[i] = static_cast<std::int64_t>(row.size());
    }
  });
  const std::int64_t entries = detail::counts_to_offsets(all.row_offsets);
  all.columns = buffer<Index>(entries);
  all.values = values_array<S>(entries);
  detail::on_threads(threads, [&](int t, int count) {
    std::int64_t to = all.row_offsets[detail::balanced_cut(weights, t, count)];
    for (const entry<S, Index>& one : kept[static_cast<std::size_t>(t)]) {
      all.columns[to] = one.column;
      all.values.data[to++] = one.value;
    }
  });
  return all;
}

}  // namespace lacis::multigrid

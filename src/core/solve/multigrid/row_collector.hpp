// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Rows of a sparse matrix that are made one after the other, by several threads.
#pragma once

#include <algorithm>
#include <bit>
#include <complex>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include <lacis/buffer.hpp>
#include <lacis/csr.hpp>

#include "base/parallel.hpp"
#include "summation/arithmetic.hpp"
#include "summation/environment.hpp"

namespace lacis::multigrid {

template <class S, class Index> struct entry {
  Index column;
  S value;
};

/// x, or where `is_none` the number that leaves every other as it is: -0.
template <class Real> [[nodiscard]] inline Real unless(bool is_none, Real x) {
  using bits = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;
  const bits all = bits(0) - static_cast<bits>(is_none);  // not a choice: compilers make branches of those
  return std::bit_cast<Real>((std::bit_cast<bits>(x) & ~all) | (std::bit_cast<bits>(Real(-0.0)) & all));
}
template <class Real> [[nodiscard]] inline std::complex<Real> unless(bool is_none, std::complex<Real> x) {
  return {unless(is_none, x.real()), unless(is_none, x.imag())};
}

/// Sums up one row at a time: columns in the order in which they come first, each sum in the order of its terms. There
/// is no branch on whether a column is new: that cannot be foretold.
template <class S, class Index> class row_sums {
 public:
  explicit row_sums(std::int64_t columns) : cells_(columns), columns_(columns + 1), entries_(columns) {
    for (cell& one : cells_) one.row = 0;
  }

  /// A new row.
  void clear() {
    count_ = 0;
    ++row_;
  }
  void add(Index column, S value) {
    cell& here = cells_[column];
    const bool is_new = here.row != row_;
    here = {row_, summation::add(unless(is_new, here.value), value)};
    columns_[count_] = column;
    count_ += is_new ? 1 : 0;
  }
  /// The entries, in the order in which they came.
  [[nodiscard]] std::span<entry<S, Index>> row() {
    for (std::int64_t e = 0; e < count_; ++e) entries_[e] = {columns_[e], cells_[columns_[e]].value};
    return {entries_.data(), static_cast<std::size_t>(count_)};
  }
  /// The entries in the order of their columns.
  [[nodiscard]] std::span<entry<S, Index>> sorted_row() {
    constexpr std::int64_t most_compared = 96;  // all with all, without branches; more are sorted
    if (count_ > most_compared) {
      std::sort(columns_.begin(), columns_.begin() + count_);
      return row();
    }
    for (std::int64_t e = 0; e < count_; ++e) {
      const Index column = columns_[e];
      Index smaller = 0;
      for (std::int64_t other = 0; other < count_; ++other) smaller += columns_[other] < column ? 1 : 0;
      entries_[smaller] = {column, cells_[column].value};
    }
    return {entries_.data(), static_cast<std::size_t>(count_)};
  }

 private:
  struct cell {
    Index row;
    S value;
  };
  buffer<cell> cells_;  ///< the sum of each column, and of which row it is
  buffer<Index> columns_;
  buffer<entry<S, Index>> entries_;
  Index row_ = 0;
  std::int64_t count_ = 0;
};

/// The same for a row whose columns are known.
template <class S, class Index> class known_sums {
 public:
  explicit known_sums(std::int64_t columns) : sums_(columns) {}

  void begin(std::span<const Index> columns) {
    columns_ = columns;
    for (const Index column : columns) sums_[column] = unless(true, S{});
  }
  void add(Index column, S value) { sums_[column] = summation::add(sums_[column], value); }
  void store(S* values) const {
    for (std::size_t e = 0; e < columns_.size(); ++e) values[e] = sums_[columns_[e]];
  }

 private:
  buffer<S> sums_;
  std::span<const Index> columns_;
};

/// Entries of rows in memory that never moves.
template <class S, class Index> class row_pages {
 public:
  std::span<const entry<S, Index>> keep(std::span<const entry<S, Index>> row) {
    const auto count = static_cast<std::int64_t>(row.size());
    if (pages_.empty() || pages_.back().used + count > pages_.back().entries.size())
      pages_.push_back({buffer<entry<S, Index>>(std::max(count, page_entries)), 0});
    page& last = pages_.back();
    entry<S, Index>* const to = last.entries.data() + last.used;
    std::copy(row.begin(), row.end(), to);
    last.used += count;
    return {to, row.size()};
  }
  /// visit(entry) for each, in the order in which they came.
  template <class Visit> void each(Visit&& visit) const {
    for (const page& one : pages_)
      for (std::int64_t e = 0; e < one.used; ++e) visit(one.entries[e]);
  }

 private:
  struct page {
    buffer<entry<S, Index>> entries;
    std::int64_t used;
  };
  static constexpr std::int64_t page_entries = std::int64_t{1} << 18;
  std::vector<page> pages_;
};

/// A matrix whose rows are those that make(sums, i) gives; `weights` are offsets by which rows are shared out to
/// threads.
template <class S, class Index, class Make>
[[nodiscard]] csr_matrix<S, Index> collect_rows(std::int64_t rows, std::int64_t cols,
                                                std::span<const std::int64_t> weights, Make&& make) {
  csr_matrix<S, Index> all{rows, cols, buffer<std::int64_t>(rows + 1), {}, {}};
  const int threads = detail::threads_for_work(rows + weights[static_cast<std::size_t>(rows)]);
  std::vector<row_pages<S, Index>> kept(static_cast<std::size_t>(threads));
  detail::on_threads(threads, [&](int t, int count) {
    const summation::rounding_guard guard;
    row_sums<S, Index> sums(cols);
    const std::int64_t end = detail::balanced_cut(weights, t + 1, count);
    for (auto i = detail::balanced_cut(weights, t, count); i < end; ++i) {
      sums.clear();
      const auto row = kept[static_cast<std::size_t>(t)].keep(make(sums, i));
      all.row_offsets[i] = static_cast<std::int64_t>(row.size());
    }
  });
  const std::int64_t entries = detail::counts_to_offsets(all.row_offsets);
  all.columns = buffer<Index>(entries);
  all.values = values_array<S>(entries);
  detail::on_threads(threads, [&](int t, int count) {
    std::int64_t to = all.row_offsets[detail::balanced_cut(weights, t, count)];
    kept[static_cast<std::size_t>(t)].each([&](const entry<S, Index>& one) {
      all.columns[to] = one.column;
      all.values.data[to++] = one.value;
    });
  });
  return all;
}

/// New values for the entries that `all` has: fill(sums, i) adds up row i.
template <class S, class Index, class Fill>
void refill_rows(csr_matrix<S, Index>& all, std::span<const std::int64_t> weights, Fill&& fill) {
  detail::on_threads(detail::threads_for_work(all.rows + weights[static_cast<std::size_t>(all.rows)]),
                     [&](int t, int count) {
                       const summation::rounding_guard guard;
                       known_sums<S, Index> sums(all.cols);
                       const std::span<const Index> columns = all.columns;
                       const std::int64_t end = detail::balanced_cut(weights, t + 1, count);
                       for (auto i = detail::balanced_cut(weights, t, count); i < end; ++i) {
                         const auto first = all.row_offsets[i];
                         sums.begin(columns.subspan(static_cast<std::size_t>(first),
                                                    static_cast<std::size_t>(all.row_offsets[i + 1] - first)));
                         fill(sums, i);
                         sums.store(all.values.data.data() + first);
                       }
                     });
}

}  // namespace lacis::multigrid

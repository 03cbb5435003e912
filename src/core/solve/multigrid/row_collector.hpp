// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Rows of a sparse matrix that are made one after the other, by several threads.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include <lacis/buffer.hpp>
#include <lacis/csr.hpp>

#include "base/interruption.hpp"
#include "base/parallel.hpp"
#include "summation/arithmetic.hpp"
#include "summation/environment.hpp"

namespace lacis::multigrid {

template <class S, class Index> struct entry {
  Index column;
  S value;
};

/// The number that leaves every other as it is: -0.
template <class S> [[nodiscard]] constexpr S nothing() {
  if constexpr (is_complex<S>)
    return {real_of<S>(-0.0), real_of<S>(-0.0)};
  else
    return S(-0.0);
}

/// Sums up one row at a time: columns in the order in which they come first, each sum in the order of its terms. There
/// is no branch on whether a column is new: that cannot be foretold.
template <class S, class Index> class row_sums {
 public:
  explicit row_sums(std::int64_t columns) : cells_(columns, cell{}), columns_(columns + 2 * lanes) {}

  void add(Index column, S value) {
    cell& here = cells_[column];
    here.value = summation::add(here.value, value);
    columns_[count_] = column;
    count_ += here.is_new;
    here.is_new = 0;
  }
  /// How many entries the row has.
  [[nodiscard]] std::int64_t count() const { return count_; }
  /// Writes the entries, in the order in which they came. What is added next is of a new row.
  void write(entry<S, Index>* to) {
    for (std::int64_t e = 0; e < count_; ++e) to[e] = taken(columns_[e]);
    count_ = 0;
  }
  /// The same in the order of their columns.
  void write_sorted(entry<S, Index>* to) {
    constexpr std::int64_t most_compared = 96;  // all with all, without branches; more are sorted
    if (count_ > most_compared) {
      std::sort(columns_.begin(), columns_.begin() + count_);
      write(to);
      return;
    }
    for (std::int64_t first = 0; first < count_; first += 2 * lanes) {
      several columns[2];
      several smaller[2] = {};
      std::memcpy(columns, columns_.data() + first, sizeof columns);
      for (std::int64_t other = 0; other < count_; ++other) {
        smaller[0] -= columns_[other] < columns[0];
        smaller[1] -= columns_[other] < columns[1];
      }
      std::array<Index, 2 * lanes> places;
      std::memcpy(places.data(), smaller, sizeof smaller);
      const auto here = static_cast<std::size_t>(std::min<std::int64_t>(2 * lanes, count_ - first));
      for (std::size_t e = 0; e < here; ++e) to[places[e]] = taken(columns_[first + static_cast<std::int64_t>(e)]);
    }
    count_ = 0;
  }

 private:
  struct cell {
    Index is_new = 1;
    S value = nothing<S>();
  };
  /// Compilers split wider vectors into elements.
  static constexpr std::int64_t lanes = 16 / sizeof(Index);
  using several [[gnu::vector_size(16)]] = Index;

  entry<S, Index> taken(Index column) { return {column, std::exchange(cells_[column], cell{}).value}; }

  buffer<cell> cells_;     ///< the sum of each column
  buffer<Index> columns_;  ///< those of the row, and room to read several at once
  std::int64_t count_ = 0;
};

/// The same for a row whose columns are known.
template <class S, class Index> class known_sums {
 public:
  explicit known_sums(std::int64_t columns) : sums_(columns) {}

  void begin(std::span<const Index> columns) {
    columns_ = columns;
    for (const Index column : columns) sums_[column] = nothing<S>();
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
  /// `likely`: entries that there will be, for the size of a page. Large arrays are on huge pages.
  explicit row_pages(std::int64_t likely = 0) : page_entries_(std::clamp(likely, least_entries, most_entries)) {}

  /// Where the next row is written, of so many entries at most.
  [[nodiscard]] std::span<entry<S, Index>> room(std::int64_t most) {
    if (pages_.empty() || pages_.back().used + most > pages_.back().entries.size())
      pages_.push_back({buffer<entry<S, Index>>(std::max(most, page_entries_)), 0});
    return {pages_.back().entries.data() + pages_.back().used, static_cast<std::size_t>(most)};
  }
  /// The row that was written there.
  void keep(std::int64_t count) { pages_.back().used += count; }
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
  static constexpr std::int64_t least_entries = std::int64_t{1} << 12;
  static constexpr std::int64_t most_entries = std::int64_t{1} << 20;

  std::int64_t page_entries_;
  std::vector<page> pages_;
};

/// A matrix whose rows are those that add(sums, i) adds up; cut(entries of a row) is how many of them, from the first
/// on, are kept. `weights` are offsets by which rows are shared out to threads.
template <class S, class Index, class Add, class Cut>
[[nodiscard]] csr_matrix<S, Index> collect_rows(std::int64_t rows, std::int64_t cols,
                                                std::span<const std::int64_t> weights, Add&& add, Cut&& cut) {
  csr_matrix<S, Index> all{rows, cols, buffer<std::int64_t>(rows + 1), {}, {}};
  const int threads = detail::threads_for_work(rows + weights[static_cast<std::size_t>(rows)]);
  std::vector<row_pages<S, Index>> kept(static_cast<std::size_t>(threads));
  const detail::stop_check stop;
  detail::on_threads(threads, [&](int t, int count) {
    const summation::rounding_guard guard;
    row_sums<S, Index> sums(cols);
    row_pages<S, Index> mine(weights[static_cast<std::size_t>(rows)] / count);
    const std::int64_t end = detail::balanced_cut(weights, t + 1, count);
    for (auto i = detail::balanced_cut(weights, t, count); i < end; ++i) {
      stop.at(i);
      add(sums, i);
      const std::span<entry<S, Index>> row = mine.room(sums.count());
      sums.write_sorted(row.data());
      all.row_offsets[i] = cut(row);
      mine.keep(all.row_offsets[i]);
    }
    kept[static_cast<std::size_t>(t)] = std::move(mine);
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
/// The same with whole rows.
template <class S, class Index, class Add>
[[nodiscard]] csr_matrix<S, Index> collect_rows(std::int64_t rows, std::int64_t cols,
                                                std::span<const std::int64_t> weights, Add&& add) {
  return collect_rows<S, Index>(rows, cols, weights, add, [](std::span<const entry<S, Index>> row) {
    return static_cast<std::int64_t>(row.size());
  });
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

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Rows of which no two are within two connections of each other, as many as fit: the roots of aggregates.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/interruption.hpp"
#include "base/parallel.hpp"
#include "solve/multigrid/aggregate_steps.hpp"
#include "solve/multigrid/strength.hpp"

namespace lacis::multigrid {

/// All rows of a matrix in one place, column j being row j. Ranks that share a matrix have some rows, the first of them
/// in column first(), and bring what belongs to their ghosts.
struct all_rows_here {
  [[nodiscard]] static std::int64_t first() { return 0; }
  [[nodiscard]] static std::int64_t columns(std::int64_t rows) { return rows; }
  /// The row of the whole matrix that column j is.
  [[nodiscard]] static std::int64_t number(std::int64_t j) { return j; }
  /// One element per column, those of own rows known: the others too.
  template <class Elements> static void bring(Elements&) {}
  /// Whether it is so anywhere.
  [[nodiscard]] static bool any(bool here) { return here; }
};

/// The order in which rows may become roots: the rows of a matrix in blocks, both blocks and the rows of each mixed up.
/// It depends on the number of rows alone. Mixed up, few rows wait for each other, and the set has fewer of them; a
/// block of a matrix is in the last-level cache.
class order_of_rows {
 public:
  explicit order_of_rows(std::int64_t rows) {
    const int bits = std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(rows - 1, 0)));
    bits_in_block_ = std::min(bits, most_bits_in_block);
    bits_of_block_ = bits - bits_in_block_;
  }

  /// The place of row i in the order: below the smallest power of two that is not below the number of rows.
  [[nodiscard]] std::uint64_t place(std::int64_t i) const {
    const auto row = static_cast<std::uint64_t>(i);
    const std::uint64_t in_block = row & ((std::uint64_t{1} << bits_in_block_) - 1);
    return mixed(row >> bits_in_block_, bits_of_block_) << bits_in_block_ | mixed(in_block, bits_in_block_);
  }
  /// visit(i) for all rows below `rows`, in the order.
  template <class Visit> void each(std::int64_t rows, Visit&& visit) const {
    const std::vector<std::uint32_t> in_block = ordered(bits_in_block_);
    for (const std::int64_t block : ordered(bits_of_block_))
      for (const std::int64_t row : in_block)
        if (const std::int64_t i = (block << bits_in_block_) + row; i < rows) visit(i);
  }

 private:
  static constexpr int most_bits_in_block = 17;

  /// A permutation of the numbers of so many bits.
  static std::uint64_t mixed(std::uint64_t x, int bits) {
    const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
    const int half = (bits + 1) / 2;
    for (const std::uint64_t factor : {0x9e3779b97f4a7c15U, 0xbf58476d1ce4e5b9U, 0x94d049bb133111ebU}) {
      x = x * factor & mask;
      x ^= x >> half;
    }
    return x;
  }
  /// Those numbers by their place.
  static std::vector<std::uint32_t> ordered(int bits) {
    std::vector<std::uint32_t> numbers(std::size_t{1} << bits);
    for (std::size_t x = 0; x < numbers.size(); ++x)
      numbers[static_cast<std::size_t>(mixed(x, bits))] = static_cast<std::uint32_t>(x);
    return numbers;
  }

  int bits_in_block_;
  int bits_of_block_;
};

/// The set that has every row, in that order, that is not within two connections of one before it. By one thread; the
/// connections are mutual. root[i] = i for rows of the set, and the rows beside them have that root too; rows that are
/// not undecided take no part.
template <class Index> void sweep(const connections<Index>& strong, buffer<Index>& root) {
  const std::int64_t rows = strong.rows();
  buffer<std::uint8_t> is_out(rows);
  for (std::int64_t i = 0; i < rows; ++i) is_out[i] = root[i] == undecided ? 0 : 1;
  const detail::stop_check stop;
  std::int64_t steps = 0;
  order_of_rows(rows).each(rows, [&](std::int64_t i) {
    stop.at(steps++);
    if (is_out[i] != 0) return;
    root[i] = static_cast<Index>(i);
    is_out[i] = 1;
    for (const Index j : strong.of(i)) {
      root[j] = static_cast<Index>(i);
      is_out[j] = 1;
      for (const Index k : strong.of(j)) is_out[k] = 1;
    }
  });
}

/// The same set by many: rounds of minima over neighbours (Bell, Dalton and Olson 2012). Only integers are compared, so
/// that the set depends on the connections and not on who computes what when. Where connections are not mutual it is
/// another one.
template <class Key, class Index, class Place> class distance_two_set {
 public:
  distance_two_set(const connections<Index>& strong, std::int64_t rows, const Place& place)
      : strong_(strong),
        order_(rows),
        place_(place),
        first_(place.first()),
        state_(place.columns(strong.rows()), out),
        nearest_(state_.size(), out),
        open_(strong.rows()) {}

  /// root[i] = i for rows of the set; rows that are not undecided take no part.
  template <class Root> void find(buffer<Root>& root) {
    begin(root);
    while (place_.any(!open_.empty())) {
      place_.bring(state_);
      keep(live_, [&](Index i) { return (nearest_[first_ + i] = nearest(i)) != out; });
      place_.bring(nearest_);
      keep(open_, [&](Index i) { return stays_open(i); });
    }
    detail::parallel_for(root.size(), [&](std::int64_t i) {
      if (state_[first_ + i] == in) root[i] = static_cast<Root>(place_.number(first_ + i));
    });
  }

 private:
  static constexpr Key in = 0;
  static constexpr Key out = static_cast<Key>(-1);
  static constexpr Key neutral = out - 1;  ///< nearest to rows without connections: it decides nothing

  template <class Root> void begin(const buffer<Root>& root) {
    detail::parallel_for(root.size(), [&](std::int64_t i) {
      if (strong_.count[i] == 0) nearest_[first_ + i] = neutral;
      if (root[i] == undecided) state_[first_ + i] = static_cast<Key>(order_.place(place_.number(first_ + i)) + 1);
      open_[static_cast<std::size_t>(i)] = static_cast<Index>(i);
    });
    keep(open_, [&](Index i) { return root[i] == undecided; });
    live_ = open_;
  }

  /// The first place in the order of row i and its neighbours; `out` beside a row of the set.
  [[nodiscard]] Key nearest(Index i) const {
    Key smallest = state_[first_ + i];
    for (const Index j : strong_.of(i)) smallest = std::min(smallest, state_[j]);
    return smallest == in ? out : smallest;
  }

  /// In where no row within two connections is before it; out beside a neighbour of a row of the set. What
  /// neighbours say cannot be foretold, so nothing branches on it.
  bool stays_open(Index i) {
    const Key mine = state_[first_ + i];
    Key smallest = nearest_[first_ + i];
    Key largest = smallest;
    for (const Index j : strong_.of(i)) {
      smallest = std::min(smallest, nearest_[j]);
      largest = std::max(largest, nearest_[j]);
    }
    const Key decided = smallest >= mine ? in : mine;
    state_[first_ + i] = largest == out ? out : decided;
    return largest != out && smallest < mine;
  }

  /// Visits rows and leaves those for which is_kept(row), in their order.
  template <class Keep> static void keep(std::vector<Index>& rows, Keep&& is_kept) {
    const auto size = static_cast<std::int64_t>(rows.size());
    std::vector<std::int64_t> kept(static_cast<std::size_t>(detail::threads_for_work(4 * size)));
    const auto parts = static_cast<int>(kept.size());
    detail::on_threads(parts, [&](int t, int) {
      const std::int64_t begin = detail::even_cut(size, t, parts);
      const std::int64_t end = detail::even_cut(size, t + 1, parts);
      std::int64_t to = begin;
      for (auto k = begin; k < end; ++k) {
        const Index i = rows[static_cast<std::size_t>(k)];
        rows[static_cast<std::size_t>(to)] = i;
        to += is_kept(i) ? 1 : 0;
      }
      kept[static_cast<std::size_t>(t)] = to - begin;
    });
    std::int64_t all = kept[0];
    for (int t = 1; t < parts; ++t) {
      const auto from = rows.begin() + detail::even_cut(size, t, parts);
      std::copy(from, from + kept[static_cast<std::size_t>(t)], rows.begin() + all);
      all += kept[static_cast<std::size_t>(t)];
    }
    rows.resize(static_cast<std::size_t>(all));
  }

  const connections<Index>& strong_;
  order_of_rows order_;
  const Place& place_;
  std::int64_t first_;
  buffer<Key> state_;
  buffer<Key> nearest_;
  std::vector<Index> open_;  ///< not decided
  std::vector<Index> live_;  ///< beside one that may not be
};

/// `rows`: of the whole matrix.
template <class Index, class Place, class Root>
void independent_set(const connections<Index>& strong, std::int64_t rows, const Place& place, buffer<Root>& root) {
  if (rows <= std::numeric_limits<std::int32_t>::max())
    distance_two_set<std::uint32_t, Index, Place>(strong, rows, place).find(root);
  else
    distance_two_set<std::uint64_t, Index, Place>(strong, rows, place).find(root);
}

}  // namespace lacis::multigrid

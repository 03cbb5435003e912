// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Rows of which no two are within two connections of each other, as many as fit: the roots of aggregates.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/parallel.hpp"
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

/// Rounds of minima over neighbours (Bell, Dalton and Olson 2012): only integers are compared, so that the set depends
/// on the connections and not on who computes what when. Priorities are fresh in each round.
template <class Key, class Index, class Place> class distance_two_set {
 public:
  distance_two_set(const connections<Index>& strong, const Place& place)
      : strong_(strong),
        place_(place),
        first_(place.first()),
        state_(place.columns(strong.rows()), out),
        nearest_(state_.size(), out),
        open_(strong.rows()) {}

  /// root[i] = i for rows of the set; rows that are not undecided take no part. The number of rounds.
  template <class Root> int find(buffer<Root>& root) {
    begin(root);
    int round = 0;
    for (; place_.any(!open_.empty()); ++round) {
      each(open_, [&](Index i) { state_[first_ + i] = priority(place_.number(first_ + i), round); });
      place_.bring(state_);
      keep(live_, [&](Index i) { return (nearest_[first_ + i] = nearest(i)) != out; });
      place_.bring(nearest_);
      keep(open_, [&](Index i) { return stays_open(i); });
    }
    detail::parallel_for(root.size(), [&](std::int64_t i) {
      if (state_[first_ + i] == in) root[i] = static_cast<Root>(place_.number(first_ + i));
    });
    return round;
  }

 private:
  static constexpr Key in = 0;
  static constexpr Key out = static_cast<Key>(-1);
  static constexpr Key neutral = out - 1;  ///< nearest to rows without connections: it decides nothing

  template <class Root> void begin(const buffer<Root>& root) {
    detail::parallel_for(root.size(), [&](std::int64_t i) {
      if (strong_.count[i] == 0) nearest_[first_ + i] = neutral;
      open_[static_cast<std::size_t>(i)] = static_cast<Index>(i);
    });
    keep(open_, [&](Index i) { return root[i] == -2; });
    live_ = open_;
  }

  /// Mixes the bits of a number: one to one.
  static Key mixed(Key x) {
    if constexpr (sizeof(Key) == 4) {
      x = (x ^ x >> 16) * 0x85ebca6bU;
      x = (x ^ x >> 13) * 0xc2b2ae35U;
      return x ^ x >> 16;
    } else {
      x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
      x = (x ^ x >> 27) * 0x94d049bb133111ebU;
      return x ^ x >> 31;
    }
  }
  /// Different for different rows, and neither `in` nor `out`: where the permutation of all numbers leads to one of
  /// these two it is followed on.
  static Key priority(std::int64_t i, int round) {
    const Key salt = mixed(static_cast<Key>(round) * 2 + 1);
    auto x = static_cast<Key>(i + 1);
    do x = mixed(x ^ salt);
    while (x == in || x == out);
    return x;
  }

  /// The smallest priority of row i and its neighbours; `out` beside a row of the set.
  [[nodiscard]] Key nearest(Index i) const {
    Key smallest = state_[first_ + i];
    for (const Index j : strong_.of(i)) smallest = std::min(smallest, state_[j]);
    return smallest == in ? out : smallest;
  }

  /// In where no row within two connections has a smaller priority; out beside a neighbour of a row of the set. What
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

  template <class Work> void each(const std::vector<Index>& rows, Work&& work) {
    const auto size = static_cast<std::int64_t>(rows.size());
    detail::on_threads(detail::threads_for_work(4 * size), [&](int t, int threads) {
      const std::int64_t end = detail::even_cut(size, t + 1, threads);
      for (auto k = detail::even_cut(size, t, threads); k < end; ++k) work(rows[static_cast<std::size_t>(k)]);
    });
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
  const Place& place_;
  std::int64_t first_;
  buffer<Key> state_;
  buffer<Key> nearest_;
  std::vector<Index> open_;  ///< not decided
  std::vector<Index> live_;  ///< beside one that may not be
};

/// `rows`: of the whole matrix. Their number alone decides how wide priorities are, so that the set does not depend on
/// the type of indices.
template <class Index, class Place, class Root>
int independent_set(const connections<Index>& strong, std::int64_t rows, const Place& place, buffer<Root>& root) {
  if (rows <= std::numeric_limits<std::int32_t>::max())
    return distance_two_set<std::uint32_t, Index, Place>(strong, place).find(root);
  return distance_two_set<std::uint64_t, Index, Place>(strong, place).find(root);
}

}  // namespace lacis::multigrid

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Rows of which no two are within two connections of each other, as many as fit: the roots of aggregates.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "base/parallel.hpp"
#include "solve/multigrid/strength.hpp"

namespace lacis::multigrid {

/// Rounds of minima over neighbours (Bell, Dalton and Olson 2012): only integers are compared, so that the set depends
/// on the connections and not on who computes what when. Priorities are fresh in each round.
template <class Index> class distance_two_set {
 public:
  explicit distance_two_set(const connections<Index>& strong)
      : strong_(strong), state_(strong.rows()), nearest_(strong.rows()), open_(strong.rows()), live_(strong.rows()) {}

  /// root[i] = i for rows of the set; rows that are not undecided take no part. The number of rounds.
  int find(buffer<Index>& root) {
    begin(root);
    int round = 0;
    for (; !open_.empty(); ++round) {
      each(open_, [&](Index i) { state_[i] = priority(i, round); });
      each(live_, [&](Index i) { nearest_[i] = nearest(i); });
      each(open_, [&](Index i) { decide(i); });
      keep(open_, [&](Index i) { return state_[i] != in && state_[i] != out; });
      keep(live_, [&](Index i) { return nearest_[i] != out; });
    }
    detail::parallel_for(root.size(), [&](std::int64_t i) {
      if (state_[i] == in) root[i] = static_cast<Index>(i);
    });
    return round;
  }

 private:
  using key = std::make_unsigned_t<Index>;
  static constexpr key in = 0;
  static constexpr key out = static_cast<key>(-1);

  void begin(const buffer<Index>& root) {
    detail::parallel_for(root.size(), [&](std::int64_t i) {
      state_[i] = nearest_[i] = out;
      open_[static_cast<std::size_t>(i)] = live_[static_cast<std::size_t>(i)] = static_cast<Index>(i);
    });
    keep(open_, [&](Index i) { return root[i] == -2; });
    live_ = open_;
  }

  /// Mixes the bits of a number: one to one.
  static key mixed(key x) {
    if constexpr (sizeof(key) == 4) {
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
  static key priority(Index i, int round) {
    const key salt = mixed(static_cast<key>(round) * 2 + 1);
    auto x = static_cast<key>(i + 1);
    do x = mixed(x ^ salt);
    while (x == in || x == out);
    return x;
  }

  /// The smallest priority of row i and its neighbours; `out` beside a row of the set.
  [[nodiscard]] key nearest(Index i) const {
    key smallest = state_[i];
    for (const Index j : strong_.of(i)) smallest = std::min(smallest, state_[j]);
    return smallest == in ? out : smallest;
  }

  /// In where no row within two connections has a smaller priority; out beside a neighbour of a row of the set.
  void decide(Index i) {
    const key mine = state_[i];
    bool is_first = nearest_[i] >= mine;
    bool is_out = nearest_[i] == out;
    for (const Index j : strong_.of(i)) {
      if (strong_.count[j] == 0) continue;
      is_out = is_out || nearest_[j] == out;
      is_first = is_first && nearest_[j] >= mine;
    }
    if (is_out)
      state_[i] = out;
    else if (is_first)
      state_[i] = in;
  }

  template <class Work> void each(const std::vector<Index>& rows, Work&& work) {
    const auto size = static_cast<std::int64_t>(rows.size());
    detail::on_threads(detail::threads_for_work(4 * size), [&](int t, int threads) {
      for (auto k = detail::even_cut(size, t, threads); k < detail::even_cut(size, t + 1, threads); ++k)
        work(rows[static_cast<std::size_t>(k)]);
    });
  }
  template <class Keep> static void keep(std::vector<Index>& rows, Keep&& is_kept) {
    rows.resize(static_cast<std::size_t>(
        std::remove_if(rows.begin(), rows.end(), [&](Index i) { return !is_kept(i); }) - rows.begin()));
  }

  const connections<Index>& strong_;
  buffer<key> state_;
  buffer<key> nearest_;
  std::vector<Index> open_;  ///< not decided
  std::vector<Index> live_;  ///< beside one that may not be
};

template <class Index> int independent_set(const connections<Index>& strong, buffer<Index>& root) {
  return distance_two_set<Index>(strong).find(root);
}

}  // namespace lacis::multigrid

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The two trees: lanes joined by halving, and neighbours paired, as a whole, as a stream, and in adjacent ranges.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include <lacis/error.hpp>

#include "base/text.hpp"
#include "summation/arithmetic.hpp"

namespace lacis::summation {

/// Lane t takes in lane t + width / 2, for each t below width / 2, until one is left; the number of lanes is a power of
/// two. Overwrites the lanes.
template <value T> [[nodiscard]] T join_by_halving(std::span<T> lanes) {
  for (std::size_t half = lanes.size() / 2; half > 0; half /= 2)
    for (std::size_t t = 0; t < half; ++t) lanes[t] = add(lanes[t], lanes[t + half]);
  return lanes[0];
}

/// The neighbour tree, by definition: nodes 2k and 2k + 1 become node k of the next level, an odd last node passes up
/// unchanged, until one is left. No nodes give +0.
template <value T> [[nodiscard]] T neighbour_tree(std::span<const T> leaves) {
  std::vector<T> level(leaves.begin(), leaves.end());
  if (level.empty()) return T{};
  while (level.size() > 1) {
    const std::size_t pairs = level.size() / 2;
    for (std::size_t k = 0; k < pairs; ++k) level[k] = add(level[2 * k], level[2 * k + 1]);
    if (level.size() % 2 == 1) level[pairs] = level.back();
    level.resize((level.size() + 1) / 2);
  }
  return level[0];
}

/// Leaves first .. last of a neighbour tree, reduced as far as that can be done without knowing the leaves outside: to
/// the fewest nodes that are complete (2^level leaves from a multiple of 2^level on). Ranges that touch join to the
/// range that both cover, whatever the cuts were, so threads and ranks may each take a part; a range that starts at
/// leaf 0 is also the accumulator of a stream. At most 126 nodes, trivially copyable: ready to be sent.
template <value T> class node_range {
 public:
  /// No leaves yet; the first to be appended is leaf `first`.
  explicit node_range(std::int64_t first = 0) : first_(first), last_(first) {}

  [[nodiscard]] std::int64_t first() const { return first_; }
  [[nodiscard]] std::int64_t last() const { return last_; }
  [[nodiscard]] int nodes() const { return count_; }

  /// Takes in leaf last().
  void append(T leaf) { append(node{last_, 0, leaf}); }

  /// Takes in the range that begins where this one ends.
  void append(const node_range& next) {
    if (next.first_ != last_)
      throw error(errc::invalid_argument, detail::text("leaves from ", next.first_, " on do not continue leaves up to ",
                                                       last_, "; join ranges in ascending order without gaps"));
    for (int k = 0; k < next.count_; ++k) append(next.nodes_[static_cast<std::size_t>(k)]);
  }

  /// The sum of the tree that has exactly these leaves; the range must begin at leaf 0. Smaller nodes lie further
  /// right, so passing odd nodes up is joining from the right.
  [[nodiscard]] T total() const {
    if (first_ != 0)
      throw error(errc::invalid_argument,
                  detail::text("the leaves before ", first_, " are missing; join the ranges that hold them first"));
    if (count_ == 0) return T{};
    T sum = nodes_[static_cast<std::size_t>(count_ - 1)].sum;
    for (int k = count_ - 2; k >= 0; --k) sum = add(nodes_[static_cast<std::size_t>(k)].sum, sum);
    return sum;
  }

 private:
  struct node {
    std::int64_t first;
    std::int64_t level;
    T sum;
  };

  void append(node right) {
    last_ = right.first + (std::int64_t{1} << right.level);
    while (count_ > 0) {
      const node& left = nodes_[static_cast<std::size_t>(count_ - 1)];
      const bool left_is_even = (left.first >> left.level) % 2 == 0;
      if (left.level != right.level || !left_is_even) break;
      right = {left.first, left.level + 1, add(left.sum, right.sum)};
      --count_;
    }
    nodes_[static_cast<std::size_t>(count_++)] = right;
  }

  std::int64_t first_;
  std::int64_t last_;
  std::array<node, 126> nodes_;
  int count_ = 0;
};

static_assert(std::is_trivially_copyable_v<node_range<std::complex<double>>>);

}  // namespace lacis::summation

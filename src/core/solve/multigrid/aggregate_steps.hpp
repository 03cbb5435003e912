// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Steps of aggregation for rows that one process has, all of them or some: ghosts are columns without a row.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <lacis/buffer.hpp>

#include "base/text.hpp"
#include "solve/multigrid/strength.hpp"

namespace lacis::multigrid {

// What the root of a row may be instead of a row.
inline constexpr std::int64_t undecided = -2;
inline constexpr std::int64_t alone = -1;

/// The least share of connections that stay inside of ranges for which these are gone through in order.
inline constexpr double least_share_inside = 0.95;

/// Rows of a range: they depend on the size of the matrix alone. Few enough that aggregates are rarely cut, enough for
/// many threads; a multiple of what one rank may own.
[[nodiscard]] inline std::int64_t rows_of_range(std::int64_t rows) {
  constexpr std::int64_t ranges = 32;
  constexpr std::int64_t multiple = 4096;
  return std::max<std::int64_t>(1, (rows / ranges + multiple - 1) / multiple) * multiple;
}

[[nodiscard]] inline std::string words_for_greedy(std::int64_t rows) {
  return detail::text("greedily, in ranges of ", rows_of_range(rows), " rows");
}
[[nodiscard]] inline std::string words_for_independent() { return "around an independent set"; }

/// The aggregate beside row i to which it is connected most strongly; then the smallest, then the first. `root` has the
/// root of every column, size(j) is the size of the aggregate that column j is in. `undecided` where there is none.
template <class Index, class Root, class Size> class neighbours {
 public:
  neighbours(const connections<Index>& strong, const buffer<Root>& root, Size size)
      : strong_(strong), root_(root), size_(std::move(size)) {}

  [[nodiscard]] Root best_for(std::int64_t i) {
    found_.clear();
    const auto columns = strong_.of(i);
    weights_.resize(columns.size());
    strong_.magnitudes(i, columns, weights_.data());
    for (std::size_t e = 0; e < columns.size(); ++e) {
      const Root root = root_[columns[e]];
      if (root < 0) continue;
      const auto known = std::find_if(found_.begin(), found_.end(), [&](const one& c) { return c.root == root; });
      if (known == found_.end())
        found_.push_back({root, weights_[e], columns[e]});
      else
        known->weight += weights_[e];
    }
    if (found_.empty()) return static_cast<Root>(undecided);
    const one* best = found_.data();
    for (const one& c : found_)
      if (is_better(c, *best)) best = &c;
    return best->root;
  }

 private:
  struct one {
    Root root;
    float weight;
    Index column;
  };
  [[nodiscard]] bool is_better(const one& a, const one& b) const {
    if (a.weight != b.weight) return a.weight > b.weight;
    const auto size_of_a = size_(a.column);
    const auto size_of_b = size_(b.column);
    return size_of_a != size_of_b ? size_of_a < size_of_b : a.root < b.root;
  }

  const connections<Index>& strong_;
  const buffer<Root>& root_;
  Size size_;
  std::vector<one> found_;
  std::vector<float> weights_;
};

/// In the order of rows: a row of the range becomes a root where none of its neighbours in the range has one yet
/// (`whole`), or with those that have none.
template <class Index>
void go_through(const connections<Index>& strong, std::int64_t first, std::int64_t last, bool whole,
                buffer<Index>& root) {
  const auto is_here = [&](Index j) { return j >= first && j < last; };
  for (std::int64_t i = first; i < last; ++i) {
    if (root[i] != undecided) continue;
    const auto columns = strong.of(i);
    if (whole && std::any_of(columns.begin(), columns.end(), [&](Index j) { return is_here(j) && root[j] >= 0; }))
      continue;
    root[i] = static_cast<Index>(i);
    for (const Index j : columns)
      if (is_here(j) && root[j] == undecided) root[j] = static_cast<Index>(i);
  }
}

}  // namespace lacis::multigrid

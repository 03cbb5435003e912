// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/multigrid/aggregate.hpp"

#include <algorithm>
#include <atomic>
#include <vector>

#include "base/parallel.hpp"
#include "base/pieces.hpp"
#include "base/text.hpp"
#include "solve/multigrid/independent_set.hpp"

namespace lacis::multigrid {
namespace {

constexpr std::int64_t undecided = -2;
constexpr std::int64_t alone = -1;

/// Rows of a range: they depend on the size of the matrix alone. Few enough that aggregates are rarely cut, enough for
/// many threads; a multiple of what one rank may own.
std::int64_t rows_of_range(std::int64_t rows) {
  constexpr std::int64_t ranges = 32;
  constexpr std::int64_t multiple = 4096;
  return std::max<std::int64_t>(1, (rows / ranges + multiple - 1) / multiple) * multiple;
}

/// work(first, last) for every range of rows, on several threads.
template <class Index, class Work> void each_range(const connections<Index>& strong, Work&& work) {
  const std::int64_t rows = strong.rows();
  const std::int64_t size = rows_of_range(rows);
  detail::parallel_pieces((rows + size - 1) / size, rows + strong.columns.size(),
                          [&](std::int64_t range) { work(range * size, std::min((range + 1) * size, rows)); });
}

/// Rows without strong entries are alone, the others have no root yet.
template <class Index> buffer<Index> no_roots(const connections<Index>& strong) {
  buffer<Index> root(strong.rows());
  detail::parallel_for(strong.rows(),
                       [&](std::int64_t i) { root[i] = static_cast<Index>(strong.count[i] > 0 ? undecided : alone); });
  return root;
}

/// The aggregate beside row i to which it is connected most strongly; then the smallest, then the first. `size` is that
/// of aggregates by their root. `undecided` where there is none.
template <class Index> class neighbours {
 public:
  neighbours(const connections<Index>& strong, const buffer<Index>& root, const buffer<Index>& size)
      : strong_(strong), root_(root), size_(size) {}

  [[nodiscard]] Index best_for(std::int64_t i) {
    roots_.clear();
    weights_.clear();
    const auto columns = strong_.of(i);
    const float* const weights = strong_.weights.data() + strong_.begin[static_cast<std::size_t>(i)];
    for (std::size_t e = 0; e < columns.size(); ++e) {
      const Index root = root_[columns[e]];
      if (root < 0) continue;
      const auto known = std::find(roots_.begin(), roots_.end(), root);
      if (known == roots_.end()) {
        roots_.push_back(root);
        weights_.push_back(weights[e]);
      } else {
        weights_[static_cast<std::size_t>(known - roots_.begin())] += weights[e];
      }
    }
    if (roots_.empty()) return static_cast<Index>(undecided);
    std::size_t best = 0;
    for (std::size_t c = 1; c < roots_.size(); ++c)
      if (is_better(c, best)) best = c;
    return roots_[best];
  }

 private:
  [[nodiscard]] bool is_better(std::size_t one, std::size_t other) const {
    if (weights_[one] != weights_[other]) return weights_[one] > weights_[other];
    const Index size = size_[roots_[one]];
    const Index other_size = size_[roots_[other]];
    return size != other_size ? size < other_size : roots_[one] < roots_[other];
  }

  const connections<Index>& strong_;
  const buffer<Index>& root_;
  const buffer<Index>& size_;
  std::vector<Index> roots_;
  std::vector<float> weights_;
};

/// Rows that have no root yet join an aggregate beside them, if there is one.
template <class Index> void join_neighbours(const connections<Index>& strong, buffer<Index>& root) {
  const std::int64_t rows = strong.rows();
  buffer<Index> size(rows, 0);
  for (std::int64_t i = 0; i < rows; ++i)
    if (root[i] >= 0) ++size[root[i]];
  const buffer<Index> before = root;
  detail::parallel_rows(strong.begin, [&](std::int64_t begin, std::int64_t end) {
    neighbours<Index> beside(strong, before, size);
    for (std::int64_t i = begin; i < end; ++i)
      if (before[i] == undecided) root[i] = beside.best_for(i);
  });
}

/// Numbers the roots in the order of their rows.
template <class Index> aggregates<Index> numbered(buffer<Index> root, std::string how) {
  const std::int64_t rows = root.size();
  aggregates<Index> all;
  buffer<Index> number(rows);
  for (std::int64_t i = 0; i < rows; ++i) number[i] = static_cast<Index>(root[i] == i ? all.count++ : alone);
  detail::parallel_for(rows,
                       [&](std::int64_t i) { root[i] = root[i] < 0 ? static_cast<Index>(alone) : number[root[i]]; });
  all.of = std::move(root);
  all.how = std::move(how);
  return all;
}

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

/// The share of connections that stay inside of ranges.
template <class Index> double share_inside(const connections<Index>& strong) {
  std::atomic<std::int64_t> inside = 0;
  std::atomic<std::int64_t> all = 0;
  each_range(strong, [&](std::int64_t first, std::int64_t last) {
    std::int64_t mine = 0;
    std::int64_t total = 0;
    for (std::int64_t i = first; i < last; ++i) {
      total += strong.count[i];
      for (const Index j : strong.of(i)) mine += j >= first && j < last ? 1 : 0;
    }
    inside += mine;
    all += total;
  });
  return all == 0 ? 1 : static_cast<double>(inside) / static_cast<double>(all);
}

}  // namespace

template <class Index> aggregates<Index> aggregate_greedily(const connections<Index>& strong) {
  buffer<Index> root = no_roots(strong);
  each_range(strong, [&](std::int64_t first, std::int64_t last) { go_through(strong, first, last, true, root); });
  join_neighbours(strong, root);
  each_range(strong, [&](std::int64_t first, std::int64_t last) { go_through(strong, first, last, false, root); });
  return numbered(std::move(root), detail::text("greedily, in ranges of ", rows_of_range(strong.rows()), " rows"));
}

template <class Index> aggregates<Index> aggregate_independently(const connections<Index>& strong) {
  buffer<Index> root = no_roots(strong);
  const int rounds = independent_set(strong, root);
  const buffer<Index> roots = root;
  detail::parallel_rows(strong.begin, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      if (roots[i] != undecided) continue;
      for (const Index j : strong.of(i))
        if (roots[j] == j) {
          root[i] = j;
          break;
        }
    }
  });
  join_neighbours(strong, root);
  go_through(strong, 0, strong.rows(), false, root);  // where connections are not symmetric some may be left
  return numbered(std::move(root), detail::text("around an independent set, found in ", rounds, " rounds"));
}

template <class Index> aggregates<Index> aggregate(const connections<Index>& strong) {
  constexpr double least = 0.95;
  return share_inside(strong) >= least ? aggregate_greedily(strong) : aggregate_independently(strong);
}

template aggregates<std::int32_t> aggregate(const connections<std::int32_t>&);
template aggregates<std::int64_t> aggregate(const connections<std::int64_t>&);
template aggregates<std::int32_t> aggregate_greedily(const connections<std::int32_t>&);
template aggregates<std::int64_t> aggregate_greedily(const connections<std::int64_t>&);
template aggregates<std::int32_t> aggregate_independently(const connections<std::int32_t>&);
template aggregates<std::int64_t> aggregate_independently(const connections<std::int64_t>&);

}  // namespace lacis::multigrid

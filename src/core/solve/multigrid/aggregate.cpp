// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/multigrid/aggregate.hpp"

#include <algorithm>
#include <atomic>

#include "base/interruption.hpp"
#include "base/parallel.hpp"
#include "base/pieces.hpp"
#include "solve/multigrid/aggregate_steps.hpp"
#include "solve/multigrid/independent_set.hpp"
#include "summation/hash.hpp"

namespace lacis::multigrid {
namespace {

/// One thread's sweep takes as long as the rounds of about so many.
constexpr int most_threads_of_sweep = 6;

/// work(first, last) for every range of rows, on several threads.
template <class Index, class Work> void each_range(const connections<Index>& strong, Work&& work) {
  const std::int64_t rows = strong.rows();
  const std::int64_t size = rows_of_range(rows);
  const detail::stop_check stop;
  detail::parallel_pieces((rows + size - 1) / size, rows + strong.columns.size(), [&](std::int64_t range) {
    stop();
    work(range * size, std::min((range + 1) * size, rows));
  });
}

/// Rows without strong entries are alone, the others have no root yet.
template <class Index> buffer<Index> no_roots(const connections<Index>& strong) {
  buffer<Index> root(strong.rows());
  detail::parallel_for(strong.rows(),
                       [&](std::int64_t i) { root[i] = static_cast<Index>(strong.count[i] > 0 ? undecided : alone); });
  return root;
}

/// Rows that have no root yet join an aggregate beside them, if there is one.
template <class Index> void join_neighbours(const connections<Index>& strong, buffer<Index>& root) {
  const std::int64_t rows = strong.rows();
  buffer<Index> size(rows, 0);
  for (std::int64_t i = 0; i < rows; ++i)
    if (root[i] >= 0) ++size[root[i]];
  const buffer<Index> before = root;
  const detail::stop_check stop;
  detail::parallel_rows(strong.begin, [&](std::int64_t begin, std::int64_t end) {
    neighbours beside(strong, before, [&](Index j) { return size[before[j]]; });
    for (std::int64_t i = begin; i < end; ++i) {
      stop.at(i);
      if (before[i] == undecided) root[i] = beside.best_for(i);
    }
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

/// Whether i is strong in row j wherever j is strong in row i. What is on one side of the diagonal is compared with
/// what is on the other by sums of hashes of 64 bits.
template <class Index> bool are_mutual(const connections<Index>& strong) {
  std::atomic<std::uint64_t> difference = 0;
  each_range(strong, [&](std::int64_t first, std::int64_t last) {
    std::uint64_t sum = 0;
    for (std::int64_t i = first; i < last; ++i)
      for (const Index j : strong.of(i)) {
        const auto smaller = static_cast<std::uint64_t>(std::min<std::int64_t>(i, j));
        const auto larger = static_cast<std::uint64_t>(std::max<std::int64_t>(i, j));
        const bool is_wide = sizeof(Index) > sizeof(std::int32_t);
        const std::uint64_t hash = summation::mix((is_wide ? summation::mix(smaller) : smaller << 32) + larger);
        sum += i < j ? hash : -hash;
      }
    difference += sum;
  });
  return difference == 0;
}

}  // namespace

template <class Index> aggregates<Index> aggregate_greedily(const connections<Index>& strong) {
  buffer<Index> root = no_roots(strong);
  each_range(strong, [&](std::int64_t first, std::int64_t last) { go_through(strong, first, last, true, root); });
  join_neighbours(strong, root);
  each_range(strong, [&](std::int64_t first, std::int64_t last) { go_through(strong, first, last, false, root); });
  return numbered(std::move(root), words_for_greedy(strong.rows()));
}

template <class Index> aggregates<Index> aggregate_independently(const connections<Index>& strong, bool by_sweep) {
  buffer<Index> root = no_roots(strong);
  if (by_sweep) {
    sweep(strong, root);
  } else {
    independent_set(strong, strong.rows(), all_rows_here{}, root);
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
  }
  join_neighbours(strong, root);
  go_through(strong, 0, strong.rows(), false, root);  // where connections are not mutual some may be left
  return numbered(std::move(root), words_for_independent());
}

template <class Index> aggregates<Index> aggregate(const connections<Index>& strong, bool mutual) {
  if (share_inside(strong) >= least_share_inside) return aggregate_greedily(strong);
  const bool by_sweep = detail::thread_count() <= most_threads_of_sweep && (mutual || are_mutual(strong));
  return aggregate_independently(strong, by_sweep);
}

template aggregates<std::int32_t> aggregate(const connections<std::int32_t>&, bool);
template aggregates<std::int64_t> aggregate(const connections<std::int64_t>&, bool);
template aggregates<std::int32_t> aggregate_greedily(const connections<std::int32_t>&);
template aggregates<std::int64_t> aggregate_greedily(const connections<std::int64_t>&);
template aggregates<std::int32_t> aggregate_independently(const connections<std::int32_t>&, bool);
template aggregates<std::int64_t> aggregate_independently(const connections<std::int64_t>&, bool);

}  // namespace lacis::multigrid

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Vectors in the blocks that sums are taken in: shared among threads, and summed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "cpu/launch.hpp"
#include "cpu/vector/kernels.hpp"
#include "summation/tree.hpp"

namespace lacis::cpu {

/// work(thread, first, last) for the blocks of each thread, in a vector of `count` elements.
template <class Work> void on_blocks(const launch& how, std::int64_t count, Work&& work) {
  const std::int64_t blocks = summation::chunks_of(count, block_size);
  run(how, [&](int thread, int threads) {
    work(thread, detail::even_cut(blocks, thread, threads), detail::even_cut(blocks, thread + 1, threads));
  });
}

/// The element at which a block begins; the vector's end for the block behind the last.
inline std::int64_t begin_of(std::int64_t block, std::int64_t count) { return std::min(block * block_size, count); }

/// sum(begin, size) of every block as leaves of a neighbour tree, of which the first is leaf `first`. `others` is
/// memory for what all threads but one have.
template <class T, class Sum>
summation::node_range<T> nodes_of_blocks(const launch& how, std::int64_t count, std::int64_t first,
                                         std::span<summation::node_range<T>> others, Sum&& sum) {
  const summation::rounding_guard guard;
  summation::node_range<T> all(first);
  on_blocks(how, count, [&](int thread, std::int64_t begin_block, std::int64_t end_block) {
    summation::node_range<T>& part = thread == 0 ? all : others[static_cast<std::size_t>(thread - 1)];
    if (thread > 0) part = summation::node_range<T>(first + begin_block);
    for (std::int64_t block = begin_block; block < end_block; ++block) {
      const std::int64_t begin = begin_of(block, count);
      part.append(sum(begin, begin_of(block + 1, count) - begin));
    }
  });
  for (const auto& part : others) all.append(part);
  return all;
}
template <class T, class Sum>
summation::node_range<T> nodes_of_blocks(const launch& how, std::int64_t count, std::int64_t first, Sum&& sum) {
  std::vector<summation::node_range<T>> others(static_cast<std::size_t>(how.threads - 1));
  return nodes_of_blocks<T>(how, count, first, std::span(others), sum);
}

/// The neighbour tree over sum(begin, size) of every block.
template <class T, class Sum> T sum_of_blocks(const launch& how, std::int64_t count, Sum&& sum) {
  if (count > 0 && count <= block_size) {
    const summation::rounding_guard guard;
    return sum(0, count);
  }
  const auto nodes = nodes_of_blocks<T>(how, count, 0, sum);
  const summation::rounding_guard guard;
  return nodes.total();
}

}  // namespace lacis::cpu

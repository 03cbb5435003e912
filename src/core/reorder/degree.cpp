// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// By falling number of entries in the column: the elements of x that are read most often come to lie together.
#include <algorithm>
#include <limits>
#include <vector>

#include "base/parallel.hpp"
#include "base/radix.hpp"
#include "reorder/orders.hpp"

namespace lacis::detail {
namespace {

/// How many of some entries each column has, in one byte per column, which stays in cache where an integer would not.
template <index Index> struct byte_counts {
  buffer<std::uint8_t> rest;    ///< the number modulo 256
  std::vector<Index> overflow;  ///< a column for each 256 of its entries

  byte_counts() = default;
  byte_counts(std::span<const Index> columns, std::int64_t cols) : rest(cols, 0) {
    for (const Index j : columns)
      if (++rest[j] == 0) overflow.push_back(j);
  }
};

/// How many entries each column has. Each part of the entries is counted for itself; there are so few parts that their
/// counters take no more memory than the entries.
template <class Count, index Index> buffer<Count> count_columns(const pattern_view<Index>& a) {
  const std::int64_t useful = a.nnz() / std::max<std::int64_t>(1, a.cols);
  const int parts = static_cast<int>(std::clamp<std::int64_t>(useful, 1, threads_for(a.nnz())));
  std::vector<byte_counts<Index>> counts(static_cast<std::size_t>(parts));
  on_threads(parts, [&](int t, int) {
    const std::int64_t begin = even_cut(a.nnz(), t, parts);
    const std::int64_t end = even_cut(a.nnz(), t + 1, parts);
    counts[static_cast<std::size_t>(t)] = {
        a.columns.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)), a.cols};
  });
  buffer<Count> total(a.cols);
  parallel_for(a.cols, [&](std::int64_t j) {
    Count sum = 0;
    for (const auto& part : counts) sum += part.rest[j];
    total[j] = sum;
  });
  for (const auto& part : counts)
    for (const Index j : part.overflow) total[j] += 256;
  return total;
}

template <class Count, index Index> buffer<std::int64_t> by_falling_count(const pattern_view<Index>& a) {
  const buffer<Count> count = count_columns<Count>(a);
  const std::int64_t most =
      count.empty() ? 0 : static_cast<std::int64_t>(*std::max_element(count.begin(), count.end()));
  return order_by_key<std::int64_t>(a.cols, most,
                                    [&](std::int64_t j) { return most - static_cast<std::int64_t>(count[j]); });
}

}  // namespace

template <class Index> buffer<std::int64_t> degree_order(const pattern_view<Index>& a) {
  return a.nnz() <= std::numeric_limits<std::int32_t>::max() ? by_falling_count<std::int32_t>(a)
                                                             : by_falling_count<std::int64_t>(a);
}

template buffer<std::int64_t> degree_order(const pattern_view<std::int32_t>&);
template buffer<std::int64_t> degree_order(const pattern_view<std::int64_t>&);

}  // namespace lacis::detail

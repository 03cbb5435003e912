// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Sums of rows whose entries are contiguous, over a kernel for chunks.
#pragma once

#include <algorithm>
#include <cstdint>

#include "cpu/spmv/kernels.hpp"
#include "summation/arithmetic.hpp"
#include "summation/tree.hpp"

namespace lacis::cpu {

/// Fetches what will be read fetch_distance bytes after the values of a row, and half of that after its columns.
template <bool Iso, class A, class Index, class X>
[[gnu::always_inline]] inline void fetch_ahead(const operand<A, Index, X>& e, std::int64_t first, std::int64_t last) {
  constexpr std::int64_t line = 64;
  for (std::int64_t k = first; !Iso && k < last; k += line / static_cast<std::int64_t>(sizeof(A)))
    __builtin_prefetch(reinterpret_cast<const char*>(e.values + k) + fetch_distance);
  for (std::int64_t k = first; k < last; k += line / static_cast<std::int64_t>(sizeof(Index)))
    __builtin_prefetch(reinterpret_cast<const char*>(e.columns + k) + fetch_distance / 2);
}

/// At most short_limit entries, left to right.
template <bool Iso, class A, class Index, class X>
[[nodiscard]] inline product_of<A, X> short_sum(const operand<A, Index, X>& e, std::int64_t first, std::int64_t last) {
  using T = product_of<A, X>;
  T sum{};
  for (std::int64_t k = first; k < last; ++k)
    sum = summation::add(sum, static_cast<T>(summation::multiply(e.values[Iso ? 0 : k], e.x[e.columns[k]])));
  return sum;
}
template <class A, class Index, class X>
[[nodiscard]] inline product_of<A, X> short_sum(const operand<A, Index, X>& e, std::int64_t count) {
  return e.iso ? short_sum<true>(e, 0, count) : short_sum<false>(e, 0, count);
}

/// Chunks first .. last of a row that has `count` entries, as nodes that join with the chunks beside them.
template <class A, class Index, class X, class Chunk>
[[nodiscard]] summation::node_range<product_of<A, X>> sum_of_chunks(const operand<A, Index, X>& e, std::int64_t count,
                                                                    std::int64_t first, std::int64_t last,
                                                                    Chunk&& chunk) {
  summation::node_range<product_of<A, X>> sums(first);
  for (std::int64_t c = first; c < last; ++c)
    sums.append(chunk(e.from(c * chunk_size), std::min(chunk_size, count - c * chunk_size)));
  return sums;
}

/// A row of more than short_limit entries.
template <class A, class Index, class X, class Chunk>
[[nodiscard]] product_of<A, X> long_sum(const operand<A, Index, X>& e, std::int64_t count, Chunk&& chunk) {
  if (count <= chunk_size) return chunk(e, count);
  return sum_of_chunks(e, count, 0, summation::chunks_of(count, chunk_size), chunk).total();
}

/// Rows begin .. end of a CSR matrix, of which nothing is checked. What the loop reads is in variables of its own: with
/// members of `e` in their place it takes up to twice as long.
template <bool Iso, class A, class Index, class Offset, class X, class Chunk>
inline void sum_known_rows(const operand<A, Index, X>& e, const Offset* offsets, std::int64_t begin, std::int64_t end,
                           const scaling<product_of<A, X>>& scale, product_of<A, X>* y, Chunk&& chunk) {
  using T = product_of<A, X>;
  const A* const values = e.values;
  const Index* const columns = e.columns;
  const X* const x = e.x;
  std::int64_t k = offsets[begin];
  for (std::int64_t i = begin; i < end; ++i) {
    const std::int64_t first = k;
    const std::int64_t last = offsets[i + 1];
    T sum{};
    if (last - first <= short_limit)
      for (; k < last; ++k)
        sum = summation::add(sum, static_cast<T>(summation::multiply(values[Iso ? 0 : k], x[columns[k]])));
    else
      sum = long_sum(e.from(first), last - first, chunk);
    k = last;
    scale.store(y[i], sum);
  }
}

/// A row of more than a chunk; whether its columns ascend and lie inside the matrix. Each chunk is looked at just
/// before it is summed, so that its columns are read from memory once.
template <class A, class Index, class X, class Chunk, class Descents>
[[nodiscard]] inline bool checked_long_sum(const operand<A, Index, X>& e, std::int64_t count, product_of<A, X>& sum,
                                           Chunk&& chunk, Descents&& descents) {
  bool ascend = true;
  bool inside = true;
  std::int64_t seen = 0;  // 1 after the first chunk: its last column is compared with the next one's first
  const auto checked = [&](const operand<A, Index, X>& part, std::int64_t size) {
    const std::int64_t found = inside ? descents(part.columns - seen, size + seen, e.cols) : -1;
    seen = 1;
    ascend = ascend && found == 0;
    inside = found >= 0;
    return inside ? chunk(part, size) : product_of<A, X>{};
  };
  sum = long_sum(e, count, checked);
  return ascend && inside;
}

/// Rows begin .. end of a CSR matrix; whether all of them ascend and lie inside it.
///
/// Columns may descend where a row ends and nowhere else, so it is enough to count: a few rows at a time, while their
/// columns are near, and without a comparison in the loop over entries. What x is read by is looked at before.
template <class A, class Index, class X, class Chunk, class Descents>
[[nodiscard]] inline bool sum_rows(const operand<A, Index, X>& e, const std::int64_t* offsets, std::int64_t begin,
                                   std::int64_t end, const scaling<product_of<A, X>>& scale, product_of<A, X>* y,
                                   Chunk&& chunk, Descents&& descents) {
  constexpr std::int64_t few_rows = 64;
  constexpr std::int64_t few_entries = few_rows * short_limit;
  bool good = true;
  const auto rows = [&]<bool Iso>(std::bool_constant<Iso>) {
    for (std::int64_t part = begin, part_end = begin; part < end; part = part_end) {
      const std::int64_t part_first = offsets[part];
      std::int64_t part_rows = std::min(few_rows, end - part);
      while (part_rows > 1 && offsets[part + part_rows] - part_first > few_entries) part_rows /= 2;
      part_end = part + part_rows;
      const std::int64_t part_last = offsets[part_end];
      if (part_first < 0 || part_last < part_first || part_last > e.entries) return false;
      if (part_rows == 1 && part_last - part_first > chunk_size) {
        product_of<A, X> sum{};
        good &= checked_long_sum(e.from(part_first), part_last - part_first, sum, chunk, descents);
        scale.store(y[part], sum);
        continue;
      }
      const std::int64_t found = descents(e.columns + part_first, part_last - part_first, e.cols);
      if (found < 0) return false;
      std::int64_t allowed = 0;
      for (std::int64_t i = part; i < part_end; ++i) {
        const std::int64_t first = offsets[i];
        const std::int64_t last = offsets[i + 1];
        // Not before its beginning, which is in the part, nor behind the end of the part: one comparison without signs.
        const auto from = static_cast<std::uint64_t>(first);
        if (static_cast<std::uint64_t>(last) - from > static_cast<std::uint64_t>(part_last) - from) return false;
        if (first > part_first && first < last) allowed += e.columns[first - 1] < e.columns[first] ? 0 : 1;
      }
      sum_known_rows<Iso>(e, offsets, part, part_end, scale, y, chunk);
      good &= found == allowed;
    }
    return good;
  };
  return e.iso ? rows(std::true_type{}) : rows(std::false_type{});
}

}  // namespace lacis::cpu

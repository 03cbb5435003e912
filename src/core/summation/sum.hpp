// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The order in which a sum is taken, and sums in it. This is the definition: every backend gives these bits.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>

#include <lacis/csr.hpp>
#include <lacis/error.hpp>
#include <lacis/types.hpp>

#include "base/text.hpp"
#include "summation/arithmetic.hpp"
#include "summation/tree.hpp"

namespace lacis::summation {

/// How the terms of one sum are ordered. Up to `short_limit` terms are added left to right. Longer sums are cut into
/// chunks of `chunk` terms, counted from the first; in a chunk, term j goes to lane j mod `lanes`, each lane adds from
/// left to right, the lanes join by halving; chunks join by the neighbour tree. Every accumulator starts at +0, so no
/// sum is ever -0, and a lane without terms changes nothing.
struct order {
  std::int64_t short_limit = 32;
  std::int64_t lanes = 32;  ///< a power of two, at most 256
  std::int64_t chunk = 1024;
  bool fused = false;  ///< products enter their accumulator by fused steps instead of being rounded first

  friend bool operator==(const order&, const order&) = default;
};

/// The order of every default path of the library. Version 1: it never changes (ADR 0009).
inline constexpr order canonical{};

inline constexpr std::int64_t most_lanes = 256;

inline void require_order(const order& o) {
  if (o.lanes < 1 || o.lanes > most_lanes || !std::has_single_bit(static_cast<std::uint64_t>(o.lanes)) || o.chunk < 1)
    throw error(errc::invalid_argument,
                detail::text("an order of ", o.lanes, " lanes in chunks of ", o.chunk,
                             " is not defined; lanes are a power of two up to ", most_lanes, ", chunks not empty"));
}

/// Terms first .. last in lanes: step(sum, k) is `sum` with term k taken in.
template <value T, class Step>
[[nodiscard]] T sum_of_chunk(std::int64_t first, std::int64_t last, Step&& step, std::int64_t lanes) {
  std::array<T, static_cast<std::size_t>(most_lanes)> sums;
  for (std::int64_t t = 0; t < lanes; ++t) {
    T sum{};
    for (std::int64_t k = first + t; k < last; k += lanes) sum = step(sum, k);
    sums[static_cast<std::size_t>(t)] = sum;
  }
  return join_by_halving(std::span<T>(sums.data(), static_cast<std::size_t>(lanes)));
}

/// Chunks first_chunk .. last_chunk of a sum of `count` terms, as nodes that join with the chunks beside them.
template <value T, class Step>
[[nodiscard]] node_range<T> sum_of_chunks(std::int64_t first_chunk, std::int64_t last_chunk, std::int64_t count,
                                          Step&& step, const order& o) {
  require_order(o);
  node_range<T> sums(first_chunk);
  for (std::int64_t c = first_chunk; c < last_chunk; ++c) {
    const std::int64_t begin = c * o.chunk;  // below count, so it cannot overflow; begin + chunk could
    sums.append(sum_of_chunk<T>(begin, count - begin < o.chunk ? count : begin + o.chunk, step, o.lanes));
  }
  return sums;
}

[[nodiscard]] constexpr std::int64_t chunks_of(std::int64_t count, std::int64_t chunk) {
  return count / chunk + (count % chunk != 0);
}

/// The sum of `count` steps in an order: what the named sums below share.
template <value T, class Step> [[nodiscard]] T sum_steps(std::int64_t count, Step&& step, const order& o) {
  if (count <= o.short_limit) {
    T sum{};
    for (std::int64_t k = 0; k < count; ++k) sum = step(sum, k);
    return sum;
  }
  require_order(o);
  return sum_of_chunks<T>(0, chunks_of(count, o.chunk), count, step, o).total();
}

/// term(0) + ... + term(count - 1). Terms are finished numbers, so a fused order adds them like any other.
template <value T, class Term> [[nodiscard]] T sum_terms(std::int64_t count, Term&& term, const order& o = canonical) {
  return sum_steps<T>(count, [&](T sum, std::int64_t k) { return add(sum, static_cast<T>(term(k))); }, o);
}

/// left(0) right(0) + ... + left(count - 1) right(count - 1).
template <value A, value B, class Left, class Right>
[[nodiscard]] product_of<A, B> sum_products(std::int64_t count, Left&& left, Right&& right,
                                            const order& o = canonical) {
  using T = product_of<A, B>;
  if (o.fused)
    return sum_steps<T>(
        count, [&](T sum, std::int64_t k) { return multiply_add_fused<A, B>(left(k), right(k), sum); }, o);
  return sum_steps<T>(count, [&](T sum, std::int64_t k) { return add(sum, multiply<A, B>(left(k), right(k))); }, o);
}

/// ((start + left(0) right(0)) + left(1) right(1)) + ...: the `y[i] += a * x` of a loop or of one atomic add after the
/// other. Not what y + sum gives.
template <value A, value B, class Left, class Right>
[[nodiscard]] product_of<A, B> sum_products_onto(product_of<A, B> start, std::int64_t count, Left&& left, Right&& right,
                                                 bool fused = false) {
  for (std::int64_t k = 0; k < count; ++k)
    start = fused ? multiply_add_fused<A, B>(left(k), right(k), start) : add(start, multiply<A, B>(left(k), right(k)));
  return start;
}

/// One row times a vector: the sum of values[k] x[columns[k]] in the order in which the entries stand. Every stored
/// entry counts, explicit zeros too.
template <value A, index Index, value X>
[[nodiscard]] product_of<A, X> row_sum(values_view<A> values, std::span<const Index> columns, std::span<const X> x,
                                       const order& o = canonical) {
  return sum_products<A, X>(
      static_cast<std::int64_t>(columns.size()), [&](std::int64_t k) { return values[k]; },
      [&](std::int64_t k) { return x[static_cast<std::size_t>(columns[static_cast<std::size_t>(k)])]; }, o);
}

/// Row `row` of a CSR matrix times a vector.
template <value A, index Index, value X>
[[nodiscard]] product_of<A, X> row_sum(const csr_view<A, Index>& a, std::int64_t row, std::span<const X> x,
                                       const order& o = canonical) {
  const auto first = static_cast<std::size_t>(a.row_offsets[static_cast<std::size_t>(row)]);
  const auto length = static_cast<std::size_t>(a.row_offsets[static_cast<std::size_t>(row + 1)]) - first;
  const auto values = a.values.iso ? a.values : values_view<A>(a.values.data.subspan(first, length));
  return row_sum<A, Index, X>(values, a.columns.subspan(first, length), x, o);
}

}  // namespace lacis::summation

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Contiguous rows with SIMD: long rows across 32 lanes, short ones left to right.
//
// 8 + 4 bytes move for each entry of a double matrix. Short rows are chains of additions, and a processor guesses wrong
// where they end. So products of several rows are computed first, entry by entry as they are stored, into an array that
// stays in the first cache; from there a lane takes the products of a row.
#include <algorithm>

#include "cpu/simd/targets.hpp"
#include "cpu/spmv/kernels.hpp"
#include "cpu/spmv/row_sums.hpp"
#include "cpu/spmv/slot_costs.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/spmv/row_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/simd/join-inl.hpp"
#include "cpu/spmv/short_rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lacis::cpu::HWY_NAMESPACE {
#if LACIS_SIMD_TARGET
namespace {

using columns_type = std::int32_t;

/// Entries k, k + 1, ... in the lanes of one vector, multiplied.
template <bool Iso, bool LoadsEach, class A, class X, class V>
HWY_INLINE auto products(const operand<A, columns_type, X>& e, std::int64_t k, V same) {
  using R = real_of<X>;
  number<X, R> x;
  if constexpr (LoadsEach)
    x = load_each(e.x, e.columns + k);
  else
    x = gather(e.x, hn::LoadU(index_tag<R>(), e.columns + k));
  if constexpr (Iso)
    return multiply(same, x);
  else
    return multiply(load<R>(e.values + k), x);
}

/// Loops over the vectors are unrolled, so that the sums stay in registers: most long rows have few entries.
template <bool Iso, bool LoadsEach, class A, class X>
HWY_INLINE product_of<A, X> sum_of_chunk(const operand<A, columns_type, X>& e, std::int64_t count) {
  using T = product_of<A, X>;
  using R = real_of<X>;
  constexpr std::int64_t lanes = width<R>;
  constexpr int vectors = static_cast<int>(lane_count / lanes);
  const auto same = broadcast<R>(Iso ? e.values[0] : A{});
  number<T, R> sums[vectors];
  HWY_UNROLL(8)
  for (int v = 0; v < vectors; ++v) sums[v] = zero<T>();
  std::int64_t k = 0;
  for (; k + lane_count <= count; k += lane_count) {
    fetch_ahead<Iso>(e, k, k + lane_count);
    HWY_UNROLL(8)
    for (int v = 0; v < vectors; ++v) sums[v] = add(sums[v], products<Iso, LoadsEach>(e, k + v * lanes, same));
  }
  HWY_UNROLL(8)
  for (int v = 0; v < vectors; ++v) {
    const std::int64_t first = k + v * lanes;
    const std::int64_t left = count - first;
    if (left >= lanes) {
      sums[v] = add(sums[v], products<Iso, LoadsEach>(e, first, same));
    } else if (left > 0) {
      const auto indices =
          hn::MaskedLoad(hn::FirstN(index_tag<R>(), static_cast<std::size_t>(left)), index_tag<R>(), e.columns + first);
      number<X, R> x;
      if constexpr (LoadsEach) {
        HWY_ALIGN columns_type some[static_cast<std::size_t>(lanes)];
        hn::Store(indices, index_tag<R>(), some);
        x = load_each(e.x, some);
      } else {
        x = gather(e.x, indices);
      }
      const auto values = Iso ? same : load_first<R>(e.values + (Iso ? 0 : first), left);
      const auto sum = add(sums[v], multiply(values, x));
      sums[v] = choose(hn::FirstN(tag<R>(), static_cast<std::size_t>(left)), sum, sums[v]);
    }
  }
  join_vectors<vectors>(sums);
  return join_lanes<T>(sums[0]);
}

template <class A, class X> product_of<A, X> chunk(const operand<A, columns_type, X>& e, std::int64_t count) {
  if (loads_each()) return e.iso ? sum_of_chunk<true, true>(e, count) : sum_of_chunk<false, true>(e, count);
  return e.iso ? sum_of_chunk<true, false>(e, count) : sum_of_chunk<false, false>(e, count);
}

std::int64_t descents(const columns_type* columns, std::int64_t count, std::int64_t cols) {
  const tag<columns_type> d;
  const hn::RebindToUnsigned<tag<columns_type>> without_sign;  // where what is negative is large
  constexpr std::int64_t lanes = width<columns_type>;
  std::int64_t found = 0;
  std::int64_t k = 0;
  auto largest = hn::Zero(without_sign);
  for (; k + lanes < count; k += lanes) {
    const auto here = hn::LoadU(d, columns + k);
    found += lanes - static_cast<std::int64_t>(hn::CountTrue(d, hn::Lt(here, hn::LoadU(d, columns + k + 1))));
    largest = hn::Max(largest, hn::BitCast(without_sign, here));
  }
  if (k < count) {  // at most `lanes` columns, the last of which nothing follows
    const auto rest = static_cast<std::size_t>(count - k);
    const auto here = hn::MaskedLoad(hn::FirstN(d, rest), d, columns + k);
    const auto pairs = hn::FirstN(d, rest - 1);
    const auto rises = hn::And(pairs, hn::Lt(here, hn::MaskedLoad(pairs, d, columns + k + 1)));
    found += static_cast<std::int64_t>(rest - 1) - static_cast<std::int64_t>(hn::CountTrue(d, rises));
    largest = hn::Max(largest, hn::BitCast(without_sign, here));
  }
  const std::uint32_t most = hn::GetLane(hn::MaxOfLanes(without_sign, largest));
  return count > 0 && most >= static_cast<std::uint64_t>(cols) ? -1 : found;
}

template <class A, class X>
bool csr_rows(const operand<A, columns_type, X>& e, const std::int64_t* offsets, std::int64_t begin, std::int64_t end,
              const scaling<product_of<A, X>>& scale, product_of<A, X>* y) {
  const auto one_by_one = [&](std::int64_t first, std::int64_t last) {
    return sum_rows(e, offsets, first, last, scale, y, chunk<A, X>, descents);
  };
  if constexpr (is_complex<product_of<A, X>>) {
    return one_by_one(begin, end);
  } else {
    if (loads_each()) return one_by_one(begin, end);
    bool good = true;
    short_rows<A, X> rows(e);
    for (std::int64_t first = begin; first < end; first += rows.most_rows) {
      const std::int64_t last = std::min(end, first + rows.most_rows);
      const bool ascend = rows.take(offsets, first, last) ? rows.sum(first, scale, y) : one_by_one(first, last);
      good &= ascend;
    }
    return good;
  }
}

}  // namespace

template <class A, class X> void set_row_kernels(kernel_table<A, columns_type, X>& table) {
  table.chunk = chunk<A, X>;
  table.descents = descents;
  table.csr_rows = csr_rows<A, X>;
}

#define LACIS_INSTANTIATE(A, X) template void set_row_kernels<A, X>(kernel_table<A, std::int32_t, X>&);
LACIS_FOR_EACH_SIMD_PAIR(LACIS_INSTANTIATE)
#undef LACIS_INSTANTIATE

#endif
}  // namespace lacis::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

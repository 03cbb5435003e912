// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Matrices stored by diagonals with SIMD: one row per lane, and no gather.
//
// Neighbouring rows of one diagonal meet neighbouring elements of x. 8 bytes and an eighth move for each slot of a
// double matrix. Rows of more than 32 entries, which need the rank of each entry, go to the portable kernel.
#include <algorithm>

#include "cpu/simd/targets.hpp"
#include "cpu/spmv/kernels.hpp"
#include "cpu/spmv/portable.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/spmv/dia_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/simd/simd-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lacis::cpu::HWY_NAMESPACE {
#if LACIS_SIMD_TARGET
namespace {

/// The mask bits of rows first .. first + count (within one word) on diagonal d.
template <class A>
HWY_INLINE std::uint64_t bits_of(const diagonals<A>& a, std::int64_t d, std::int64_t first, int count) {
  const std::uint64_t word = a.mask[d * a.mask_words + first / 64] >> (first % 64);
  return word & (~std::uint64_t{0} >> (64 - count));
}

/// Lanes whose bit is set.
template <class R> HWY_INLINE mask<R> lanes_of(std::uint64_t bits) {
  const auto bytes = static_cast<std::uint32_t>(bits);
  return hn::LoadMaskBits(tag<R>(), reinterpret_cast<const std::uint8_t*>(&bytes));
}

/// p[0] .. where the bits are set, zeros elsewhere; reads nothing else.
template <class R, class A> HWY_INLINE number<A, R> load_set(const A* p, std::uint64_t bits) {
  HWY_ALIGN real_of<A> parts[static_cast<std::size_t>(width<R>) * (is_complex<A> ? 2 : 1)] = {};
  for (; bits != 0; bits &= bits - 1) {
    const int lane = __builtin_ctzll(bits);
    reinterpret_cast<A*>(parts)[lane] = p[lane];
  }
  return load<R>(reinterpret_cast<const A*>(parts));
}

/// Rows first .. of one vector, each of at most short_limit entries.
template <class A, class X>
HWY_INLINE number<product_of<A, X>, real_of<X>> sums_of(const diagonals<A>& a, const X* x, std::int64_t first) {
  using R = real_of<X>;
  constexpr int lanes = static_cast<int>(width<R>);
  constexpr std::uint64_t all = ~std::uint64_t{0} >> (64 - lanes);
  const auto same = broadcast<R>(a.iso ? a.values[0] : A{});
  auto sums = zero<product_of<A, X>>();
  for (std::int64_t d = 0; d < a.count; ++d) {
    const std::uint64_t bits = bits_of(a, d, first, lanes);
    const A* values = a.values + (a.iso ? 0 : d * a.rows + first);
    const X* elements = x + (first + a.offsets[d]);
    if (bits == all) {
      sums = add(sums, multiply(a.iso ? same : load<R>(values), load<R>(elements)));
    } else if (bits != 0) {
      const auto product = multiply(a.iso ? same : load_set<R>(values, bits), load_set<R>(elements, bits));
      sums = choose(lanes_of<R>(bits), add(sums, product), sums);
    }
  }
  return sums;
}

/// Whether each of the rows first .. of one vector has at most short_limit entries.
template <class R, class A> HWY_INLINE bool all_short(const diagonals<A>& a, std::int64_t first) {
  if (a.count <= short_limit) return true;
  int lengths[static_cast<std::size_t>(width<R>)] = {};
  for (std::int64_t d = 0; d < a.count; ++d)
    for (std::uint64_t bits = bits_of(a, d, first, static_cast<int>(width<R>)); bits != 0; bits &= bits - 1)
      ++lengths[__builtin_ctzll(bits)];
  return *std::max_element(std::begin(lengths), std::end(lengths)) <= short_limit;
}

template <class A, class X>
void dia_rows(const diagonals<A>& a, const X* x, std::int64_t begin, std::int64_t end,
              const scaling<product_of<A, X>>& scale, product_of<A, X>* y) {
  using T = product_of<A, X>;
  using R = real_of<X>;
  std::int64_t i = begin;
  for (; i + width<R> <= end; i += width<R>) {
    if (!all_short<R>(a, i)) {
      portable::dia_rows(a, x, i, i + width<R>, scale, y);
      continue;
    }
    const auto sums = sums_of(a, x, i);
    if (scale.plain) {
      store<T>(sums, y + i);
    } else {
      HWY_ALIGN T each[static_cast<std::size_t>(width<R>)];
      store<T>(sums, each);
      for (std::int64_t l = 0; l < width<R>; ++l) scale.store(y[i + l], each[l]);
    }
  }
  portable::dia_rows(a, x, i, end, scale, y);
}

}  // namespace

template <class A, class X> void set_dia_kernels(kernel_table<A, std::int32_t, X>& table) {
  table.dia_rows = dia_rows<A, X>;
}

#define LACIS_INSTANTIATE(A, X) template void set_dia_kernels<A, X>(kernel_table<A, std::int32_t, X>&);
LACIS_FOR_EACH_SIMD_PAIR(LACIS_INSTANTIATE)
#undef LACIS_INSTANTIATE

#endif
}  // namespace lacis::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

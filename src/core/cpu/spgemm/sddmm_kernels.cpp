// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Dense products at the places of a pattern with SIMD: one entry per lane, so no order to mind but k's.
//
// As many columns of Y as there are lanes are read where they are contiguous, along k, and turned in registers: each
// element is loaded once, and a vector of y_k for all lanes meets x_k.
#include <cstring>
#include <hwy/cache_control.h>

#include "base/instantiate.hpp"
#include "cpu/simd/targets.hpp"
#include "cpu/spgemm/sddmm.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/spgemm/sddmm_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/simd/simd-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lacis::cpu::HWY_NAMESPACE {
namespace {
#if LACIS_SIMD_TARGET

/// A square of as many vectors as a vector has lanes, transposed: its elements, seen as one array, are parted into even
/// and odd ones as often as their number in a row has bits, which exchanges the bits of row and column.
template <class R> HWY_INLINE void turn(vec<R>* v) {
  constexpr int lanes = static_cast<int>(width<R>);
  const tag<R> d;
  vec<R> parted[lanes];
  for (int bit = 1; bit < lanes; bit *= 2) {
    HWY_UNROLL(8)
    for (int i = 0; i < lanes / 2; ++i) {
      parted[i] = hn::ConcatEven(d, v[2 * i + 1], v[2 * i]);
      parted[i + lanes / 2] = hn::ConcatOdd(d, v[2 * i + 1], v[2 * i]);
    }
    HWY_UNROLL(16)
    for (int i = 0; i < lanes; ++i) v[i] = parted[i];
  }
}

/// A square of elements, real and imaginary parts apart.
template <class T> struct square {
  using R = real_of<T>;
  static constexpr int lanes = static_cast<int>(width<R>);
  vec<R> re[lanes];
  vec<R> im[is_complex<T> ? lanes : 1];

  HWY_INLINE void set(int i, number<T, R> v) {
    if constexpr (is_complex<T>) {
      re[i] = v.re;
      im[i] = v.im;
    } else {
      re[i] = v;
    }
  }
  [[nodiscard]] HWY_INLINE number<T, R> get(int i) const {
    if constexpr (is_complex<T>)
      return {re[i], im[i]};
    else
      return re[i];
  }
  HWY_INLINE void turn_all() {
    turn<R>(re);
    if constexpr (is_complex<T>) turn<R>(im);
  }
};

/// The first entries of `left` ones, as many as there are lanes; where fewer are left, the last one is repeated. The
/// columns of Y that come next are fetched meanwhile: they lie anywhere.
template <class T, class Index>
HWY_INLINE number<T, real_of<T>> sums_of_lanes(const sddmm_row<T>& row, const Index* columns, std::int64_t left) {
  using R = real_of<T>;
  constexpr int lanes = static_cast<int>(width<R>);
  const auto column = [&](std::int64_t e) { return row.y + columns[e < left ? e : left - 1] * row.y_column; };
  const T* y[lanes];
  const T* next[lanes];
  for (int e = 0; e < lanes; ++e) {
    y[e] = column(e);
    next[e] = column(e + lanes);
  }
  auto sums = zero<T>();
  square<T> block;
  std::int64_t k = 0;
  for (; k + lanes <= row.depth; k += lanes) {
    HWY_UNROLL(16)
    for (int e = 0; e < lanes; ++e) {
      block.set(e, load<R>(y[e] + k));
      hwy::Prefetch(next[e] + k);
    }
    block.turn_all();
    HWY_UNROLL(16)
    for (int j = 0; j < lanes; ++j) sums = add(sums, multiply(broadcast<R>(row.x[(k + j) * row.x_step]), block.get(j)));
  }
  const auto tail = static_cast<int>(row.depth - k);
  if (tail == 0) return sums;
  for (int e = 0; e < lanes; ++e) block.set(e, load_first<R>(y[e] + k, tail));
  block.turn_all();
  for (int j = 0; j < tail; ++j) sums = add(sums, multiply(broadcast<R>(row.x[(k + j) * row.x_step]), block.get(j)));
  return sums;
}

template <class T, class Index>
void entries(const sddmm_row<T>& row, const Index* columns, std::int64_t count, T* sums) {
  using R = real_of<T>;
  constexpr std::int64_t lanes = width<R>;
  std::int64_t e = 0;
  for (; e + lanes <= count; e += lanes) store<T>(sums_of_lanes(row, columns + e, count - e), sums + e);
  if (e == count) return;
  HWY_ALIGN R parts[static_cast<std::size_t>(lanes) * (is_complex<T> ? 2 : 1)];
  store<T>(sums_of_lanes(row, columns + e, count - e), reinterpret_cast<T*>(parts));
  std::memcpy(static_cast<void*>(sums + e), parts, static_cast<std::size_t>(count - e) * sizeof(T));
}

#else

template <class T, class Index>
void entries(const sddmm_row<T>& row, const Index* columns, std::int64_t count, T* sums) {
  sddmm_portable(row, columns, count, sums);
}

#endif
}  // namespace

template <class T, class Index> sddmm_kernel<T, Index>* sddmm_entries() { return entries<T, Index>; }

}  // namespace lacis::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lacis::cpu {

template <class T, class Index> sddmm_kernel<T, Index>* sddmm_kernel_for(isa set) {
  switch (set) {
#if HWY_TARGETS & HWY_AVX2
    case isa::avx2:
      return N_AVX2::sddmm_entries<T, Index>();
#endif
#if HWY_TARGETS & HWY_AVX3
    case isa::avx512:
      return N_AVX3::sddmm_entries<T, Index>();
#endif
    default:
      return sddmm_portable<T, Index>;
  }
}

#define LACIS_SDDMM(T, Index) template sddmm_kernel<T, Index>* sddmm_kernel_for<T, Index>(isa);
LACIS_FOR_EACH_TYPE(LACIS_SDDMM)

}  // namespace lacis::cpu
#endif

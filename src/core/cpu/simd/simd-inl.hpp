// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Vectors of numbers, real or complex, over Highway: loads, gathers and the rounded operations. Compiled once per
// target.
#if defined(LACIS_CPU_SIMD_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LACIS_CPU_SIMD_INL
#undef LACIS_CPU_SIMD_INL
#else
#define LACIS_CPU_SIMD_INL
#endif

#include <complex>
#include <cstdint>
#include <cstring>
#include <hwy/highway.h>

#include <lacis/types.hpp>

HWY_BEFORE_NAMESPACE();
namespace lacis::cpu::HWY_NAMESPACE {
#if LACIS_SIMD_TARGET
namespace hn = hwy::HWY_NAMESPACE;

/// As many lanes as a full vector of the real type has.
template <class R> using tag = hn::ScalableTag<R>;
template <class R> using vec = hn::Vec<tag<R>>;
template <class R> inline constexpr std::int64_t width = HWY_MAX_BYTES / sizeof(R);
/// As many 32-bit column indices as there are lanes of the real type.
template <class R> using index_tag = hn::Rebind<std::int32_t, tag<R>>;
template <class R> using index_vec = hn::Vec<index_tag<R>>;
/// Integers as wide as the real type.
template <class R> using wide_tag = hn::RebindToSigned<tag<R>>;
template <class R> using mask = hn::Mask<tag<R>>;

/// One complex number per lane, real and imaginary parts apart.
template <class R> struct complex_vec {
  vec<R> re;
  vec<R> im;
};
/// A vector of T's: real or complex, computed in the real type R.
template <class T, class R> using number = std::conditional_t<is_complex<T>, complex_vec<R>, vec<R>>;

template <class T> HWY_INLINE number<T, real_of<T>> zero() {
  const auto none = hn::Zero(tag<real_of<T>>());
  if constexpr (is_complex<T>)
    return {none, none};
  else
    return none;
}

template <class V> HWY_INLINE V add(V a, V b) { return hn::Add(a, b); }
template <class R> HWY_INLINE complex_vec<R> add(complex_vec<R> a, complex_vec<R> b) {
  return {hn::Add(a.re, b.re), hn::Add(a.im, b.im)};
}

template <class V> HWY_INLINE V multiply(V a, V b) { return hn::Mul(a, b); }
template <class R> HWY_INLINE complex_vec<R> multiply(vec<R> a, complex_vec<R> b) {
  return {hn::Mul(a, b.re), hn::Mul(a, b.im)};
}
template <class R> HWY_INLINE complex_vec<R> multiply(complex_vec<R> a, complex_vec<R> b) {
  return {hn::Sub(hn::Mul(a.re, b.re), hn::Mul(a.im, b.im)), hn::Add(hn::Mul(a.re, b.im), hn::Mul(a.im, b.re))};
}

/// a where the mask is set, b elsewhere.
template <class M, class V> HWY_INLINE V choose(M m, V a, V b) { return hn::IfThenElse(m, a, b); }
template <class M, class R> HWY_INLINE complex_vec<R> choose(M m, complex_vec<R> a, complex_vec<R> b) {
  return {hn::IfThenElse(m, a.re, b.re), hn::IfThenElse(m, a.im, b.im)};
}

/// The floats in the low halves of 64-bit lanes, and those in the high halves, as doubles.
template <class V> HWY_INLINE complex_vec<double> split_floats(V pairs) {
  const hn::Rebind<std::uint32_t, tag<double>> narrow;
  const hn::Rebind<float, tag<double>> floats;
  const auto low = hn::BitCast(floats, hn::TruncateTo(narrow, pairs));
  const auto high = hn::BitCast(floats, hn::TruncateTo(narrow, hn::ShiftRight<32>(pairs)));
  return {hn::PromoteTo(tag<double>(), low), hn::PromoteTo(tag<double>(), high)};
}

/// width<R> contiguous values from p on.
template <class R, class A> HWY_INLINE number<A, R> load(const A* HWY_RESTRICT p) {
  const tag<R> d;
  if constexpr (std::is_same_v<A, R>) {
    return hn::LoadU(d, p);
  } else if constexpr (!is_complex<A>) {
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<A, tag<R>>(), p));
  } else if constexpr (std::is_same_v<real_of<A>, R>) {
    complex_vec<R> z;
    hn::LoadInterleaved2(d, reinterpret_cast<const R*>(p), z.re, z.im);
    return z;
  } else {
    const hn::RebindToUnsigned<tag<R>> pairs;
    return split_floats(hn::BitCast(pairs, hn::LoadU(tag<float>(), reinterpret_cast<const float*>(p))));
  }
}

/// The first `count` of width<R> values from p on, zeros behind them; reads nothing else.
template <class R, class A> HWY_INLINE number<A, R> load_first(const A* HWY_RESTRICT p, std::int64_t count) {
  if constexpr (is_complex<A>) {
    HWY_ALIGN real_of<A> parts[static_cast<std::size_t>(width<R>) * 2] = {};
    std::memcpy(parts, p, static_cast<std::size_t>(count) * sizeof(A));
    return load<R>(reinterpret_cast<const A*>(parts));
  } else {
    const hn::Rebind<A, tag<R>> d;
    const auto values = hn::MaskedLoad(hn::FirstN(d, static_cast<std::size_t>(count)), d, p);
    if constexpr (std::is_same_v<A, R>)
      return values;
    else
      return hn::PromoteTo(tag<R>(), values);
  }
}

/// One value in every lane.
template <class R, class A> HWY_INLINE number<A, R> broadcast(A a) {
  const tag<R> d;
  if constexpr (is_complex<A>)
    return {hn::Set(d, static_cast<R>(a.real())), hn::Set(d, static_cast<R>(a.imag()))};
  else
    return hn::Set(d, static_cast<R>(a));
}

/// x at each of the indices. The arithmetic on indices is in 64 bits: 2 j may not fit 32.
template <class X> HWY_INLINE number<X, real_of<X>> gather(const X* HWY_RESTRICT x, index_vec<real_of<X>> indices) {
  using R = real_of<X>;
  const tag<R> d;
  const wide_tag<double> wide;
  if constexpr (std::is_same_v<X, float>) {
    return hn::GatherIndex(d, x, indices);
  } else if constexpr (std::is_same_v<X, double>) {
    return hn::GatherIndex(d, x, hn::PromoteTo(wide, indices));
  } else if constexpr (std::is_same_v<R, double>) {
    const auto doubled = hn::ShiftLeft<1>(hn::PromoteTo(wide, indices));
    const double* parts = reinterpret_cast<const double*>(x);
    return {hn::GatherIndex(d, parts, doubled), hn::GatherIndex(d, parts + 1, doubled)};
  } else {
    const hn::Half<index_tag<float>> half;
    const auto* pairs = reinterpret_cast<const std::int64_t*>(x);
    const auto low = hn::GatherIndex(wide, pairs, hn::PromoteTo(wide, hn::LowerHalf(half, indices)));
    const auto high = hn::GatherIndex(wide, pairs, hn::PromoteTo(wide, hn::UpperHalf(half, indices)));
    return {hn::ConcatEven(d, hn::BitCast(d, high), hn::BitCast(d, low)),
            hn::ConcatOdd(d, hn::BitCast(d, high), hn::BitCast(d, low))};
  }
}

/// The lanes k, k + 1, ... that pair(k) gives two at a time.
template <std::int64_t Lanes, class Pair> HWY_INLINE auto from_pairs(Pair&& pair, std::int64_t k) {
  if constexpr (Lanes == 2) {
    return hn::Vec128<double>{pair(k)};
  } else {
    const hn::FixedTag<double, static_cast<std::size_t>(Lanes)> d;
    return hn::Combine(d, from_pairs<Lanes / 2>(pair, k + Lanes / 2), from_pairs<Lanes / 2>(pair, k));
  }
}

/// load_each() for elements of 8 or 16 bytes.
template <class X>
HWY_INLINE number<X, real_of<X>> load_each_wide(const X* HWY_RESTRICT x, const std::int32_t* HWY_RESTRICT columns) {
  constexpr std::int64_t lanes = width<double>;
  const auto pair = [&](std::int64_t k) {
    const auto at = [&](std::int64_t element) { return reinterpret_cast<const double*>(x + columns[element]); };
    if constexpr (sizeof(X) == 8)
      return _mm_loadh_pd(_mm_load_sd(at(k)), at(k + 1));
    else
      return _mm_loadu_pd(at(k / 2));
  };
  if constexpr (!is_complex<X>) {
    return from_pairs<lanes>(pair, 0);
  } else {
    const tag<real_of<X>> d;
    const auto low = hn::BitCast(d, from_pairs<lanes>(pair, 0));
    const auto high = hn::BitCast(d, from_pairs<lanes>(pair, lanes));
    return {hn::ConcatEven(d, high, low), hn::ConcatOdd(d, high, low)};
  }
}

/// The lanes k, k + 1, ... that four(k) gives four at a time.
template <std::int64_t Lanes, class Four> HWY_INLINE auto from_fours(Four&& four, std::int64_t k) {
  if constexpr (Lanes == 4) {
    return hn::Vec128<float>{four(k)};
  } else {
    const hn::FixedTag<float, static_cast<std::size_t>(Lanes)> d;
    return hn::Combine(d, from_fours<Lanes / 2>(four, k + Lanes / 2), from_fours<Lanes / 2>(four, k));
  }
}

/// The same as gather() by a load of each element, which some processors do several times faster.
template <class X>
HWY_INLINE number<X, real_of<X>> load_each(const X* HWY_RESTRICT x, const std::int32_t* HWY_RESTRICT columns) {
  if constexpr (std::is_same_v<X, float>) {
    const auto four = [&](std::int64_t k) {
      const std::int32_t* const at = columns + k;
      return _mm_setr_ps(x[at[0]], x[at[1]], x[at[2]], x[at[3]]);
    };
    return from_fours<width<float>>(four, 0);
  } else {
    return load_each_wide(x, columns);
  }
}

/// Writes all lanes, contiguous.
template <class T> HWY_INLINE void store(number<T, real_of<T>> v, T* HWY_RESTRICT p) {
  const tag<real_of<T>> d;
  if constexpr (is_complex<T>)
    hn::StoreInterleaved2(v.re, v.im, d, reinterpret_cast<real_of<T>*>(p));
  else
    hn::StoreU(v, d, p);
}

/// The lanes of a vector joined by halving: lane t takes in lane t + half, until one is left.
template <class D, class V> HWY_INLINE hn::TFromD<D> join_lanes(D, V v) {
  if constexpr (hn::MaxLanes(D()) == 1) {
    return hn::GetLane(v);
  } else {
    const hn::Half<D> half;
    return join_lanes(half, hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
  }
}
template <class T> HWY_INLINE T join_lanes(number<T, real_of<T>> v) {
  const tag<real_of<T>> d;
  if constexpr (is_complex<T>)
    return {join_lanes(d, v.re), join_lanes(d, v.im)};
  else
    return join_lanes(d, v);
}

#endif
}  // namespace lacis::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

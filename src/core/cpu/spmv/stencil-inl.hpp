// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What kernels of stencils have in common: elements of x for some lanes, and sums of rows to y. Compiled once per
// target.
#if defined(LACIS_CPU_STENCIL_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LACIS_CPU_STENCIL_INL
#undef LACIS_CPU_STENCIL_INL
#else
#define LACIS_CPU_STENCIL_INL
#endif

#include "cpu/simd/values-inl.hpp"
#include "cpu/spmv/panel-inl.hpp"
#include "cpu/spmv/scaling.hpp"
#include "cpu/spmv/stencil.hpp"

HWY_BEFORE_NAMESPACE();
namespace lacis::cpu::HWY_NAMESPACE {
#if LACIS_SIMD_TARGET

/// The lanes whose bit is set.
template <class R> HWY_INLINE mask<R> lanes_of(std::uint32_t bits) {
  const auto some = static_cast<std::uint16_t>(bits);
  return hn::LoadMaskBits(tag<R>(), reinterpret_cast<const std::uint8_t*>(&some));
}

/// A product in the lanes whose bit is set, -0 in the others: added to any sum, -0 leaves its bits alone. Sums wait for
/// an addition per entry, and for nothing else.
template <class T> HWY_INLINE number<T, real_of<T>> only_in(std::uint32_t bits, number<T, real_of<T>> product) {
  using R = real_of<T>;
  const auto nothing = hn::Set(tag<R>(), -R(0));
  if constexpr (is_complex<T>)
    return choose(lanes_of<R>(bits), product, complex_vec<R>{nothing, nothing});
  else
    return choose(lanes_of<R>(bits), product, nothing);
}

/// Elements x[0], x[1], ... of the lanes whose bit is set, zero in the others; reads nothing else.
template <class X> HWY_INLINE number<X, real_of<X>> load_some(std::uint32_t bits, const X* HWY_RESTRICT x) {
  using R = real_of<X>;
  if constexpr (is_complex<X>) {
    HWY_ALIGN R parts[static_cast<std::size_t>(width<R>) * 2] = {};
    for (std::size_t l = 0; l < static_cast<std::size_t>(width<R>); ++l)
      if ((bits >> l & 1) != 0) {
        parts[2 * l] = x[l].real();
        parts[2 * l + 1] = x[l].imag();
      }
    return load<R>(reinterpret_cast<const X*>(parts));
  } else {
    return hn::MaskedLoad(lanes_of<R>(bits), tag<R>(), x);
  }
}

/// Puts the sums of rows in their places.
template <class T> struct row_writer {
  using R = real_of<T>;
  static constexpr std::int64_t lanes = width<R>;

  const scaling<T>& scale;

  HWY_INLINE void put(number<T, R> sum, T* to) const {
    if (scale.plain) return store<T>(sum, to);
    HWY_ALIGN real_of<T> parts[static_cast<std::size_t>(lanes) * (is_complex<T> ? 2 : 1)];
    T* each = reinterpret_cast<T*>(parts);
    store<T>(sum, each);
    for (std::int64_t l = 0; l < lanes; ++l) scale.store(to[l], each[l]);
  }

  /// The sums of the lanes whose bit is set.
  HWY_INLINE void put_some(std::uint32_t bits, number<T, R> sum, T* to) const {
    if constexpr (!is_complex<T>)
      if (scale.plain) return hn::BlendedStore(sum, lanes_of<R>(bits), tag<R>(), to);
    HWY_ALIGN real_of<T> parts[static_cast<std::size_t>(lanes) * (is_complex<T> ? 2 : 1)];
    T* each = reinterpret_cast<T*>(parts);
    store<T>(sum, each);
    for (std::int64_t l = 0; l < lanes; ++l)
      if ((bits >> l & 1) != 0) scale.store(to[l], each[l]);
  }
};

#endif
}  // namespace lacis::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Vectors of values that are kept in a narrower form, widened as they are loaded. Compiled once per target.
#if defined(LACIS_CPU_VALUES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef LACIS_CPU_VALUES_INL
#undef LACIS_CPU_VALUES_INL
#else
#define LACIS_CPU_VALUES_INL
#endif

#include <hwy/cache_control.h>
#include <type_traits>

#include "cpu/simd/simd-inl.hpp"
#include "cpu/simd/stored_values.hpp"
#include "cpu/spmv/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace lacis::cpu::HWY_NAMESPACE {
#if LACIS_SIMD_TARGET

/// A place in an array of values of type A, which kernels take as vectors of R.
template <class A, class R, value_form Form> class value_stream {
  static constexpr std::int64_t bytes = width_of<A>(Form);

 public:
  HWY_INLINE explicit value_stream(const void* data)
      : data_(static_cast<const char*>(data)),
        same_(broadcast<R>(Form == value_form::one ? *static_cast<const A*>(data) : A{})) {}

  /// The same `slots` slots further on.
  HWY_INLINE void advance(std::int64_t slots) { data_ += slots * bytes; }
  [[nodiscard]] HWY_INLINE value_stream from(std::int64_t slots) const {
    value_stream other = *this;
    other.advance(slots);
    return other;
  }

  /// The values of a vector of slots from this one + `slot` on.
  [[nodiscard]] HWY_INLINE number<A, R> at(std::int64_t slot) const {
    [[maybe_unused]] const tag<R> d;
    [[maybe_unused]] const char* p = data_ + slot * bytes;
    if constexpr (Form == value_form::one) {
      return same_;
    } else if constexpr (Form == value_form::full) {
      return load<R>(reinterpret_cast<const A*>(p));
    } else if constexpr (Form == value_form::byte) {
      const auto whole = hn::PromoteTo(
          index_tag<R>(), hn::LoadU(hn::Rebind<std::int8_t, tag<R>>(), reinterpret_cast<const std::int8_t*>(p)));
      if constexpr (sizeof(R) == 4)
        return hn::ConvertTo(d, whole);
      else
        return hn::PromoteTo(d, whole);
    } else if constexpr (std::is_same_v<A, float>) {
      return hn::PromoteTo(d,
                           hn::LoadU(hn::Rebind<hwy::float16_t, tag<R>>(), reinterpret_cast<const hwy::float16_t*>(p)));
    } else {
      return load<R>(reinterpret_cast<const half_type<A>*>(p));
    }
  }

  /// Asks for what is fetch_distance bytes after slot `slot`. Narrow values ask for a line more than once: cheaper than
  /// to find out.
  HWY_INLINE void fetch_ahead(std::int64_t slot = 0) const {
    if constexpr (Form != value_form::one) hwy::Prefetch(data_ + slot * bytes + fetch_distance);
  }

 private:
  const char* data_;
  number<A, R> same_;
};

/// Lanes of vector v whose row has a slot s.
template <class R> HWY_INLINE mask<R> has_slot(const std::uint8_t* lengths, int v, int s) {
  const index_tag<R> narrow;
  const wide_tag<R> wide;
  const auto length = hn::PromoteTo(narrow, hn::LoadU(hn::Rebind<std::uint8_t, tag<R>>(), lengths + v * width<R>));
  if constexpr (sizeof(R) == 4)
    return hn::RebindMask(tag<R>(), hn::Gt(length, hn::Set(wide, s)));
  else
    return hn::RebindMask(tag<R>(), hn::Gt(hn::PromoteTo(wide, length), hn::Set(wide, s)));
}

/// simd(std::integral_constant<value_form, form>) where kernels of this pair of types are compiled for the form
/// (`Narrow`: for the narrow ones too), otherwise portable().
template <class A, class X, bool Narrow = std::is_same_v<A, X>, class Simd, class Portable>
HWY_INLINE void with_form(value_form form, Simd&& simd, Portable&& portable) {
  switch (form) {
    case value_form::one:
      return simd(std::integral_constant<value_form, value_form::one>());
    case value_form::full:
      return simd(std::integral_constant<value_form, value_form::full>());
    case value_form::half:
      if constexpr (Narrow && has_half<A>) return simd(std::integral_constant<value_form, value_form::half>());
      break;
    case value_form::byte:
      if constexpr (Narrow && has_byte<A>) return simd(std::integral_constant<value_form, value_form::byte>());
      break;
  }
  portable();
}

#endif
}  // namespace lacis::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The values of a plan, in the narrowest form that loses nothing: a kernel widens them as it loads them.
#pragma once

#include <bit>
#include <complex>
#include <cstdint>
#include <type_traits>

#include <lacis/types.hpp>

namespace lacis::cpu {

enum class value_form : std::uint8_t {
  one,   ///< the same value in every slot, kept once
  full,  ///< as they are
  half,  ///< in half the width: double as float, float as IEEE half precision
  byte   ///< as 8-bit integers; real numbers only
};

/// IEEE half precision, as its bits. Only finite numbers that it holds exactly are ever kept in it.
enum class half_bits : std::uint16_t {};

[[nodiscard]] inline half_bits to_half(float v) {
  const auto bits = std::bit_cast<std::uint32_t>(v);
  const std::uint32_t sign = bits >> 16 & 0x8000u;
  const std::uint32_t exponent = bits >> 23 & 0xffu;
  constexpr std::uint32_t least_normal = 127 - 14;
  if (exponent >= least_normal)
    return static_cast<half_bits>(sign | (exponent - least_normal + 1) << 10 | (bits >> 13 & 0x3ffu));
  const float magnitude = std::bit_cast<float>(bits & 0x7fffffffu);
  return static_cast<half_bits>(sign | static_cast<std::uint32_t>(magnitude * 0x1p24f));
}
[[nodiscard]] inline float from_half(half_bits half) {
  const auto bits = static_cast<std::uint32_t>(half);
  const std::uint32_t sign = (bits & 0x8000u) << 16;
  const std::uint32_t exponent = bits >> 10 & 0x1fu;
  const std::uint32_t fraction = bits & 0x3ffu;
  const float magnitude = exponent == 0 ? static_cast<float>(fraction) * 0x1p-24f
                                        : std::bit_cast<float>((exponent + 127 - 15) << 23 | fraction << 13);
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) | sign);
}

/// What `half` keeps a value in; void where there is none.
template <class A> struct half_of {
  using type = void;
};
template <> struct half_of<double> {
  using type = float;
};
template <> struct half_of<float> {
  using type = half_bits;
};
template <> struct half_of<std::complex<double>> {
  using type = std::complex<float>;
};
template <class A> using half_type = typename half_of<A>::type;
template <class A> inline constexpr bool has_half = !std::is_void_v<half_type<A>>;
template <class A> inline constexpr bool has_byte = !is_complex<A>;

/// Bytes of one value in a form.
template <class A> [[nodiscard]] constexpr std::int64_t width_of(value_form form) {
  switch (form) {
    case value_form::one:
      return 0;
    case value_form::half:
      return sizeof(A) / 2;
    case value_form::byte:
      return 1;
    case value_form::full:
      break;
  }
  return sizeof(A);
}

/// The value of a slot, widened.
template <class A> [[nodiscard]] inline A widened(const void* data, value_form form, std::int64_t slot) {
  if (form == value_form::one) return static_cast<const A*>(data)[0];
  if constexpr (has_byte<A>)
    if (form == value_form::byte) return static_cast<A>(static_cast<const std::int8_t*>(data)[slot]);
  if constexpr (std::is_same_v<A, float>) {
    if (form == value_form::half) return from_half(static_cast<const half_bits*>(data)[slot]);
  } else if constexpr (has_half<A>) {
    if (form == value_form::half) return static_cast<A>(static_cast<const half_type<A>*>(data)[slot]);
  }
  return static_cast<const A*>(data)[slot];
}

/// Values, borrowed.
template <value A> struct stored_values {
  const void* data = nullptr;
  value_form form = value_form::full;

  [[nodiscard]] A operator[](std::int64_t slot) const { return widened<A>(data, form, slot); }
};

}  // namespace lacis::cpu

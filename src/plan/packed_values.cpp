// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Which form keeps values without loss.
#include "plan/packed_values.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <complex>
#include <limits>

#include "base/parallel.hpp"

namespace lacis::detail {
namespace {

using cpu::value_form;

template <class Real> bool same_bits(Real a, Real b) { return std::memcmp(&a, &b, sizeof(Real)) == 0; }

/// Whether 8 bits hold a number; not -0.
template <class Real> bool fits_byte(Real v) {
  return v >= Real(-128) && v <= Real(127) && same_bits(static_cast<Real>(static_cast<std::int8_t>(v)), v);
}

bool fits_half(double v) {
  return (std::fabs(v) <= static_cast<double>(std::numeric_limits<float>::max()) || !std::isfinite(v)) &&
         same_bits(static_cast<double>(static_cast<float>(v)), v);
}
bool fits_half(float v) {
  constexpr float largest_half = 65504;
  return std::fabs(v) <= largest_half && same_bits(cpu::from_half(cpu::to_half(v)), v);
}

template <class Value> bool fits(Value v, value_form form) {
  if constexpr (std::is_same_v<Value, std::complex<double>>)
    return form == value_form::half && fits_half(v.real()) && fits_half(v.imag());
  else if constexpr (is_complex<Value>)
    return false;
  else
    return form == value_form::byte ? fits_byte(v) : fits_half(v);
}

/// Whether all values are good, on threads, with an early end.
template <class Value, class Good> bool all_of(std::span<const Value> values, Good&& good) {
  constexpr std::int64_t piece = 4096;
  std::atomic<bool> all = true;
  parallel_ranges(static_cast<std::int64_t>(values.size()), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t first = begin; first < end && all.load(std::memory_order_relaxed); first += piece) {
      bool fine = true;
      for (std::int64_t k = first; k < std::min(end, first + piece); ++k)
        fine &= good(values[static_cast<std::size_t>(k)]);
      if (!fine) all.store(false, std::memory_order_relaxed);
    }
  });
  return all;
}

}  // namespace

template <class Value> value_form narrowest_form(values_view<Value> values) {
  if (values.iso || values.data.empty()) return value_form::one;
  const Value first = values.data[0];
  if (all_of(values.data, [&](const Value& v) { return same_bits(v, first); })) return value_form::one;
  if (cpu::has_byte<Value> && all_of(values.data, [](const Value& v) { return fits(v, value_form::byte); }))
    return value_form::byte;
  if (cpu::has_half<Value> && all_of(values.data, [](const Value& v) { return fits(v, value_form::half); }))
    return value_form::half;
  return value_form::full;
}

template <class Value> const char* form_name(value_form form) {
  constexpr bool wide = sizeof(real_of<Value>) == 8;
  switch (form) {
    case value_form::one:
      return "one";
    case value_form::byte:
      return "int8";
    case value_form::half:
      return !wide ? "half" : is_complex<Value> ? "complex-float" : "float";
    case value_form::full:
      break;
  }
  if (is_complex<Value>) return wide ? "complex-double" : "complex-float";
  return wide ? "double" : "float";
}

#define LACIS_FORMS(Value)                                       \
  template value_form narrowest_form(values_view<Value> values); \
  template const char* form_name<Value>(value_form form);
LACIS_FORMS(float)
LACIS_FORMS(double)
LACIS_FORMS(std::complex<float>)
LACIS_FORMS(std::complex<double>)

}  // namespace lacis::detail

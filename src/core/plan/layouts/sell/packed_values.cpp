// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Which form keeps values without loss.
#include "plan/layouts/sell/packed_values.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "base/parallel.hpp"
#include "base/target_clones.hpp"

namespace lacis::detail {
namespace {

using cpu::value_form;

template <class Real> bool same_bits(Real a, Real b) { return std::memcmp(&a, &b, sizeof(Real)) == 0; }

/// Whether 8 bits hold a number; not -0. Without branches: the compiler takes several at once.
template <class Real> bool fits_byte(Real v) {
  using bits = std::conditional_t<sizeof(Real) == 8, std::uint64_t, std::uint32_t>;
  const bool in_range = (v >= Real(-128)) & (v <= Real(127));
  const auto whole = static_cast<std::int32_t>(in_range ? v : Real(0));
  return in_range & (std::bit_cast<bits>(static_cast<Real>(whole)) == std::bit_cast<bits>(v));
}

bool fits_half(double v) {
  // Bits of integers: without branches, and no compiler takes it for a mistake.
  const bool in_range = (int{std::fabs(v) <= static_cast<double>(std::numeric_limits<float>::max())} |
                         int{std::fabs(v) == std::numeric_limits<double>::infinity()}) != 0;
  const auto narrow = static_cast<float>(in_range ? v : 0.0);
  return in_range & (std::bit_cast<std::uint64_t>(static_cast<double>(narrow)) == std::bit_cast<std::uint64_t>(v));
}
bool fits_half(float v) {
  constexpr float largest_half = 65504;
  return std::fabs(v) <= largest_half && same_bits(cpu::from_half(cpu::to_half(v)), v);
}

/// Compiled for wider vectors too: this is the only look at every value of a matrix.
#define LACIS_ALL_FIT(name, Real, fits)                                                      \
  LACIS_TARGET_CLONES("avx512f", "avx2") bool name(const Real* values, std::int64_t count) { \
    bool fine = true;                                                                        \
    for (std::int64_t k = 0; k < count; ++k) fine &= fits(values[k]);                        \
    return fine;                                                                             \
  }
LACIS_ALL_FIT(all_fit_byte, double, fits_byte)
LACIS_ALL_FIT(all_fit_byte, float, fits_byte)
LACIS_ALL_FIT(all_fit_half, double, fits_half)
LACIS_ALL_FIT(all_fit_half, float, fits_half)
#undef LACIS_ALL_FIT

/// Whether a form holds values; complex ones part by part.
template <class Value> bool all_fit(const Value* values, std::int64_t count, value_form form) {
  if constexpr (std::is_same_v<Value, std::complex<double>>)
    return form == value_form::half && all_fit_half(reinterpret_cast<const double*>(values), 2 * count);
  else if constexpr (is_complex<Value>)
    return false;
  else
    return form == value_form::byte ? all_fit_byte(values, count) : all_fit_half(values, count);
}

/// Whether good(values, count) for all of them, some at a time, on threads, with an early end.
template <class Value, class Good> bool all_of(std::span<const Value> values, Good&& good) {
  constexpr std::int64_t piece = 4096;
  std::atomic<bool> all = true;
  parallel_ranges(static_cast<std::int64_t>(values.size()), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t first = begin; first < end && all.load(std::memory_order_relaxed); first += piece)
      if (!good(values.data() + first, std::min(piece, end - first))) all.store(false, std::memory_order_relaxed);
  });
  return all;
}

}  // namespace

template <class Value> value_form narrowest_form(values_view<Value> values) {
  if (values.iso || values.data.empty()) return value_form::one;
  const Value* first = values.data.data();
  const auto like_first = [&](const Value* some, std::int64_t count) {
    return same_bits(*some, *first) &&
           std::memcmp(some, some + 1, static_cast<std::size_t>(count - 1) * sizeof(Value)) == 0;
  };
  if (all_of(values.data, like_first)) return value_form::one;
  for (const value_form form : {value_form::byte, value_form::half}) {
    if (form == value_form::byte ? !cpu::has_byte<Value> : !cpu::has_half<Value>) continue;
    if (all_of(values.data, [&](const Value* some, std::int64_t count) { return all_fit(some, count, form); }))
      return form;
  }
  return value_form::full;
}

template <class Value> value_form form_of_sample(values_view<Value> values) {
  constexpr std::size_t samples = 4096;
  if (values.iso || values.data.size() <= samples) return narrowest_form(values);
  std::vector<Value> some(samples);
  const std::size_t step = values.data.size() / samples;
  for (std::size_t k = 0; k < samples; ++k) some[k] = values.data[k * step + k % step];
  return narrowest_form(values_view<Value>(std::span<const Value>(some)));
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
  template value_form form_of_sample(values_view<Value> values); \
  template const char* form_name<Value>(value_form form);
LACIS_FORMS(float)
LACIS_FORMS(double)
LACIS_FORMS(std::complex<float>)
LACIS_FORMS(std::complex<double>)

}  // namespace lacis::detail

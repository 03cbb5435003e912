// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Numbers in device code: a complex number that is plain data, and the rounded operations of the order of summation.
#pragma once

#include "team/team.hpp"

namespace lacis::simt {

/// std::complex is not used on devices: nvcc compiled its operators to a copy of the left operand, silently. Aligned to
/// its size, so that it is read and written at once.
template <class Real> struct alignas(2 * sizeof(Real)) complex_number {
  Real re;
  Real im;
};

template <class T> inline constexpr bool is_complex_number = false;
template <class Real> inline constexpr bool is_complex_number<complex_number<Real>> = true;

/// a b, every operation rounded; compiled without contraction on either side.
LACIS_DEVICE_FN float multiply(float a, float b) { return a * b; }
LACIS_DEVICE_FN double multiply(double a, double b) { return a * b; }
template <class Real> LACIS_DEVICE_FN complex_number<Real> multiply(complex_number<Real> a, complex_number<Real> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

LACIS_DEVICE_FN float add(float a, float b) { return a + b; }
LACIS_DEVICE_FN double add(double a, double b) { return a + b; }
template <class Real> LACIS_DEVICE_FN complex_number<Real> add(complex_number<Real> a, complex_number<Real> b) {
  return {a.re + b.re, a.im + b.im};
}

// Integers, for reductions that count.
LACIS_DEVICE_FN int32_t add(int32_t a, int32_t b) { return a + b; }
LACIS_DEVICE_FN int64_t add(int64_t a, int64_t b) { return a + b; }

LACIS_DEVICE_FN float subtract(float a, float b) { return a - b; }
LACIS_DEVICE_FN double subtract(double a, double b) { return a - b; }
template <class Real> LACIS_DEVICE_FN complex_number<Real> subtract(complex_number<Real> a, complex_number<Real> b) {
  return {a.re - b.re, a.im - b.im};
}

/// a / b, every operation rounded; complex numbers by Smith's algorithm, as summation::divide has it.
LACIS_DEVICE_FN float divide(float a, float b) { return a / b; }
LACIS_DEVICE_FN double divide(double a, double b) { return a / b; }
template <class Real> LACIS_DEVICE_FN complex_number<Real> divide(complex_number<Real> a, complex_number<Real> b) {
  const Real re = b.re < 0 ? -b.re : b.re;
  const Real im = b.im < 0 ? -b.im : b.im;
  if (re >= im) {
    const Real ratio = b.im / b.re;
    const Real divisor = b.re + b.im * ratio;
    return {(a.re + a.im * ratio) / divisor, (a.im - a.re * ratio) / divisor};
  }
  const Real ratio = b.re / b.im;
  const Real divisor = b.re * ratio + b.im;
  return {(a.re * ratio + a.im) / divisor, (a.im * ratio - a.re) / divisor};
}

/// An integer as a value: zero and one.
template <class T> LACIS_DEVICE_FN T number(int whole) {
  if constexpr (is_complex_number<T>) {
    using real = decltype(T::re);
    return {static_cast<real>(whole), real(0)};
  } else {
    return static_cast<T>(whole);
  }
}

template <class T> LACIS_DEVICE_FN bool is_zero(T a) {
  if constexpr (is_complex_number<T>)
    return a.re == 0 && a.im == 0;
  else
    return a == 0;
}
template <class T> LACIS_DEVICE_FN bool is_one(T a) {
  if constexpr (is_complex_number<T>)
    return a.re == 1 && a.im == 0;
  else
    return a == 1;
}

/// round(alpha s); alpha = 1 skips the product.
template <class T> LACIS_DEVICE_FN T scale(T alpha, T s) { return is_one(alpha) ? s : multiply(alpha, s); }

/// round(beta y) into y: what alpha = 0 leaves of y = alpha s + beta y. beta = 0 does not read y.
template <class T> LACIS_DEVICE_FN void update_without_sum(T beta, T& y) {
  y = is_zero(beta) ? number<T>(0) : scale(beta, y);
}

/// round(round(alpha s) + round(beta y)) into y, as summation::combine has it: beta = 0 does not read y. A launch with
/// alpha = 0 does not reach a kernel that sums.
template <class T> LACIS_DEVICE_FN void update(T alpha, T s, T beta, T& y) {
  const T scaled = scale(alpha, s);
  y = is_zero(beta) ? scaled : add(scaled, scale(beta, y));
}

}  // namespace lacis::simt

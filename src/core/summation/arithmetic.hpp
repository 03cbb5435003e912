// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The rounded operations that sums are made of: products of mixed types, sums, magnitudes.
#pragma once

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>

#include <lacis/types.hpp>

#ifdef __FAST_MATH__
#error "the order of summation cannot be kept under -ffast-math"
#endif
static_assert(FLT_EVAL_METHOD == 0, "every operation must round to its own type");

namespace lacis::summation {

/// x, as a value that the compiler cannot look behind, so that no product is fused with the sum that follows it. Flags
/// alone do not ensure that: g++ 12.2 vectorises complex products with fused instructions even with -ffp-contract=off.
template <class Real> [[nodiscard]] inline Real rounded(Real x) {
#if defined(__x86_64__)
  asm("" : "+x"(x));
  return x;
#elif defined(__aarch64__)
  asm("" : "+w"(x));
  return x;
#else
  volatile Real stored = x;
  return stored;
#endif
}

/// a b. Operands are converted to the precision of the product first, which is exact; then every operation rounds:
/// complex (ar br - ai bi, ar bi + ai br), real by complex componentwise (a real number has no imaginary part, not a
/// zero one: 2 (Inf, 1) is (Inf, 2), without a NaN).
template <value A, value B> [[nodiscard]] product_of<A, B> multiply(A a, B b) {
  using real = real_of<product_of<A, B>>;
  if constexpr (is_complex<A> && is_complex<B>) {
    const real ar = a.real(), ai = a.imag(), br = b.real(), bi = b.imag();
    return {rounded(ar * br) - rounded(ai * bi), rounded(ar * bi) + rounded(ai * br)};
  } else if constexpr (is_complex<A>) {
    return multiply(b, a);
  } else if constexpr (is_complex<B>) {
    const real scalar = a;
    return {rounded(scalar * static_cast<real>(b.real())), rounded(scalar * static_cast<real>(b.imag()))};
  } else {
    return rounded(static_cast<real>(a) * static_cast<real>(b));
  }
}

/// a + b, componentwise.
template <value T> [[nodiscard]] T add(T a, T b) {
  if constexpr (is_complex<T>)
    return {a.real() + b.real(), a.imag() + b.imag()};
  else
    return a + b;
}

/// a b + sum with fused steps: one for real operands, one for each component of real by complex, and for complex
/// operands the chain re = fma(ar, br, re), re = fma(-ai, bi, re), im = fma(ar, bi, im), im = fma(ai, br, im).
template <value A, value B> [[nodiscard]] product_of<A, B> multiply_add_fused(A a, B b, product_of<A, B> sum) {
  using real = real_of<product_of<A, B>>;
  if constexpr (is_complex<A> && is_complex<B>) {
    const real ar = a.real(), ai = a.imag(), br = b.real(), bi = b.imag();
    return {std::fma(-ai, bi, std::fma(ar, br, sum.real())), std::fma(ai, br, std::fma(ar, bi, sum.imag()))};
  } else if constexpr (is_complex<A>) {
    return multiply_add_fused(b, a, sum);
  } else if constexpr (is_complex<B>) {
    const real scalar = a;
    return {std::fma(scalar, static_cast<real>(b.real()), sum.real()),
            std::fma(scalar, static_cast<real>(b.imag()), sum.imag())};
  } else {
    return std::fma(static_cast<real>(a), static_cast<real>(b), sum);
  }
}

/// The conjugate; a real number is its own.
template <value T> [[nodiscard]] T conjugate(T z) {
  if constexpr (is_complex<T>)
    return {z.real(), -z.imag()};
  else
    return z;
}

/// conj(a) b.
template <value A, value B> [[nodiscard]] product_of<A, B> multiply_conjugated(A a, B b) {
  return multiply(conjugate(a), b);
}

/// The larger of |re| and |im|; NaN when a part is.
template <value T> [[nodiscard]] real_of<T> largest_part(T z) {
  if constexpr (is_complex<T>) {
    const auto re = std::fabs(z.real());
    const auto im = std::fabs(z.imag());
    return re != re || re > im ? re : im;
  } else {
    return std::fabs(z);
  }
}

/// |factor z|^2: round(re re) + round(im im) of the scaled parts.
template <value T> [[nodiscard]] real_of<T> square(T z, real_of<T> factor) {
  if constexpr (is_complex<T>) {
    const auto re = z.real() * factor;
    const auto im = z.imag() * factor;
    return rounded(re * re) + rounded(im * im);
  } else {
    const auto scaled = z * factor;
    return rounded(scaled * scaled);
  }
}

/// The root of a sum of squares, rescued where the sum leaves the range in which it is accurate.
/// `sum_at(factor)` is the sum of the squares of all elements, each multiplied by `factor` first; `largest()` is the
/// largest part of an element in absolute value.
///
/// With s = sum_at(1): NaN gives NaN; min / epsilon <= s <= max gives sqrt(s). Otherwise m = largest() decides alone: 0
/// gives 0, infinity gives infinity, and any other m gives sqrt(sum_at(2^-e)) 2^e with e = floor(log2 m), kept within
/// the exponents whose powers and inverse powers are both normal numbers (-126 .. 126, -1022 .. 1022).
template <class Real, class SumAt, class Largest>
[[nodiscard]] Real root_of_squares(SumAt&& sum_at, Largest&& largest) {
  using limits = std::numeric_limits<Real>;
  const Real plain = sum_at(Real(1));
  if (plain != plain) return plain;
  if (plain >= limits::min() / limits::epsilon() && plain <= limits::max()) return std::sqrt(plain);
  const Real m = largest();
  if (m == 0 || m > limits::max()) return m;
  const int e = std::clamp(std::ilogb(m), limits::min_exponent - 1, 1 - limits::min_exponent);
  return std::sqrt(sum_at(std::ldexp(Real(1), -e))) * std::ldexp(Real(1), e);
}

/// |z|: root_of_squares of its parts; never hypot, whose bits differ from library to library. NaN when a part is NaN,
/// also beside an infinite one.
template <value T> [[nodiscard]] real_of<T> magnitude(T z) {
  if constexpr (is_complex<T>)
    return root_of_squares<real_of<T>>([&](real_of<T> factor) { return square(z, factor); },
                                       [&] { return largest_part(z); });
  else
    return std::fabs(z);
}

}  // namespace lacis::summation

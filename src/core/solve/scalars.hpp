// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Arithmetic of solvers on single numbers: every operation rounded once, whatever the library's complex operators do.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include <lacis/types.hpp>

#include "summation/arithmetic.hpp"
#include "summation/triangular.hpp"

namespace lacis::solver {

using summation::divide;
using summation::multiply;
using summation::subtract;

template <value T> [[nodiscard]] T conjugate(T a) {
  if constexpr (is_complex<T>)
    return {a.real(), -a.imag()};
  else
    return a;
}

/// The length of (a, b), also where their squares leave the range of the type.
template <class Real> [[nodiscard]] Real length_of(Real a, Real b) {
  constexpr Real smallest = std::numeric_limits<Real>::min() / std::numeric_limits<Real>::epsilon();
  const Real sum = a * a + b * b;
  const Real larger = std::max(std::fabs(a), std::fabs(b));
  if ((sum > smallest && std::isfinite(sum)) || larger == 0 || !std::isfinite(larger)) return std::sqrt(sum);
  const int exponent = std::ilogb(larger);
  a = std::scalbn(a, -exponent);
  b = std::scalbn(b, -exponent);
  return std::scalbn(std::sqrt(a * a + b * b), exponent);
}

/// |a|.
template <value T> [[nodiscard]] real_of<T> magnitude_of(T a) {
  if constexpr (is_complex<T>)
    return length_of(a.real(), a.imag());
  else
    return std::fabs(a);
}

template <value T> [[nodiscard]] bool is_finite(T a) {
  if constexpr (is_complex<T>)
    return std::isfinite(a.real()) && std::isfinite(a.imag());
  else
    return std::isfinite(a);
}

}  // namespace lacis::solver

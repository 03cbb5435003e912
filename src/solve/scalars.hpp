// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Arithmetic of solvers on single numbers: every operation rounded once, whatever the library's complex operators do.
#pragma once

#include <cmath>
#include <complex>
#include <string>

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

/// |a|^2.
template <value T> [[nodiscard]] real_of<T> square_of(T a) {
  if constexpr (is_complex<T>)
    return a.real() * a.real() + a.imag() * a.imag();
  else
    return a * a;
}

/// The length of (a, b). Numbers of solvers are far from the ends of the range: the right side is scaled.
template <class Real> [[nodiscard]] Real length_of(Real a, Real b) { return std::sqrt(a * a + b * b); }

template <value T> [[nodiscard]] bool is_finite(T a) {
  if constexpr (is_complex<T>)
    return std::isfinite(a.real()) && std::isfinite(a.imag());
  else
    return std::isfinite(a);
}

}  // namespace lacis::solver

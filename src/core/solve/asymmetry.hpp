// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Whether a matrix is Hermitian, but for the rounding errors of those who assembled it.
#pragma once

#include <cmath>
#include <limits>
#include <optional>

#include <lacis/csr.hpp>

namespace lacis::solver {

/// The most that rounding errors can make of an asymmetry. Contributions to one entry come in another order on the
/// other side: of the elements around an edge, times the points of a quadrature rule.
template <value T> inline constexpr double most_asymmetry = 64.0 * std::numeric_limits<real_of<T>>::epsilon();

/// Of a_ij and conj(a_ji), with the roots of |a_ii| and |a_jj|; infinite where it is no number.
template <value T> [[nodiscard]] double asymmetry_of_pair(T one, T other, double root_i, double root_j) {
  if (one == other) return 0;
  const double away = static_cast<double>(std::abs(one - other)) / (root_i * root_j);
  return std::isnan(away) ? std::numeric_limits<double>::infinity() : away;
}

/// 0: A is Hermitian, exactly. More: the largest |a_ij - conj(a_ji)| / sqrt(|a_ii| |a_jj|), no larger than rounding
/// errors can make it. Nothing: A is not Hermitian. Rows are canonical.
///
/// An entry of an assembled matrix is a sum of contributions, a_ij and a_ji in different orders. Where contributions
/// are positive semidefinite, as those of elements are, the sum of their magnitudes is at most sqrt(a_ii a_jj).
template <class T, class Index> [[nodiscard]] std::optional<double> asymmetry_of(const csr_view<T, Index>& a);

}  // namespace lacis::solver

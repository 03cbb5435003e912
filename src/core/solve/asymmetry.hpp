// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Whether a matrix is Hermitian, but for the rounding errors of those who assembled it.
#pragma once

#include <optional>

#include <lacis/csr.hpp>

namespace lacis::solver {

/// 0: A is Hermitian, exactly. More: the largest |a_ij - conj(a_ji)| / sqrt(|a_ii| |a_jj|), no larger than rounding
/// errors can make it. Nothing: A is not Hermitian. Rows are canonical.
///
/// An entry of an assembled matrix is a sum of contributions, a_ij and a_ji in different orders. Where contributions
/// are positive semidefinite, as those of elements are, the sum of their magnitudes is at most sqrt(a_ii a_jj).
template <class T, class Index> [[nodiscard]] std::optional<double> asymmetry_of(const csr_view<T, Index>& a);

}  // namespace lacis::solver

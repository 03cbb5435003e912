// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Incomplete factors with the pattern of the matrix. Rows in levels; each row's operations in a fixed order, so neither
// threads nor levels change a bit.
#pragma once

#include <lacis/csr.hpp>
#include <lacis/export.hpp>

#include "cpu/triangular/levels.hpp"

namespace lacis::solver {

/// In which order rows are factored. It depends on the pattern alone.
template <class Index> struct factor_order {
  cpu::row_schedule<Index> rows;
  int threads = 1;
};
template <class T, class Index>
[[nodiscard]] LACIS_API factor_order<Index> order_of(const csr_view<T, Index>& a, int threads);

/// In place: below the diagonal L (whose diagonal is one), on and above it U. For ascending i, for ascending k < i in
/// row i: a_ik = a_ik / a_kk, then a_ij = a_ij - round(a_ik a_kj) for every j > k that both rows store (Saad, algorithm
/// 10.4). Throws error(invalid_matrix) that names the first row whose pivot is missing, zero or not finite.
template <class T, class Index> LACIS_API void factor_ilu0(csr_matrix<T, Index>& a, const factor_order<Index>& order);

/// In place, in the lower triangle of a Hermitian matrix, which is all that `a` holds: A = L L^H. For ascending i, for
/// ascending k <= i in row i: s = a_ik, then s = s - round(l_ij conj(l_kj)) for ascending j < k that both rows store;
/// l_ik = s / l_kk, l_ii = sqrt(s). Returns the first row whose pivot is not positive, -1 when all are.
template <class T, class Index>
[[nodiscard]] LACIS_API std::int64_t factor_ic0(csr_matrix<T, Index>& a, const factor_order<Index>& order);

}  // namespace lacis::solver

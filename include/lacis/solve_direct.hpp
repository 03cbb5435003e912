// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Systems solved by whole factors, through SuiteSparse.
#pragma once

#include <span>

#include <lacis/csr.hpp>
#include <lacis/export.hpp>
#include <lacis/solve.hpp>

namespace lacis {

/// Whether this build has SuiteSparse (LACIS_WITH_SUITESPARSE).
[[nodiscard]] LACIS_API bool has_direct_solver();

struct direct_options {
  double tolerance = 1e-8;         ///< of |b - A x| / |b|
  bool positive_definite = false;  ///< try CHOLMOD before KLU; A is Hermitian
};

namespace detail {
template <class T, class Index>
LACIS_API solve_report solve_direct(const csr_view<T, Index>& a, std::span<const T> b, std::span<T> x,
                                    const direct_options& options);
}

/// Solves A x = b with factors of KLU, or of CHOLMOD for real positive definite matrices, in double, and corrects x
/// until the residual stays. Factors may need much more memory than A. Throws error(unsupported) in a build without
/// SuiteSparse and error(invalid_argument) where sizes do not fit.
template <class Matrix>
solve_report solve_direct(const Matrix& a, std::span<const typename Matrix::value_type> b,
                          std::span<typename Matrix::value_type> x, const direct_options& options = {}) {
  return detail::solve_direct(a.view(), b, x, options);
}

}  // namespace lacis

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Systems solved by sparse factors, through KLU and CHOLMOD of SuiteSparse.
#pragma once

#include <span>

#include <lacis/csr.hpp>
#include <lacis/export.hpp>
#include <lacis/solve.hpp>
#include <lacis/wide_offsets.hpp>

namespace lacis {

/// Whether this build has KLU (LACIS_WITH_KLU), with which solve_direct works.
[[nodiscard]] LACIS_API bool has_direct_solver();
/// Whether it has CHOLMOD too (LACIS_WITH_CHOLMOD). Parts of CHOLMOD are under the GPL: releases of lacis are without
/// it.
[[nodiscard]] LACIS_API bool has_cholmod();

/// How a direct solution runs.
struct direct_options {
  double tolerance = tolerance_of_type;  ///< of |b - A x| / |b|
  bool positive_definite = false;        ///< try CHOLMOD, where there is one, before KLU; A is Hermitian
};

namespace detail {
template <class T, class Index>
LACIS_API solve_report solve_direct(const csr_view<T, Index>& a, std::span<const T> b, std::span<T> x,
                                    const direct_options& options);
}

/// Solves A x = b with factors of KLU, or of CHOLMOD (where the build has it) for real positive definite matrices, in
/// double, and corrects x until the residual stays; the report's reason names the library. Factors may need much more
/// memory than A. Throws error(unsupported) in a build without KLU and error(invalid_argument) where sizes do not fit.
template <class Matrix>
[[nodiscard]] solve_report solve_direct(const Matrix& a, std::span<const typename Matrix::value_type> b,
                                        std::span<typename Matrix::value_type> x, const direct_options& options = {}) {
  return detail::solve_direct(detail::wide(a).view(), b, x, options);
}

}  // namespace lacis

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Preconditioners: operators that are nearly the inverse of a matrix.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <lacis/csr.hpp>
#include <lacis/device.hpp>
#include <lacis/export.hpp>
#include <lacis/multigrid.hpp>
#include <lacis/operator.hpp>
#include <lacis/wide_offsets.hpp>

namespace lacis {

/// What approximates the inverse of the matrix.
enum class preconditioner_kind {
  jacobi,        ///< the diagonal
  block_jacobi,  ///< dense blocks on the diagonal
  ssor,          ///< symmetric successive over-relaxation: both triangles
  ilu0,          ///< incomplete LU factors with the pattern of A
  ic0,           ///< incomplete Cholesky factors with the pattern of A, which is Hermitian
  chebyshev,     ///< a polynomial in A: no triangles, good on many threads and on devices
  amg            ///< algebraic multigrid: iterations hardly grow with the size of a discretised equation
};
/// The number of preconditioner_kind's values.
inline constexpr std::size_t preconditioner_kinds = 7;
/// "jacobi", "block-jacobi", "ssor", "ilu0", "ic0", "chebyshev", "amg".
[[nodiscard]] LACIS_API std::string_view name_of(preconditioner_kind kind);

/// Which preconditioner is made, and how.
struct preconditioner_options {
  preconditioner_kind kind = preconditioner_kind::jacobi;  ///< which one
  int block = 4;                                           ///< block_jacobi: rows of a block, 1 to 32
  double relaxation = 1;                                   ///< ssor: between 0 and 2
  int degree = 4;                                          ///< chebyshev: products with A
  int threads = 0;                                         ///< 0: as many as OpenMP gives
  device_id device = {};                                   ///< where it works: with the operator that it goes with
  /// chebyshev: between which eigenvalues of D^-1 A, D the diagonal, the polynomial is to be small; 0: the largest is
  /// estimated by 20 Lanczos steps and widened, the smallest is a 30th of the largest.
  double smallest_eigenvalue = 0;
  double largest_eigenvalue = 0;     ///< see smallest_eigenvalue
  multigrid_options multigrid = {};  ///< amg: the hierarchy
};

/// A preconditioner that can follow its matrix. As other operators it may be shared between threads that apply it on
/// the processor; update_values needs it for itself.
template <value T> class preconditioner : public linear_operator<T> {
 public:
  /// Of the matrix that it was made from; the pattern is the same.
  virtual void update_values(std::span<const T> values) = 0;
  /// What it is and what was done to make it, in a sentence.
  [[nodiscard]] virtual std::string describe() const = 0;
  /// Bytes of everything that it holds.
  [[nodiscard]] virtual std::int64_t storage_bytes() const = 0;
  /// The levels of amg; null for the others.
  [[nodiscard]] virtual const multigrid_report* hierarchy() const { return nullptr; }
};

namespace detail {
template <class T, class Index>
LACIS_API std::unique_ptr<preconditioner<T>> make_preconditioner(const csr_view<T, Index>& a,
                                                                 const preconditioner_options& options);
}

/// Throws error(invalid_matrix) where A does not allow it: a diagonal that is missing or zero, a factor without a
/// pivot, a matrix that is not square or whose rows are not canonical.
template <class Matrix>
[[nodiscard]] auto make_preconditioner(const Matrix& a, const preconditioner_options& options = {}) {
  return detail::make_preconditioner(detail::wide(a).view(), options);
}

}  // namespace lacis

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A method and a preconditioner for a matrix, chosen from what it is, and others when they fail.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <lacis/convert.hpp>
#include <lacis/precondition.hpp>
#include <lacis/solve.hpp>
#include <lacis/validate.hpp>
#include <lacis/wide_offsets.hpp>

namespace lacis {

/// What was found out about a matrix before solving with it.
struct system_facts {
  bool square = false;             ///< as many rows as columns
  bool hermitian = false;          ///< a_ij == conj(a_ji), but for rounding errors; exactly, where asymmetry is 0
  double asymmetry = 0;            ///< of a Hermitian matrix: the largest |a_ij - conj(a_ji)| / sqrt(|a_ii| |a_jj|)
  bool full_diagonal = false;      ///< every diagonal entry is stored and not zero
  bool positive_diagonal = false;  ///< real and positive
  bool dominant = false;           ///< no diagonal entry is smaller than the rest of its row
  double dominated_rows = 0;       ///< the share of rows of which that is true
  bool tridiagonal = false;        ///< nothing beyond the neighbours of the diagonal
  double diagonal_spread = 1;      ///< the largest |a_ii| over the smallest
  bool indefinite = false;         ///< a direction of negative curvature was met (Hermitian matrices)
};

/// A method and a preconditioner, and why they suit the matrix.
struct solver_choice {
  solve_method method = solve_method::gmres;               ///< unless direct
  std::optional<preconditioner_kind> preconditioner = {};  ///< nothing: none
  std::string why;                                         ///< in a sentence
  double share = 1;                                        ///< of the work, beside the others
  bool direct = false;  ///< a sparse LU or Cholesky factorisation instead of the method
};
/// "cg with ic0", "gmres", "direct".
[[nodiscard]] LACIS_API std::string name_of(const solver_choice& choice);

/// What solve(A, b, x) may choose, and what is given.
struct auto_options {
  solve_options solve = {};  ///< tolerance, limits, monitor and checkpoint
  /// These instead of what the matrix suggests.
  std::optional<solve_method> method = {};
  /// This preconditioner instead of what the matrix suggests.
  std::optional<preconditioner_kind> preconditioner = {};
  multigrid_options multigrid = {};  ///< amg, where it is tried: the hierarchy
  bool no_preconditioner = false;    ///< none, whatever the matrix suggests
  bool direct = false;               ///< sparse LU or Cholesky (solve_direct.hpp) instead of a method
  bool mixed = false;                ///< mixed-precision refinement (solve_refined)
  int threads = 0;                   ///< 0: as many as OpenMP gives
  device_id device = {};             ///< where products run
};

/// One method that was tried.
struct solve_attempt {
  solver_choice choice;                            ///< what was tried
  solve_report report;                             ///< how it went
  std::string preconditioner;                      ///< what it says of itself, empty without
  double prepare_seconds = 0;                      ///< to make the preconditioner or the factors
  std::optional<multigrid_report> hierarchy = {};  ///< of amg
};

/// What was found out, tried and reached.
struct auto_report {
  system_facts facts;                   ///< of the matrix
  std::vector<solve_attempt> attempts;  ///< the last one gave x
  std::string layout;                   ///< of the plan
  double plan_seconds = 0;              ///< to make the plan
  double read_gbs = 0;                  ///< at which the plan's threads read memory on this machine

  /// The report of the last attempt, which gave x.
  [[nodiscard]] LACIS_API const solve_report& result() const;
};

namespace detail {
template <class T, class Index> LACIS_API system_facts facts_of(const csr_view<T, Index>& a);
template <class T, class Index>
LACIS_API auto_report solve_auto(const csr_view<T, Index>& a, std::span<const T> b, std::span<T> x,
                                 const auto_options& options);
template <class T, class Index>
LACIS_API auto_report solve_auto(const plan<T, Index>& a, std::span<const T> b, std::span<T> x,
                                 const auto_options& options);
}  // namespace detail

/// In which order methods are tried on such a matrix.
[[nodiscard]] LACIS_API std::vector<solver_choice> choices_for(const system_facts& facts);

/// Solves A x = b. Methods take turns, each with three times the work of the turn before and more of them every time,
/// until one has converged; each goes on where it was. Turns are counted in work, not in time: the result has the same
/// bits on any number of threads. x is the best that was found.
template <class Matrix>
[[nodiscard]] auto_report solve_auto(const Matrix& a, std::span<const typename Matrix::value_type> b,
                                     std::span<typename Matrix::value_type> x, const auto_options& options = {}) {
  return detail::solve_auto(detail::wide(a).view(), b, x, options);
}

/// The same for a matrix in any format and vectors in any contiguous range. Rows must be canonical (canonical(A));
/// other formats are converted to CSR first. Throws error(invalid_matrix) where A is not valid (validate.hpp).
template <class Matrix, class B, class X>
  requires requires(const Matrix& a) { a.view(); }
[[nodiscard]] auto_report solve(const Matrix& a, const B& b, X&& x, const auto_options& options = {}) {
  using T = typename Matrix::value_type;
  using Index = typename Matrix::index_type;
  if constexpr (!detail::are_system_vectors<T, B, X>()) {
    return {};
  } else if constexpr (detail::is_csr<Matrix>) {
    const auto wide = detail::wide(a);
    require_valid(wide);
    return detail::solve_auto<T, Index>(wide.view(), detail::elements(b), detail::writable_elements(x), options);
  } else {
    const auto wide = detail::wide(a);
    require_valid(wide);
    const auto rows = detail::to_csr(wide.view());
    return detail::solve_auto<T, Index>(rows.view(), detail::elements(b), detail::writable_elements(x), options);
  }
}

/// The same for the matrix that a plan multiplies with. Facts and preconditioners need its entries, so a CSR copy is
/// made from the plan and lives until the system is solved; products are those of the plan, with its threads. lsqr,
/// where it is tried, uses the plan's adjoint, or a plan of its own where this one holds none. The entries of a plan of
/// a device cannot be read back: error(unsupported).
template <value T, index Index, class B, class X>
[[nodiscard]] auto_report solve(const plan<T, Index>& a, const B& b, X&& x, const auto_options& options = {}) {
  if constexpr (detail::are_system_vectors<T, B, X>())
    return detail::solve_auto<T, Index>(a, detail::elements(b), detail::writable_elements(x), options);
  else
    return {};
}

}  // namespace lacis

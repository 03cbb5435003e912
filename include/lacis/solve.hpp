// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Systems of equations, solved by iteration.
#pragma once

#include <complex>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <lacis/export.hpp>
#include <lacis/operator.hpp>

namespace lacis {

enum class solve_method {
  cg,         ///< conjugate gradients: Hermitian, positive definite
  minres,     ///< minimal residuals: Hermitian, also indefinite or singular
  bicgstab,   ///< any square matrix, few vectors, erratic
  gmres,      ///< any square matrix: the smallest residual in the space so far, restarted
  fgmres,     ///< the same with a preconditioner that may change from step to step
  lsqr,       ///< any matrix, least squares; needs the adjoint
  chebyshev,  ///< Hermitian, positive definite, spectrum known: no dot products
};
inline constexpr std::size_t solve_methods = 7;
/// "cg", "minres", "bicgstab", "gmres", "fgmres", "lsqr", "chebyshev".
[[nodiscard]] LACIS_API std::string_view name_of(solve_method method);

/// How far a solver is.
struct solve_progress {
  std::int64_t iteration = 0;
  double residual = 0;  ///< |b - A x| / |b| as the recurrence has it
};

/// Why a solver stopped.
enum class solve_outcome {
  converged,       ///< the true residual is within the tolerance
  max_iterations,  ///< solve_options.max_iterations reached
  stopped,         ///< by the monitor
  stagnated,       ///< converged by the recurrence, not by the true residual, and going on does not help
  broke_down,      ///< a division by zero, or the matrix is not what the method needs
  out_of_range,    ///< there is a solution, but its elements are too large or too small for the type
  iterations [[deprecated("use max_iterations")]] = max_iterations
};
[[nodiscard]] LACIS_API std::string_view name_of(solve_outcome outcome);

struct solve_options {
  double tolerance = 1e-8;          ///< of |b - A x| / |b|
  std::int64_t max_iterations = 0;  ///< 0: ten times the unknowns, 1000 at least
  int restart = 50;                 ///< restart length of gmres and fgmres, at most the number of unknowns
  /// Called after every iteration; false stops.
  std::function<bool(const solve_progress&)> monitor = {};
  /// A directory where the state is kept every `checkpoint_every` iterations, and from which it goes on when it holds
  /// the state of this system; empty: none. The bits of the result are those of an undisturbed run.
  std::string checkpoint = {};
  std::int64_t checkpoint_every = 100;
  /// The state stays when the system is solved, for callers who have yet to save x; remove_checkpoint() takes it away.
  bool keep_checkpoint = false;
  /// chebyshev: bounds of the eigenvalues; 0: estimated.
  double smallest_eigenvalue = 0;
  double largest_eigenvalue = 0;
};

/// Time that one kind of operation took.
struct solve_share {
  std::string operation;
  std::int64_t calls = 0;
  double seconds = 0;
  double moved_bytes = 0;  ///< at least; 0: unknown
};

struct solve_report {
  solve_outcome outcome = solve_outcome::max_iterations;
  std::int64_t iterations = 0;
  double residual = 0;       ///< by the recurrence
  double true_residual = 0;  ///< |b - A x| / |b|, computed at the end
  double seconds = 0;
  std::int64_t resumed_at = 0;  ///< the iteration of the checkpoint it went on from
  std::uint64_t system = 0;     ///< identifies the states of this system; 0 without a checkpoint
  std::string reason;           ///< one sentence, with advice where it did not converge
  std::vector<double> history;  ///< the residual after every iteration
  std::vector<solve_share> shares;

  [[nodiscard]] bool converged() const { return outcome == solve_outcome::converged; }
};

/// Solves A x = b from the x that is given; |b| = 0 gives x = 0. `preconditioner` is nearly the inverse of A; cg,
/// minres and chebyshev need it Hermitian and positive definite.
///
/// A and b may have any size that the type holds: both are scaled by powers of two. Success is reported only where the
/// true residual of the x that is given back, rounding errors of its own computation included, is within the tolerance;
/// for lsqr, which takes a least-squares solution for an answer, |A^H r| / (|A| |r|) may be within it instead. x is
/// finite in any case.
/// Throws error(invalid_argument) where sizes do not fit, b or x is not finite, or the method cannot take a
/// preconditioner. Entries of A that are not finite end it as broken down.
template <value T>
LACIS_API solve_report solve(solve_method method, const linear_operator<T>& a, std::span<const T> b, std::span<T> x,
                             const solve_options& options = {}, const linear_operator<T>* preconditioner = nullptr);

/// Removes the states of a system that has been solved with keep_checkpoint; `system` is that of its report. Others
/// stay.
LACIS_API void remove_checkpoint(const std::string& directory, std::uint64_t system);

/// The single-precision type of the same kind.
template <class T> using narrow_of = std::conditional_t<is_complex<T>, std::complex<float>, float>;

/// The same with half the bytes: corrections x + d with A d = b - A x are found by the method in the narrow type,
/// residuals are computed in T. `narrow` is A in that type, `preconditioner` is for it. For T double or complex double,
/// square systems whose condition the narrow type can bear; no checkpoints.
template <value T>
LACIS_API solve_report solve_refined(solve_method method, const linear_operator<T>& a,
                                     const linear_operator<narrow_of<T>>& narrow, std::span<const T> b, std::span<T> x,
                                     const solve_options& options = {},
                                     const linear_operator<narrow_of<T>>* preconditioner = nullptr);

/// Solves A X = B for all columns of B at once, by conjugate gradients whose products share one pass over the matrix. A
/// column's bits are those of solve(solve_method::cg, ...) alone. B and X are column-major, on the processor; the
/// monitor sees the largest residual. One report per column; their times are those of the whole.
template <value T, index Index>
LACIS_API std::vector<solve_report> solve_columns(const plan<T, Index>& a, const dense_view<const T>& b,
                                                  const dense_view<T>& x, const solve_options& options = {});

}  // namespace lacis

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Algebraic multigrid: what can be chosen about a hierarchy, and what was made. precondition.hpp makes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lacis/export.hpp>

namespace lacis {

/// How often a cycle of multigrid visits the coarser levels.
enum class multigrid_cycle {
  v,  ///< once
  w,  ///< twice from the second level on: fewer iterations where coefficients jump, more work
  /// As a preconditioner of a Krylov method on every level between the finest and the coarsest, which takes two steps,
  /// or one where that reduces the residual to a quarter (Notay and Vassilevski 2008). The cycle is then no linear map:
  /// cg takes its flexible form, fgmres and bicgstab work too; methods without method_traits::takes_variable refuse it.
  k
};
/// The number of multigrid_cycle's values.
inline constexpr std::size_t multigrid_cycles = 3;
/// "v", "w", "k".
[[nodiscard]] LACIS_API std::string_view name_of(multigrid_cycle cycle);

/// What reduces the rough part of the error on a level.
enum class multigrid_smoother {
  chebyshev,  ///< a Chebyshev polynomial in D^-1 A, D the diagonal; A is Hermitian
  l1_jacobi   ///< Jacobi's method with the sums of the magnitudes of each row in place of the diagonal; any A
};
/// The number of multigrid_smoother's values.
inline constexpr std::size_t multigrid_smoothers = 2;
/// "chebyshev", "l1-jacobi".
[[nodiscard]] LACIS_API std::string_view name_of(multigrid_smoother smoother);

/// Smoothed aggregation (Vanek, Mandel and Brezina 1996): rows that are strongly connected become one row of the next
/// level. The defaults suit scalar diffusion; what they give up is in the guide *Multigrid*.
struct multigrid_options {
  /// An entry is strong where |a_ij| > strength sqrt(m_i m_j), m the largest magnitude beside the diagonal in a row.
  double strength = 0.25;
  multigrid_cycle cycle = multigrid_cycle::v;  ///< how often coarser levels are visited
  /// Nothing: chebyshev where A is Hermitian, l1_jacobi where it is not.
  std::optional<multigrid_smoother> smoother = {};
  int degree = 2;  ///< of the Chebyshev polynomial, or steps of Jacobi's method, before and after each visit
  /// Rows per node: 2 or 3 displacements in elasticity, 1 for a scalar. Aggregates are made of nodes.
  int block = 1;
  /// Vectors that A nearly annihilates, one after the other, each with as many elements as A has rows: for elasticity
  /// the rigid-body modes. Empty: a constant, or for blocks one constant per row of the block. Read while the
  /// preconditioner is made.
  std::span<const double> near_null_space = {};
  /// Entries of an interpolated row that are smaller than this share of its largest are dropped; the sum is kept.
  double truncation = 0;
  std::int64_t coarsest_rows = 500;  ///< a level of at most this many rows, 500 by default, is solved by dense factors
  /// The cycle in single precision: a preconditioner needs no more, and reads half the bytes. Not on devices.
  bool narrow = true;
};

/// One level of a hierarchy.
struct multigrid_level {
  std::int64_t rows = 0;          ///< of its matrix
  std::int64_t entries = 0;       ///< of its matrix
  std::string layout;             ///< of its plan, or "dense" where it is solved by factors
  std::string aggregation;        ///< how its rows were put together, empty at the end
  double largest_eigenvalue = 0;  ///< of D^-1 A, estimated; 0 where it is solved by factors
  int ranks = 1;                  ///< that share its rows; 1: there is one, or each of them has the whole level
};

/// Seconds of one phase of the set-up, over all levels.
struct multigrid_phase {
  std::string name;    ///< "strength", "aggregates", ...
  double seconds = 0;  ///< measured
};

/// What was made, and what it took.
struct multigrid_report {
  std::vector<multigrid_level> levels;  ///< the finest first
  std::vector<multigrid_phase> phases;  ///< in the order in which they come first
  /// Entries of all levels over those of the finest.
  double operator_complexity = 0;
  double setup_seconds = 0;                    ///< of everything
  bool narrow = false;                         ///< the cycle is in single precision
  bool hermitian = true;                       ///< A equals its conjugate transpose; if not, restriction is made of A^H
  multigrid_cycle cycle = multigrid_cycle::v;  ///< as requested
  multigrid_smoother smoother = multigrid_smoother::chebyshev;  ///< of every level but one that is solved by factors
  std::string remark;  ///< what a reader should know of the coarsest level; empty: nothing
};

}  // namespace lacis

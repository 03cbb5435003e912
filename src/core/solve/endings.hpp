// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// How iterations end, in words.
#pragma once

#include <cstdint>
#include <string>

#include <lacis/solve.hpp>

#include "base/text.hpp"

namespace lacis::solver {

struct ending {
  solve_outcome outcome;
  std::string reason;
};

inline ending solved(double residual) {
  return {solve_outcome::converged, detail::text("the true residual is ", residual)};
}
/// What lsqr takes for an answer where no x fits.
inline ending least_squares(double residual, double error) {
  return {solve_outcome::converged,
          detail::text("a least-squares solution: |A^H r| / (|A| |r|) is ", error, ", the true residual ", residual)};
}
inline ending out_of_iterations(std::int64_t done) {
  return {solve_outcome::max_iterations, detail::text("did not converge in ", done, " iterations")};
}
inline ending lost_in_rounding(double rounding) {
  return {solve_outcome::stagnated,
          detail::text("the residual is within the tolerance, but its own rounding errors are about ", rounding,
                       ": relax the tolerance, scale the rows of A, or take a wider type")};
}
/// `rounding`: what rounding errors of the residual may be where they are as large as it is, or 0.
inline ending at_attainable_accuracy(double error, double rounding) {
  if (rounding > 0)
    return {solve_outcome::stagnated,
            detail::text("the true residual stays at ", error, ", and the rounding errors of A x may be ", rounding,
                         ": no method does much better in this precision; relax the tolerance, scale the rows of A, or "
                         "take a wider type")};
  return {solve_outcome::stagnated,
          detail::text("converged by the recurrence, but the true residual stays at ", error,
                       ": the attainable accuracy is reached; relax the tolerance, or scale the rows of A")};
}

// What cg and bicgstab break down with.
inline constexpr const char* not_positive_definite =
    "p^H A p is not positive: the matrix is not positive definite; try minres or gmres";
inline constexpr const char* preconditioner_not_positive_definite =
    "r^H M r is negative: the preconditioner is not positive definite";
inline constexpr const char* orthogonal_to_direction = "the shadow residual is orthogonal to A p; try gmres";
inline constexpr const char* no_part_along_residual = "A r has no part along r; try gmres";
inline constexpr const char* orthogonal_to_shadow = "the residual is orthogonal to the shadow residual; try gmres";

}  // namespace lacis::solver

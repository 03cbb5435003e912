// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Methods for preconditioners that are no linear map.
#pragma once

#include <lacis/precondition.hpp>
#include <lacis/solve.hpp>

namespace lacis::solver {

/// Whether the recurrence of a method holds when the preconditioner changes from step to step: cg then has a flexible
/// form, and bicgstab's x and residual follow the very vectors that the preconditioner gave.
[[nodiscard]] inline bool takes_variable(solve_method method) {
  return method == solve_method::cg || method == solve_method::fgmres || method == solve_method::bicgstab;
}

/// Whether that preconditioner is one.
[[nodiscard]] inline bool is_variable(preconditioner_kind kind, const multigrid_options& how) {
  return kind == preconditioner_kind::amg && how.cycle == multigrid_cycle::k;
}

}  // namespace lacis::solver

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Preconditioners that are no linear map.
#pragma once

#include <lacis/precondition.hpp>

namespace lacis::solver {

/// Whether that preconditioner is one; method_traits says which methods take it.
[[nodiscard]] inline bool is_variable(preconditioner_kind kind, const multigrid_options& how) {
  return kind == preconditioner_kind::amg && how.cycle == multigrid_cycle::k;
}

}  // namespace lacis::solver

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What a turn of a method costs, and whether it should have another one.
#pragma once

#include <vector>

#include <lacis/solve_auto.hpp>

#include "base/internal.hpp"

namespace lacis::solver {

/// The bytes that an iteration moves, over those of one of conjugate gradients: products, vectors, and triangles, whose
/// rows wait for each other. `value` is the size of an entry's value.
[[nodiscard]] double work_of(const solver_choice& choice, double rows, double entries, double value, int restart);

/// Methods whose residual may jump or stay for good: the best of the second half of many iterations is hardly better.
[[nodiscard]] bool is_hopeless(solve_method method, const std::vector<double>& history);

/// How many iterations it takes to the tolerance: between what it is if every iteration gains as much as those of the
/// last half, and if every doubling of their number gains as much as the last one. Conjugate gradients lose early what
/// is easy in b, and slow down in what is left; how much depends on the matrix.
[[nodiscard]] LACIS_INTERNAL double iterations_left(const std::vector<double>& history, double tolerance);

}  // namespace lacis::solver

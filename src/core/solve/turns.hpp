// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What a turn of a method costs, and whether it should have another one.
#pragma once

#include <vector>

#include <lacis/solve_auto.hpp>

namespace lacis::solver {

/// The bytes that an iteration moves, over those of one of conjugate gradients: products, vectors, and triangles, whose
/// rows wait for each other. `value` is the size of an entry's value.
[[nodiscard]] double work_of(const solver_choice& choice, double rows, double entries, double value, int restart);

/// Methods whose residual may jump or stay for good: the best of the second half of many iterations is hardly better.
[[nodiscard]] bool is_hopeless(solve_method method, const std::vector<double>& history);

}  // namespace lacis::solver

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Refinement whose narrow matrix is A over a power of two, where A itself is out of the narrow type's range.
#pragma once

#include <lacis/solve.hpp>

namespace lacis::solver {

/// solve_refined(), `narrow` being 2^-exponent A.
template <value T>
[[nodiscard]] solve_report refine(solve_method method, const linear_operator<T>& a,
                                  const linear_operator<narrow_of<T>>& narrow, int exponent, std::span<const T> b,
                                  std::span<T> x, const solve_options& options,
                                  const linear_operator<narrow_of<T>>* preconditioner);

}  // namespace lacis::solver

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What needs an operator with as many rows as columns.
#pragma once

#include <lacis/error.hpp>
#include <lacis/operator.hpp>

#include "base/text.hpp"

namespace lacis::solver {

/// For apply_and_dot(): the dot product is of x, which has as many elements as A has columns, and of y = A x.
template <value T> void require_square(const linear_operator<T>& a) {
  if (a.rows() != a.cols())
    throw error(errc::invalid_argument, detail::text("the dot product of x and A x needs a square matrix, not one of ",
                                                     a.rows(), " x ", a.cols()));
}

}  // namespace lacis::solver

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The dense side of a product: x as it is, and a new array for y.
#pragma once

#include <cstdint>

#include "arrays.hpp"

namespace lacis_python {

/// x and y of y = A x, where x is a vector, or a matrix with one column per product. For x A the operand is x^T: the
/// same arrays with their axes exchanged (`exchanged`).
struct operands {
  array x, y;
  nb::object result;
  lacis_dense x_dense = LACIS_INIT(lacis_dense);
  lacis_dense y_dense = LACIS_INIT(lacis_dense);
  bool single = false;       ///< one column: x and y are contiguous vectors
  bool keeps_order = false;  ///< y of an x in the order of Fortran has that order too; else that of C, as SciPy's has

  /// False where x is not an array that lacis reads as it is, or does not fit a matrix of rows x cols. `out` may be
  /// None; one that does not fit throws ValueError.
  [[nodiscard]] bool open(nb::handle x_object, lacis_type matrix_type, std::int64_t rows, std::int64_t cols,
                          bool exchanged, nb::handle out = nb::handle());
};

}  // namespace lacis_python

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
#include "operands.hpp"

#include <nanobind/stl/string.h>
#include <string>
#include <utility>

namespace lacis_python {

namespace {

void describe(lacis_dense& dense, const array& a, bool exchanged) {
  dense.type = type_of(a.kind());
  dense.rows = a.extent(0);
  dense.cols = a.extent(1);
  dense.row_stride = a.stride(0);
  dense.col_stride = a.stride(1);
  dense.data = a.data();
  if (exchanged) {
    std::swap(dense.rows, dense.cols);
    std::swap(dense.row_stride, dense.col_stride);
  }
}

}  // namespace

bool operands::open(nb::handle x_object, lacis_type matrix_type, std::int64_t rows, std::int64_t cols, bool exchanged,
                    nb::handle out) {
  if (!x.open(x_object) || !is_value(x.kind())) return false;
  const element kind = element_of(lacis_product_type(matrix_type, type_of(x.kind())));
  const bool given = out.is_valid() && !out.is_none();
  const int dimensions = x.dimensions();
  if (dimensions == 1) {
    if (!x.is_vector() || x.extent(0) != cols) return false;
    single = true;
    result = given ? nb::borrow(out) : new_vector(kind, rows);
  } else if (dimensions == 2) {
    if (!x.is_matrix() || x.extent(exchanged ? 1 : 0) != cols) return false;
    const std::int64_t columns = x.extent(exchanged ? 0 : 1);
    single = columns == 1 && x.is_c_contiguous();
    // A single column is in both orders. SciPy computes x A as the transpose of A^T x^T, which turns the order over.
    const bool turned = !single && x.is_f_contiguous() && !x.is_c_contiguous();
    const bool fortran = keeps_order ? turned : exchanged;
    result = given       ? nb::borrow(out)
             : exchanged ? new_matrix(kind, columns, rows, fortran)
                         : new_matrix(kind, rows, columns, fortran);
  } else {
    return false;
  }
  if (!y.open(result, true)) throw nb::value_error("out must be an array that can be written");
  if (given) {
    const bool fits = y.dimensions() == dimensions && y.kind() == kind &&
                      (dimensions == 1 ? y.is_vector() : y.is_matrix()) &&
                      y.extent(exchanged ? dimensions - 1 : 0) == rows &&
                      (dimensions == 1 || y.extent(exchanged ? 0 : 1) == x.extent(exchanged ? 0 : 1)) &&
                      (!single || dimensions == 1 || y.is_c_contiguous());
    if (!fits) {
      const std::string name = nb::cast<std::string>(nb::str(dtype_of(kind)));
      throw nb::value_error(
          ("out must be a contiguous, aligned " + name + " array with the shape of the product").c_str());
    }
  }
  if (!single) {
    describe(x_dense, x, exchanged);
    describe(y_dense, y, exchanged);
  }
  return true;
}

}  // namespace lacis_python

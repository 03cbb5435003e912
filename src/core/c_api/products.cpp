// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of a matrix in the caller's arrays, in C.
#include <lacis/multiply.hpp>

#include "c_api/objects.hpp"
#include "c_api/operands.hpp"

using namespace lacis;
using namespace lacis::c_api;

namespace {

/// y = alpha op(A) x + beta y for operands that are vectors or dense columns.
template <class Operands>
void multiply_view(const lacis_view& a, const lacis_product_options& o, Operands&& with_operands) {
  const multiply_options options{.threads = o.threads};
  with_stored_rows(a, [&](const auto& rows) {
    using Value = typename std::remove_cvref_t<decltype(rows)>::value_type;
    require(o.transpose != 2 || !is_complex<Value>,
            "the conjugate transpose of a complex matrix is for a plan that holds it (conjugate_transpose)");
    const auto product = [&](const auto& matrix) {
      with_operands(Value{}, matrix.rows, matrix.cols, [&](const auto& x, const auto& y) {
        using T = detail::element_of<decltype(y)>;
        multiply(number<T>(o.alpha, 1), matrix, x, number<T>(o.beta, 0), y, options);
      });
    };
    if ((a.format == LACIS_CSR) == (o.transpose == 0))
      product(rows);
    else
      product(transposed(detail::wide(rows).view()));
  });
}

}  // namespace

lacis_status lacis_multiply(const lacis_view* a, lacis_type x_type, const void* x, void* y,
                            const lacis_product_options* options) {
  return guarded([&] {
    const lacis_view view = checked_view(a);
    multiply_view(view, checked_options(options), vectors(x_type, x, y));
  });
}

lacis_status lacis_multiply_dense(const lacis_view* a, const lacis_dense* x, const lacis_dense* y,
                                  const lacis_product_options* options) {
  return guarded([&] {
    const lacis_view view = checked_view(a);
    multiply_view(view, checked_options(options), columns(x, y));
  });
}

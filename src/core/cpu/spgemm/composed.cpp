// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products made of products. What does not fit is found before anything is computed.
#include <lacis/error.hpp>
#include <lacis/spgemm_composed.hpp>
#include <lacis/structure.hpp>

#include "base/instantiate.hpp"
#include "base/text.hpp"
#include "formats/order_rows.hpp"

namespace lacis::detail {

template <class Value, class Index>
csr_matrix<Value, Index> multiply_add(const csr_view<Value, Index>& a, const csr_view<Value, Index>& b,
                                      const csr_view<Value, Index>& d, const spgemm_options& options) {
  if (d.rows != a.rows || d.cols != b.cols)
    throw error(errc::invalid_argument, text("A B is ", a.rows, " x ", b.cols, ", but D is ", d.rows, " x ", d.cols));
  require_canonical(d, "multiply_add");
  const csr_matrix<Value, Index> product = multiply(a, b, options, nullptr);
  return add(Value(1), product.view(), Value(1), d);
}

template <class Value, class Index>
csr_matrix<Value, Index> multiply_transposed(const csr_view<Value, Index>& a, const spgemm_options& options) {
  require_canonical(a, "multiply_transposed");
  const csr_matrix<Value, Index> turned = transpose(a, false);
  return multiply(a, turned.view(), options, nullptr);
}

template <class Value, class Index>
csr_matrix<Value, Index> triple_product(const csr_view<Value, Index>& p, const csr_view<Value, Index>& a,
                                        const spgemm_options& options) {
  if (a.rows != p.rows || a.cols != p.rows)
    throw error(errc::invalid_argument, text("P^T A P needs an A of ", p.rows, " x ", p.rows, " for a P of ", p.rows,
                                             " x ", p.cols, ", not ", a.rows, " x ", a.cols));
  const csr_matrix<Value, Index> inner = multiply(a, p, options, nullptr);
  const csr_matrix<Value, Index> turned = transpose(p, false);
  return multiply(turned.view(), inner.view(), options, nullptr);
}

#define LACIS_COMPOSED(Value, Index)                                                                              \
  template LACIS_API csr_matrix<Value, Index> multiply_add(const csr_view<Value, Index>&,                         \
                                                           const csr_view<Value, Index>&,                         \
                                                           const csr_view<Value, Index>&, const spgemm_options&); \
  template LACIS_API csr_matrix<Value, Index> multiply_transposed(const csr_view<Value, Index>&,                  \
                                                                  const spgemm_options&);                         \
  template LACIS_API csr_matrix<Value, Index> triple_product(const csr_view<Value, Index>&,                       \
                                                             const csr_view<Value, Index>&, const spgemm_options&);
LACIS_FOR_EACH_TYPE(LACIS_COMPOSED)

}  // namespace lacis::detail

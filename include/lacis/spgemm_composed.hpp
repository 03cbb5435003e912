// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products made of products: A B + D, A A^T, P^T A P.
#pragma once

#include <type_traits>

#include <lacis/csr.hpp>
#include <lacis/export.hpp>
#include <lacis/spgemm.hpp>
#include <lacis/wide_offsets.hpp>

namespace lacis {

namespace detail {
template <class Value, class Index>
LACIS_API csr_matrix<Value, Index> multiply_add(const csr_view<Value, Index>& a, const csr_view<Value, Index>& b,
                                                const csr_view<Value, Index>& d, const spgemm_options& options);
template <class Value, class Index>
LACIS_API csr_matrix<Value, Index> multiply_transposed(const csr_view<Value, Index>& a, const spgemm_options& options);
template <class Value, class Index>
LACIS_API csr_matrix<Value, Index> triple_product(const csr_view<Value, Index>& p, const csr_view<Value, Index>& a,
                                                  const spgemm_options& options);
}  // namespace detail

// Operands are canonical and of the same types, and so are results. The options hold for each product by itself, a
// memory limit too.

/// A B + D, each d_ij added last: the bits of add(multiply(A, B), D). A B and the result are in memory at once.
template <class A, class B, class D>
[[nodiscard]] auto multiply_add(const A& a, const B& b, const D& d, const spgemm_options& options = {}) {
  static_assert(detail::multiply_each_other<A, B> && detail::multiply_each_other<A, D>,
                "A, B and D must have the same value and index types: see cast_values and cast_indices");
  return detail::multiply_add(detail::wide(a).view(), detail::wide(b).view(), detail::wide(d).view(), options);
}

/// A A^T, without conjugation: the bits of multiply(A, transpose(A)). A^T and the result are in memory at once.
template <class A> [[nodiscard]] auto multiply_transposed(const A& a, const spgemm_options& options = {}) {
  return detail::multiply_transposed(detail::wide(a).view(), options);
}

/// P^T (A P): the Galerkin product of multigrid, with the bits of multiply(transpose(P), multiply(A, P)). A P, P^T and
/// the result are in memory at once; A P alone may be larger than the result.
template <class P, class A>
[[nodiscard]] auto triple_product(const P& p, const A& a, const spgemm_options& options = {}) {
  static_assert(detail::multiply_each_other<P, A>,
                "P and A must have the same value and index types: see cast_values and cast_indices");
  return detail::triple_product(detail::wide(p).view(), detail::wide(a).view(), options);
}

}  // namespace lacis

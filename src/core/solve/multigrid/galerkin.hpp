// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The matrix of the next level: R A P.
#pragma once

#include <lacis/csr.hpp>

namespace lacis::multigrid {

/// R (A P): terms of A P add in the order of A's columns, those of R (A P) in the order of R's columns. Rows that stay
/// empty, of directions that an aggregate does not have, get a one on the diagonal. What `plain` has, if anything, is
/// added last.
template <class S, class Index>
[[nodiscard]] csr_matrix<S, Index> galerkin_product(const csr_view<S, Index>& r, const csr_view<S, Index>& a,
                                                    const csr_view<S, Index>& p,
                                                    const csr_matrix<S, Index>* plain = nullptr);
/// The same into a product of the same patterns.
template <class S, class Index>
void galerkin_refill(const csr_view<S, Index>& r, const csr_view<S, Index>& a, const csr_view<S, Index>& p,
                     csr_matrix<S, Index>& coarse);
/// Adds the entries of `plain` to those of `coarse`, which has all of them.
template <class S, class Index> void add_to(csr_matrix<S, Index>& coarse, const csr_matrix<S, Index>& plain);

}  // namespace lacis::multigrid

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The matrix of the next level: R A P.
#pragma once

#include <lacis/csr.hpp>

namespace lacis::multigrid {

/// R (A P): terms of A P add in the order of A's columns, those of R (A P) in the order of R's columns. Rows that stay
/// empty, of directions that an aggregate does not have, get a one on the diagonal.
template <class S, class Index>
[[nodiscard]] csr_matrix<S, Index> galerkin_product(const csr_view<S, Index>& r, const csr_view<S, Index>& a,
                                                    const csr_view<S, Index>& p);
/// The same into a product of the same patterns.
template <class S, class Index>
void galerkin_refill(const csr_view<S, Index>& r, const csr_view<S, Index>& a, const csr_view<S, Index>& p,
                     csr_matrix<S, Index>& coarse);

}  // namespace lacis::multigrid

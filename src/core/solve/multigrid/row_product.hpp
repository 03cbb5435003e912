// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of sparse matrices whose terms add one after the other.
#pragma once

#include <lacis/csr.hpp>

#include "base/internal.hpp"

namespace lacis::multigrid {

/// A B, canonical: the terms of an entry add in the order of A's columns, as those of galerkin_product do.
template <class S, class Index>
[[nodiscard]] LACIS_INTERNAL csr_matrix<S, Index> product_in_order(const csr_view<S, Index>& a,
                                                                   const csr_view<S, Index>& b);

}  // namespace lacis::multigrid

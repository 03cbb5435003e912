// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The entries of a plan, whatever its layout, and residuals that need more than a product.
#pragma once

#include <lacis/csr.hpp>
#include <lacis/plan.hpp>

#include "plan/layout.hpp"

namespace lacis::detail {

/// The entries of all rows of a layout, in pieces. Those of a row come one after the other and in its order, but for
/// rows over cpu::chunk_size of layouts that bring read_back().
template <class Value, class Index>
void read_entries(const layout<Value, Index>& l, const row_pieces<Value, Index>& piece);

/// y[i] = a bound of the rounding errors of row i of A x (summation/precise.hpp). On the processor.
template <class T, class Index> LACIS_API void bound_rounding(const plan<T, Index>& p, const T* x, T* y);
template <class T, class Index> LACIS_API void bound_rounding(const csr_view<T, Index>& a, const T* x, T* y);
/// r = b - A x in twice the digits. On the processor.
template <class T, class Index> LACIS_API void precise_residual(const plan<T, Index>& p, const T* b, const T* x, T* r);
template <class T, class Index>
LACIS_API void precise_residual(const csr_view<T, Index>& a, const T* b, const T* x, T* r);

}  // namespace lacis::detail

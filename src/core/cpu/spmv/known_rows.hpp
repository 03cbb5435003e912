// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The product of a CSR matrix whose arrays somebody has looked at: a plan's, or those of a caller who checked them
// once.
#pragma once

#include <lacis/workspace.hpp>

#include "cpu/launch.hpp"
#include "cpu/spmv/direct_pairs.hpp"
#include "cpu/spmv/scaling.hpp"
#include "formats/views.hpp"

namespace lacis::cpu {

/// y = alpha A x + beta y. The matrix is valid; columns may be in any order, which is that of the sums. Nothing is
/// checked.
template <class A, class Index, class Offset, class X, class T>
void spmv_known(const launch& how, const scaling<T>& scale, const csr_view<A, Index, Offset>& a, const X* x, T* y,
                workspace& memory);

/// One instantiation: `Linkage` is `extern`, or nothing where it is compiled (csr.cpp).
#define LACIS_SPMV_KNOWN(Linkage, View, A, Index, X)                                               \
  Linkage template void cpu::spmv_known(const cpu::launch&, const cpu::scaling<product_of<A, X>>&, \
                                        const View<A, Index>&, const X*, product_of<A, X>*, workspace&);

}  // namespace lacis::cpu

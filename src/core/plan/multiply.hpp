// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What products with a plan have in common.
#pragma once

#include "cpu/launch.hpp"
#include "cpu/spmv/scaling.hpp"
#include "plan/layout.hpp"
#include "summation/tree.hpp"

namespace lacis::detail {

template <class A, class Index> const layout<A, Index>& layout_of(const plan<A, Index>& p, side which) {
  const auto& data = *p.internals();
  if (which == side::plain) return data.plain;
  const auto& other = which == side::transposed ? data.transposed : data.conjugate_transposed;
  if (!other) throw_side_missing(which);
  return *other;
}

template <class A, class Index> cpu::launch launch_of(const plan<A, Index>& p, const layout<A, Index>& l) {
  const int threads = p.internals()->options.threads;
  return {threads > 0 ? threads : threads_for_work(l.rows + l.nnz()), p.internals()->set};
}

/// y = alpha A x + beta y with a layout; x and y have its sizes and do not overlap, alpha is not 0. For pairs of types
/// that are direct.
template <class A, class Index, class X, class T>
void multiply_any(const cpu::launch& how, const cpu::scaling<T>& scale, const layout<A, Index>& l, const X* x, T* y,
                  workspace& memory) {
  std::visit([&](const auto& arrays) { multiply_layout(how, scale, arrays, x, y, memory); }, l.arrays);
}

/// y[i] = A x[i]: two vectors at once where the layout has a product for that. On the processor.
template <class T, class Index>
LACIS_API void multiply_each(const plan<T, Index>& p, std::span<const T* const> x, std::span<T* const> y,
                             workspace& memory);
/// Whether it takes two vectors at once.
template <class T, class Index> [[nodiscard]] LACIS_API bool multiplies_two(const plan<T, Index>& p);

/// y = A x, and the blocks of x^H y as leaves from `first` on: what is in y goes into the sums while it is in the
/// cache. On the processor. Element `own` of x belongs to row 0, the next to row 1, and so on.
template <class T, class Index>
LACIS_API summation::node_range<T> multiply_and_dot(const plan<T, Index>& p, std::span<const T> x, std::int64_t own,
                                                    std::span<T> y, std::int64_t first, workspace& memory);

}  // namespace lacis::detail

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The layout `stencil`: rows on the diagonals of a few patterns without column indices, other rows as sell.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <lacis/dense.hpp>

#include "plan/layouts/sell/layout.hpp"
#include "plan/layouts/stencil/stencil.hpp"
#include "summation/tree.hpp"

namespace lacis::detail {

template <class Value, class Index> struct stencil_layout {
  std::int64_t rows = 0;
  stencil_rows<Value> slices;
  sell_layout<Value, Index> others;

  [[nodiscard]] std::int64_t entries() const { return slices.entries + others.entries(); }
  /// Unless more than a sixteenth of the entries are in other rows.
  [[nodiscard]] bool has_columns_in_place() const { return 16 * others.entries() <= entries(); }
  /// Whether multiply_and_dot of this layout, which takes rows in their order, is worth calling.
  [[nodiscard]] bool fuses_dot() const { return !slices.runs.empty() && !slices.in_strips(); }
};

template <class Value, class Index>
[[nodiscard]] cpu::value_form build(stencil_layout<Value, Index>& l, const csr_view<Value, Index>& given,
                                    const layout_choice& choice);
template <class Value, class Index>
void set_values(stencil_layout<Value, Index>& l, const csr_view<Value, Index>& a, cpu::value_form form);
template <class Value, class Index> [[nodiscard]] std::int64_t bytes_of(const stencil_layout<Value, Index>& l) {
  return bytes_of(l.slices) + bytes_of(l.others);
}
template <class A, class Index, class X, class T>
void multiply_layout(const cpu::launch& how, const cpu::scaling<T>& scale, const stencil_layout<A, Index>& l,
                     const X* x, T* y, workspace& memory);
template <class A, class Index>
bool supply_rows(const cpu::launch& how, const stencil_layout<A, Index>& l, const cpu::row_work<A, Index>& work);
/// Y = alpha A X + beta Y with dense columns.
template <class A, class Index, class X, class T>
  requires cpu::is_direct<A, Index, X>
void multiply_columns(T alpha, const stencil_layout<A, Index>& l, const dense_view<const X>& x, T beta,
                      const dense_view<T>& y, const cpu::launch& how, workspace& memory);
/// y = A x, and the blocks of own^H y as leaves from `first` on, summed while what they read of y is in the cache;
/// `sums` has room for them.
template <class T, class Index>
[[nodiscard]] summation::node_range<T> multiply_and_dot(const cpu::launch& how, const stencil_layout<T, Index>& l,
                                                        const T* x, const T* own, T* y, std::int64_t first,
                                                        std::span<T> sums, workspace& memory);

template <class T, class Index> [[nodiscard]] row_reach reach_of(const stencil_layout<T, Index>& l);
/// Rows begin .. end of y = A x; a range as the reach says.
template <class T, class Index>
void multiply_range(isa set, const stencil_layout<T, Index>& l, const row_reach& reach, const T* x, std::int64_t begin,
                    std::int64_t end, T* y);

/// What a sample of a matrix says about patterns.
struct stencil_model {
  double in_patterns = 0;      ///< share of rows in slices that have a pattern
  double pattern_slots = 1;    ///< slots of those for each of their entries
  bool values_repeat = false;  ///< with the pattern

  void add_candidates(const costing& c, std::vector<costed_layout>& all) const;
  [[nodiscard]] std::string reason(const features& f, const costed_layout& chosen) const;
};
template <class Value, class Index> void take_sample(stencil_model& m, const csr_view<Value, Index>& a);

}  // namespace lacis::detail

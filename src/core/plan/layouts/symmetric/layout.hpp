// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The layout `symmetric`: a stencil that stores the values of a symmetric matrix once.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plan/layouts/stencil/layout.hpp"
#include "plan/layouts/stencil/strips.hpp"

namespace lacis::detail {

/// A stencil whose slices have the values on and above the main diagonal; one with all values where those below differ.
template <class Value, class Index> struct symmetric_layout {
  stencil_layout<Value, Index> stencil;

  [[nodiscard]] std::int64_t entries() const { return stencil.entries(); }
  /// Values that are stored once are read twice: products with rows of a copy are up to four times as fast.
  [[nodiscard]] bool has_columns_in_place() const {
    return stencil.slices.upper == 0 && stencil.has_columns_in_place();
  }
  [[nodiscard]] bool fuses_dot() const { return stencil.fuses_dot(); }
  /// What is otherwise than the layout promises; empty where nothing is.
  [[nodiscard]] std::string_view remark() const {
    return stencil.slices.upper > 0
               ? ""
               : "Values are stored as in the layout stencil: they are not symmetric, or that takes less";
  }
};

template <class Value, class Index>
[[nodiscard]] cpu::value_form build(symmetric_layout<Value, Index>& l, const csr_view<Value, Index>& given,
                                    const layout_choice& choice) {
  return build(l.stencil, given, choice);
}
template <class Value, class Index>
void set_values(symmetric_layout<Value, Index>& l, const csr_view<Value, Index>& a, cpu::value_form form) {
  set_values(l.stencil, a, form);
}
template <class Value, class Index> [[nodiscard]] std::int64_t bytes_of(const symmetric_layout<Value, Index>& l) {
  return bytes_of(l.stencil);
}
template <class A, class Index, class X, class T>
void multiply_layout(const cpu::launch& how, const cpu::scaling<T>& scale, const symmetric_layout<A, Index>& l,
                     const X* x, T* y, workspace& memory) {
  multiply_layout(how, scale, l.stencil, x, y, memory);
}
template <class A, class Index>
bool supply_rows(const cpu::launch& how, const symmetric_layout<A, Index>& l, const cpu::row_work<A, Index>& work) {
  return supply_rows(how, l.stencil, work);
}
template <class A, class Index, class X, class T>
  requires cpu::is_direct<A, Index, X>
void multiply_columns(T alpha, const symmetric_layout<A, Index>& l, const dense_view<const X>& x, T beta,
                      const dense_view<T>& y, const cpu::launch& how, workspace& memory) {
  multiply_columns(alpha, l.stencil, x, beta, y, how, memory);
}
template <class T, class Index>
[[nodiscard]] summation::node_range<T> multiply_and_dot(const cpu::launch& how, const symmetric_layout<T, Index>& l,
                                                        const T* x, const T* own, T* y, std::int64_t first,
                                                        std::span<T> sums, workspace& memory) {
  return multiply_and_dot(how, l.stencil, x, own, y, first, sums, memory);
}

template <class T, class Index> [[nodiscard]] row_reach reach_of(const symmetric_layout<T, Index>& l) {
  return reach_of(l.stencil);
}
template <class T, class Index>
void multiply_range(isa set, const symmetric_layout<T, Index>& l, const row_reach& reach, const T* x,
                    std::int64_t begin, std::int64_t end, T* y) {
  multiply_range(set, l.stencil, reach, x, begin, end, y);
}

/// What a sample of a matrix says about symmetric values and the diagonals that they lie on.
struct symmetric_model {
  bool symmetric = false;           ///< every value below the diagonal is above it too, on few diagonals
  std::vector<std::int64_t> upper;  ///< diagonals on and above the main one
  stencil_model stencil;            ///< only where values are symmetric

  void add_candidates(const costing& c, std::vector<costed_layout>& all) const;
  [[nodiscard]] std::string reason(const features& f, const costed_layout& chosen) const;
};
template <class Value, class Index> void take_sample(symmetric_model& m, const csr_view<Value, Index>& a);

}  // namespace lacis::detail

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The layout `staged`: x is copied to where blocks of rows need it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lacis/workspace.hpp>

#include "cpu/launch.hpp"
#include "plan/cost.hpp"
#include "plan/layouts/staged/staged.hpp"

namespace lacis::detail {

/// It has no rows to supply: products with dense columns and types of x other than its own go vector by vector.
template <class Value, class Index> struct staged_layout {
  staged_rows<Value, Index> staged;

  [[nodiscard]] std::int64_t entries() const { return staged.entries; }
  /// Of x, which a product writes and reads; the arrays count them once.
  [[nodiscard]] std::int64_t copied_bytes() const {
    return staged.staged_size * static_cast<std::int64_t>(sizeof(Value));
  }
};

template <class Value, class Index>
[[nodiscard]] cpu::value_form build(staged_layout<Value, Index>& l, const csr_view<Value, Index>& given,
                                    const layout_choice& choice) {
  const cpu::value_form form = settled_form(choice.form, given.values);
  l.staged = make_staged(in_form(given, form), form);
  return form;
}
template <class Value, class Index>
void set_values(staged_layout<Value, Index>& l, const csr_view<Value, Index>& a, cpu::value_form form) {
  set_values(l.staged, a, form);
}
template <class Value, class Index> [[nodiscard]] std::int64_t bytes_of(const staged_layout<Value, Index>& l) {
  return bytes_of(l.staged);
}
/// Instantiated for every pair of types.
template <class A, class Index, class X, class T>
void multiply_layout(const cpu::launch& how, const cpu::scaling<T>& scale, const staged_layout<A, Index>& l, const X* x,
                     T* y, workspace& memory);
template <class Value, class Index>
void read_back(const staged_layout<Value, Index>& l, const row_pieces<Value, Index>& piece);

struct staged_model {
  void add_candidates(const costing& c, std::vector<costed_layout>& all) const;
  [[nodiscard]] std::string reason(const features& f, const costed_layout& chosen) const;
};

}  // namespace lacis::detail

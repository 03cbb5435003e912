// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The layout `staged`: x is copied to where blocks of rows need it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lacis/workspace.hpp>

#include "base/text.hpp"
#include "cpu/launch.hpp"
#include "plan/cost.hpp"
#include "plan/layouts/staged/by_frequency.hpp"
#include "plan/layouts/staged/staged.hpp"

namespace lacis::detail {

/// "staged-8", or "staged-8 by frequency" where blocks share a permutation of x.
[[nodiscard]] inline std::string staged_label(std::int64_t lanes, bool permutes) {
  return text("staged-", lanes, permutes ? " by frequency" : "");
}

/// It has no rows to supply: products with dense columns and types of x other than its own go vector by vector.
template <class Value, class Index> struct staged_layout {
  staged_rows<Value, Index> staged;

  [[nodiscard]] std::int64_t entries() const { return staged.entries; }
  [[nodiscard]] std::string label() const { return staged_label(cpu::slice_height<Value>, staged.permutes()); }
  /// Of x, which a product writes and reads; the arrays count them once.
  [[nodiscard]] std::int64_t copied_bytes() const {
    return staged.staged_size * static_cast<std::int64_t>(sizeof(Value));
  }
};

template <class Value, class Index>
[[nodiscard]] cpu::value_form build(staged_layout<Value, Index>& l, const csr_view<Value, Index>& given,
                                    const layout_choice& choice) {
  const cpu::value_form form = settled_form(choice.form, given.values);
  l.staged = make_staged(in_form(given, form), form, choice.permutes);
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
/// Whether two real vectors cost less at once: places in a permutation of x are read once for both.
template <class Value, class Index> [[nodiscard]] bool takes_two(const staged_layout<Value, Index>& l) {
  return !is_complex<Value> && l.staged.permutes();
}
template <class A, class Index>
void multiply_two(const cpu::launch& how, const cpu::scaling<A>& scale, const staged_layout<A, Index>& l,
                  const two_vectors<const A>& x, const two_vectors<A>& y, workspace& memory)
  requires(!is_complex<A>);
template <class Value, class Index>
void read_back(const staged_layout<Value, Index>& l, const row_pieces<Value, Index>& piece);

struct staged_model {
  static constexpr std::int64_t near_bytes = std::int64_t{1} << 20;
  frequent_columns frequent;  ///< where x is larger than that

  void add_candidates(const costing& c, std::vector<costed_layout>& all) const;
  [[nodiscard]] std::string reason(const features& f, const costed_layout& chosen) const;
};
template <class Value, class Index> void take_sample(staged_model& model, const csr_view<Value, Index>& a) {
  if (a.cols * static_cast<std::int64_t>(sizeof(Value)) > staged_model::near_bytes)
    model.frequent = frequent_columns_of<Index>(a.columns, a.cols);
}

}  // namespace lacis::detail

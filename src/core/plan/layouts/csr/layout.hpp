// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The layout `csr`: rows one after the other.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include <lacis/csr.hpp>
#include <lacis/dense.hpp>
#include <lacis/workspace.hpp>

#include "cpu/launch.hpp"
#include "cpu/spmv/row_source.hpp"
#include "plan/cost.hpp"
#include "plan/layouts/shared.hpp"
#include "plan/row_reach.hpp"

namespace lacis::detail {

template <class Value, class Index> struct csr_layout {
  csr_matrix<Value, Index> rows;  ///< without columns and values where those are borrowed
  /// The caller's columns and values; its offsets are copied, since the caller may have narrow ones.
  struct borrowed_arrays {
    std::span<const Index> columns;
    values_view<Value> values;
  };
  std::optional<borrowed_arrays> borrowed;

  [[nodiscard]] csr_view<Value, Index> view() const {
    return borrowed
               ? csr_view<Value, Index>(rows.rows, rows.cols, rows.row_offsets, borrowed->columns, borrowed->values)
               : rows.view();
  }
  [[nodiscard]] std::int64_t entries() const { return view().nnz(); }
  [[nodiscard]] std::string label() const { return "csr"; }
  [[nodiscard]] bool has_columns_in_place() const { return true; }
  [[nodiscard]] std::int64_t copied_bytes() const {
    return borrowed ? array_bytes(borrowed->columns, borrowed->values.data) : 0;
  }
};

template <class Value, class Index>
[[nodiscard]] cpu::value_form build(csr_layout<Value, Index>& l, const csr_view<Value, Index>& given,
                                    const layout_choice& choice);
template <class Value, class Index>
void set_values(csr_layout<Value, Index>& l, const csr_view<Value, Index>& a, cpu::value_form form);
template <class Value, class Index> [[nodiscard]] std::int64_t bytes_of(const csr_layout<Value, Index>& l) {
  return bytes_of(l.rows);
}
template <class A, class Index, class X, class T>
void multiply_layout(const cpu::launch& how, const cpu::scaling<T>& scale, const csr_layout<A, Index>& l, const X* x,
                     T* y, workspace& memory);
template <class A, class Index>
bool supply_rows(const cpu::launch& how, const csr_layout<A, Index>& l, const cpu::row_work<A, Index>& work) {
  return cpu::on_rows(how, l.view(), work);
}

/// Y = alpha A X + beta Y with dense columns.
template <class A, class Index, class X, class T>
  requires cpu::is_direct<A, Index, X>
void multiply_columns(T alpha, const csr_layout<A, Index>& l, const dense_view<const X>& x, T beta,
                      const dense_view<T>& y, const cpu::launch& how, workspace& memory);

template <class T, class Index> [[nodiscard]] row_reach reach_of(const csr_layout<T, Index>& l);
/// Rows begin .. end of y = A x; a range as the reach says.
template <class T, class Index>
void multiply_range(isa set, const csr_layout<T, Index>& l, const row_reach& reach, const T* x, std::int64_t begin,
                    std::int64_t end, T* y);

struct csr_model {
  void add_candidates(const costing& c, std::vector<costed_layout>& all) const;
  [[nodiscard]] std::string reason(const features& f, const costed_layout& chosen) const;
};

}  // namespace lacis::detail

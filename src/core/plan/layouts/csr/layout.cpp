// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Making, refilling and multiplying with the layout `csr`.
#include "plan/layouts/csr/layout.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/instantiate.hpp"
#include "cpu/spmv/known_rows.hpp"
#include "cpu/spmv/spmm_csr.hpp"
#include "cpu/spmv/spmv.hpp"

namespace lacis::detail {

template <class Value, class Index>
cpu::value_form build(csr_layout<Value, Index>& l, const csr_view<Value, Index>& given, const layout_choice& choice) {
  const cpu::value_form form = settled_form(choice.form, given.values);
  const csr_view<Value, Index> kept = in_form(given, form);
  if (choice.borrows) {
    l.rows.rows = kept.rows;
    l.rows.cols = kept.cols;
    l.rows.row_offsets = parallel_copy_of(kept.row_offsets);
    l.borrowed = {kept.columns, kept.values};
  } else {
    l.rows = copy_of(kept);
  }
  return form;
}

template <class Value, class Index>
void set_values(csr_layout<Value, Index>& l, const csr_view<Value, Index>& a, cpu::value_form) {
  if (l.borrowed) {  // new values are the plan's own
    l.rows = copy_of(a);
    l.borrowed.reset();
    return;
  }
  refill_rows(l.rows, a, [](std::int64_t k) { return k; });
}

template <class A, class Index, class X, class T>
void multiply_layout(const cpu::launch& how, const cpu::scaling<T>& scale, const csr_layout<A, Index>& l, const X* x,
                     T* y, workspace& memory) {
  cpu::spmv_known(how, scale, l.view(), x, y, memory);
}

template <class A, class Index, class X, class T>
  requires cpu::is_direct<A, Index, X>
void multiply_columns(T alpha, const csr_layout<A, Index>& l, const dense_view<const X>& x, T beta,
                      const dense_view<T>& y, const cpu::launch& how, workspace& memory) {
  static_cast<void>(cpu::spmm_csr(alpha, l.view(), true, x, beta, y, how, memory));
}

template <class T, class Index> row_reach reach_of(const csr_layout<T, Index>& l) {
  row_reach reach;
  const Index* columns = l.view().columns.data();
  parallel_rows(l.rows.row_offsets, [&](std::int64_t begin, std::int64_t end) {
    std::int64_t farthest = 0;
    for (std::int64_t i = begin; i < end; ++i)
      for (std::int64_t k = l.rows.row_offsets[i]; k < l.rows.row_offsets[i + 1]; ++k)
        farthest = std::max(farthest, std::abs(static_cast<std::int64_t>(columns[k]) - i));
    raise_to(std::atomic_ref<std::int64_t>(reach.band), farthest);
  });
  return reach;
}

template <class T, class Index>
void multiply_range(isa set, const csr_layout<T, Index>& l, const row_reach&, const T* x, std::int64_t begin,
                    std::int64_t end, T* y) {
  static_cast<void>(cpu::kernels_for<T, Index, T>(set).csr_rows(cpu::operand_of(l.view(), x), l.rows.row_offsets.data(),
                                                                begin, end, cpu::scaling<T>(T(1), T(0)), y));
}

#define LACIS_CSR_LAYOUT(Value, Index)                                                                             \
  template row_reach reach_of(const csr_layout<Value, Index>&);                                                    \
  template void multiply_range(isa, const csr_layout<Value, Index>&, const row_reach&, const Value*, std::int64_t, \
                               std::int64_t, Value*);                                                              \
  template cpu::value_form build(csr_layout<Value, Index>&, const csr_view<Value, Index>&, const layout_choice&);  \
  template void set_values(csr_layout<Value, Index>&, const csr_view<Value, Index>&, cpu::value_form);
LACIS_FOR_EACH_TYPE(LACIS_CSR_LAYOUT)
#define LACIS_CSR_PRODUCT(A, Index, X)                                                                      \
  template void multiply_layout(const cpu::launch&, const cpu::scaling<product_of<A, X>>&,                  \
                                const csr_layout<A, Index>&, const X*, product_of<A, X>*, workspace&);      \
  template void multiply_columns(product_of<A, X>, const csr_layout<A, Index>&, const dense_view<const X>&, \
                                 product_of<A, X>, const dense_view<product_of<A, X>>&, const cpu::launch&, \
                                 workspace&);
LACIS_FOR_EACH_DIRECT_PAIR(LACIS_CSR_PRODUCT)

}  // namespace lacis::detail

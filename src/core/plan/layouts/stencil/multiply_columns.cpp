// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of the layout `stencil` with dense columns.
#include <algorithm>
#include <atomic>
#include <functional>

#include "base/instantiate.hpp"
#include "cpu/spmv/spmm.hpp"
#include "plan/layouts/stencil/layout.hpp"

namespace lacis::detail {
namespace {

/// The rows in slices times the columns of a panel.
template <class A, class Index, class X, class T>
void multiply_slices(const cpu::launch& how, const stencil_rows<A>& st, const cpu::column_panel<X, T>& panel) {
  constexpr std::int64_t height = stencil_rows<A>::height;
  constexpr std::int64_t slices_at_once = cpu::panel_height / height;
  const auto& multiply_some = cpu::kernels_for<A, Index, X>(how.set).stencil_panel;
  const auto view = st.view();
  const int shares = cpu::shares_of(how);
  std::atomic<int> next_share = 0;
  cpu::run(how, [&](int thread, int) {
    cpu::dense_panel<X, T> p = panel.of_thread(thread);
    const cpu::store_fence fence(p.past);
    for (int share = next_share++; share < shares; share = next_share++) {
      const std::int64_t end = st.cut(share + 1, shares);
      for (std::int64_t r = st.cut(share, shares); r < end; ++r) {
        const cpu::stencil_run& run = st.runs[r];
        for (std::int64_t slice = 0; slice < run.slices; slice += slices_at_once) {
          const std::int64_t count = std::min<std::int64_t>(slices_at_once, run.slices - slice);
          const std::int64_t row = run.first_row + slice * height;
          panel.aim(p, row);
          multiply_some(view, run, slice, count, panel.x(), p);
          panel.deliver(p, row, count * height, [&](std::int64_t i) { return st.has_lane(run, i % height); });
        }
      }
    }
  });
}

}  // namespace

template <class A, class Index, class X, class T>
  requires cpu::is_direct<A, Index, X>
void multiply_columns(T alpha, const stencil_layout<A, Index>& l, const dense_view<const X>& x, T beta,
                      const dense_view<T>& y, const cpu::launch& how, workspace& memory) {
  if (alpha == T(0)) return cpu::scale_columns(how, beta, y);
  const auto supply_others = [&](const cpu::row_work<A, Index>& work) { return supply_rows(how, l.others, work); };
  const cpu::row_supply<A, Index> supply = std::cref(supply_others);  // by reference: a copy would be allocated
  const cpu::scaling<T> scale(alpha, beta);
  for (std::int64_t c = 0; c < x.cols; c += cpu::panel_width(x)) {
    const cpu::column_panel<X, T> panel(how, scale, x, y, c, cpu::short_limit, memory);
    multiply_slices<A, Index>(how, l.slices, panel);
    if (l.others.has_rows())
      static_cast<void>(cpu::spmm(alpha, l.rows, x.rows, supply, {.in_parts = false, .known_order = true},
                                  panel.x_view(), beta, panel.y_view(), how, memory));
  }
}

#define LACIS_STENCIL_COLUMNS(A, Index, X)                                                                      \
  template void multiply_columns(product_of<A, X>, const stencil_layout<A, Index>&, const dense_view<const X>&, \
                                 product_of<A, X>, const dense_view<product_of<A, X>>&, const cpu::launch&,     \
                                 workspace&);
LACIS_FOR_EACH_DIRECT_PAIR(LACIS_STENCIL_COLUMNS)

}  // namespace lacis::detail

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Y = alpha A X + beta Y with dense columns over the rows of a CSR matrix, which kernels read in place.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>

#include "base/machine.hpp"
#include "cpu/spmv/column_panel.hpp"
#include "cpu/spmv/spmm.hpp"
#include "formats/offsets.hpp"

namespace lacis::cpu {

/// Rows first .. first + count as kernels read them: 64-bit offsets are used as they are, others copied.
template <class Offset>
[[nodiscard]] const std::int64_t* wide_offsets(const Offset* offsets, std::int64_t count,
                                               std::array<std::int64_t, panel_height + 1>& memory) {
  if constexpr (std::is_same_v<Offset, std::int64_t>) {
    return offsets;
  } else {
    std::copy_n(offsets, count + 1, memory.begin());
    return memory.data();
  }
}

/// Whether the columns of rows whose offsets rise ascend strictly and lie inside the matrix.
template <class A, class Index, class X>
[[nodiscard]] bool rows_ascend(const kernel_table<A, Index, X>& kernels, const operand<A, Index, X>& e,
                               const std::int64_t* offsets, std::int64_t rows) {
  const std::int64_t first = offsets[0];
  std::int64_t allowed = 0;  // columns may descend where a row ends
  for (std::int64_t i = 1; i < rows; ++i) {
    const std::int64_t at = offsets[i];
    if (at > first && at < offsets[i + 1]) allowed += e.columns[at - 1] < e.columns[at] ? 0 : 1;
  }
  return kernels.descents(e.columns + first, offsets[rows] - first, e.cols) == allowed;
}

/// Whether neighbouring rows refer to rows of X, of so many bytes, that are too far apart for the L2 cache: most of a
/// few places in the matrix tell. Nothing is known of its rows.
template <class A, class Index, class Offset>
[[nodiscard]] bool is_scattered(const csr_view<A, Index, Offset>& a, std::int64_t row_bytes) {
  const std::int64_t near_bytes = detail::l2_cache_bytes() / 2;
  constexpr int places = 32;
  constexpr std::int64_t neighbours = 4;
  int far = 0;
  for (int place = 0; place < places; ++place) {
    const std::int64_t begin = detail::even_cut(a.rows, place, places);
    std::int64_t least = a.cols;
    std::int64_t most = 0;
    for (std::int64_t i = begin; i < std::min(begin + neighbours, a.rows); ++i) {
      const auto first = static_cast<std::int64_t>(a.row_offsets[i]);
      const auto last = static_cast<std::int64_t>(a.row_offsets[i + 1]);
      if (first < 0 || first >= last || last > a.nnz()) continue;
      least = std::min(least, static_cast<std::int64_t>(a.columns[first]));
      most = std::max(most, static_cast<std::int64_t>(a.columns[last - 1]));
    }
    far += (most - least) * row_bytes > near_bytes ? 1 : 0;
  }
  return 2 * far >= places;
}

/// For direct pairs of types. Whether the rows were canonical and inside the matrix; with `known_order` that is not
/// asked.
template <class A, class Index, class Offset, class X, class T>
[[nodiscard]] bool spmm_csr(T alpha, const csr_view<A, Index, Offset>& a, bool known_order,
                            const dense_view<const X>& x, T beta, const dense_view<T>& y, const launch& how,
                            workspace& memory) {
  require_operands(a.rows, a.cols, x, y);
  if (alpha == T(0)) {
    scale_columns(how, beta, y);
    return true;
  }
  const auto& kernels = kernels_for<A, Index, X>(how.set);
  const scaling<T> scale(alpha, beta);
  const int shares = shares_of(how);
  for (std::int64_t c = 0; c < x.cols; c += panel_width(x)) {
    const column_panel<X, T> panel(how, scale, x, y, c, a.cols, memory);
    const auto e = operand_of(a, panel.x());
    const bool scattered =
        panel.of_thread(0).fetch && is_scattered(a, panel.x_view().row_stride * static_cast<std::int64_t>(sizeof(X)));
    std::atomic<bool> good = true;
    std::atomic<int> next_share = 0;
    run(how, [&](int thread, int) {
      dense_panel<X, T> p = panel.of_thread(thread);
      p.fetch = p.fetch && scattered;
      const store_fence fence(p.past);
      std::array<std::int64_t, panel_height + 1> some;
      for (int share = next_share++; share < shares && good; share = next_share++) {
        const std::int64_t end = detail::balanced_cut(a.row_offsets, share + 1, shares);
        for (std::int64_t i = detail::balanced_cut(a.row_offsets, share, shares); i < end; i += panel_height) {
          const std::int64_t rows = std::min(panel_height, end - i);
          const std::int64_t* offsets = wide_offsets(a.row_offsets.data() + i, rows, some);
          if (!known_order &&
              !(detail::offsets_rise(offsets, rows, e.entries) && rows_ascend(kernels, e, offsets, rows))) {
            good = false;
            return;
          }
          panel.aim(p, i);
          kernels.csr_panel(e, offsets, rows, p);
          panel.deliver(p, i, rows);
        }
      }
    });
    if (!good) return false;
  }
  return true;
}

/// One instantiation of spmm_csr: `Linkage` is `extern`, or nothing where it is compiled (spmm.cpp).
#define LACIS_SPMM_CSR(Linkage, View, A, Index, X)                                                          \
  Linkage template bool spmm_csr(product_of<A, X>, const View<A, Index>&, bool, const dense_view<const X>&, \
                                 product_of<A, X>, const dense_view<product_of<A, X>>&, const launch&, workspace&);
#define LACIS_EXTERN_SPMM_CSR(A, Index, X) LACIS_SPMM_CSR(extern, csr_view, A, Index, X)
LACIS_FOR_EACH_DIRECT_PAIR(LACIS_EXTERN_SPMM_CSR)
#undef LACIS_EXTERN_SPMM_CSR

}  // namespace lacis::cpu

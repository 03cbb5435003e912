// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Y = alpha A X + beta Y with dense columns, over the rows of any format.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>

#include "base/checked.hpp"
#include "base/instantiate.hpp"
#include "cpu/spmv/column_panel.hpp"
#include "cpu/spmv/row_source.hpp"
#include "cpu/spmv/spmv.hpp"

namespace lacis::cpu {

/// One thread's rows times at most panel_cols columns, X with contiguous rows, of which there are `cols`. Whether the
/// rows were canonical and columns inside the matrix; x is read at no others. `tree` has memory for `cols` entries.
template <class A, class Index, class X, class T>
bool panel_rows(const kernel_table<A, Index, X>& kernels, const scaling<T>& scale, row_source<A, Index>& source,
                int thread, int threads, const X* x, std::int64_t stride, std::int64_t cols, const dense_view<T>& y,
                panel_tree<T> tree) {
  bool good = true;
  std::array<T, static_cast<std::size_t>(panel_cols)> sums;
  const std::int64_t end = source.cut(thread + 1, threads);
  for (std::int64_t p = source.cut(thread, threads); p < end; ++p) {
    const std::int64_t count = source.start(p);
    if (count < 0) continue;
    if (count > cols) return false;  // more entries than columns
    if (count <= short_limit) {
      const auto e = operand<A, Index, X>::of(source.read(count), x);
      const std::int64_t found = kernels.descents(e.columns, count, cols);
      if (found < 0) return false;
      good &= found == 0;
      for (std::int64_t c = 0; source.goes_on() && c < y.cols; ++c)
        sums[static_cast<std::size_t>(c)] = y(source.row(), c);
      kernels.panel_row(e, count, stride, y.cols, source.goes_on(), sums.data());
    } else {
      tree.clear();
      std::int64_t last = -1;
      for (std::int64_t k = 0; k < count; k += chunk_size) {
        const std::int64_t size = std::min(chunk_size, count - k);
        const auto e = operand<A, Index, X>::of(source.read(size), x);
        const std::int64_t found = kernels.descents(e.columns, size, cols);
        if (found < 0) return false;
        good &= last < e.columns[0] && found == 0;
        last = e.columns[size - 1];
        kernels.panel_chunk(e, size, stride, y.cols, sums.data());
        tree.append(sums.data());
      }
      tree.total(sums.data());
    }
    for (std::int64_t c = 0; c < y.cols; ++c) scale.store(y(source.row(), c), sums[static_cast<std::size_t>(c)]);
  }
  return good && source.is_sound();
}

/// Hands each thread its rows: calls on_rows for one matrix or for the parts of one, and tells what it told.
template <class A, class Index> using row_supply = std::function<bool(const row_work<A, Index>&)>;

/// From the first to one past the last element of a dense matrix, the gaps between its rows or columns included.
template <class T> std::span<T> extent_of(const dense_view<T>& x) {
  if (x.rows == 0 || x.cols == 0) return {};
  return {x.data, &x(x.rows - 1, x.cols - 1) + 1};
}

/// Throws unless X and Y fit a matrix of rows x cols and do not overlap.
template <class X, class T>
void require_operands(std::int64_t rows, std::int64_t cols, const dense_view<const X>& x, const dense_view<T>& y) {
  if (x.cols != y.cols)
    throw error(errc::invalid_argument, detail::text("X has ", x.cols, " columns and Y has ", y.cols));
  require_size(x.rows, cols, "a column of X");
  require_size(y.rows, rows, "a column of Y");
  const auto from = extent_of(x);
  const auto to = extent_of(y);
  require_apart(from.data(), from.data() + from.size(), to.data(), to.data() + to.size());
}

/// Y = beta Y: what alpha = 0 leaves of a product.
template <class T> void scale_columns(const launch& how, T beta, const dense_view<T>& y) {
  run(how, [&](int thread, int threads) {
    const std::int64_t end = detail::even_cut(y.rows, thread + 1, threads);
    for (std::int64_t i = detail::even_cut(y.rows, thread, threads); i < end; ++i)
      for (std::int64_t c = 0; c < y.cols; ++c)
        y(i, c) = summation::combine(T(0), [] { return T{}; }, beta, [&] { return y(i, c); });
  });
}

/// What is known of a supply.
struct supply_facts {
  bool in_parts = false;     ///< rows go on from their first part
  bool known_order = false;  ///< rows are in the order of their sums: that of columns is not asked for
};

/// Y = alpha A X + beta Y for a matrix of rows x cols; whether its rows were canonical and lie inside it.
template <class A, class Index, class X, class T>
[[nodiscard]] bool spmm(T alpha, std::int64_t rows, std::int64_t cols, const row_supply<A, Index>& supply,
                        const supply_facts& facts, const dense_view<const X>& x, T beta, const dense_view<T>& y,
                        const launch& how, workspace& memory) {
  require_operands(rows, cols, x, y);
  if (alpha == T(0)) {
    scale_columns(how, beta, y);
    return true;
  }
  const auto& kernels = kernels_for<A, Index, X>(how.set);
  const scaling<T> scale(alpha, beta);
  const bool apart = facts.in_parts && !scale.plain;  // sums that go on are not yet alpha s + beta y
  const scaling<T> inner = apart ? scaling<T>(T(1), T(0)) : scale;
  for (std::int64_t c = 0; c < x.cols; c += panel_width(x)) {
    const std::int64_t count = std::min(panel_width(x), x.cols - c);
    const auto panel = with_contiguous_rows(how, columns_of(x, c, count), memory);
    const auto target = columns_of(y, c, count);
    auto sums = target;
    if (apart) {
      const auto bytes = detail::checked_multiply(rows, count * static_cast<std::int64_t>(sizeof(T)), "columns of Y");
      sums = {reinterpret_cast<T*>(memory.bytes(bytes, 1).data()), rows, count, count, 1};
    }
    const std::int64_t tree_size = panel_tree<T>::size_for(cols, count);
    T* trees =
        reinterpret_cast<T*>(memory.bytes(tree_size * how.threads * static_cast<std::int64_t>(sizeof(T)), 2).data());
    std::atomic<bool> good = true;
    const auto panel_work = [&](row_source<A, Index>& source, int thread, int threads) {
      const panel_tree<T> tree(count, trees + thread * tree_size);
      if (!panel_rows(kernels, inner, source, thread, threads, panel.data, panel.row_stride, cols, sums, tree))
        good = false;
    };
    const row_work<A, Index> work = std::cref(panel_work);  // by reference: a copy would be allocated
    if (!supply(work) || !(good || facts.known_order)) return false;
    if (!apart) continue;
    run(how, [&](int thread, int threads) {
      const std::int64_t end = detail::even_cut(rows, thread + 1, threads);
      for (std::int64_t i = detail::even_cut(rows, thread, threads); i < end; ++i)
        for (std::int64_t k = 0; k < count; ++k) scale.store(target(i, k), sums(i, k));
    });
  }
  return true;
}

/// X in the type `Wide`, in `memory`.
template <class Wide, class X>
dense_view<const Wide> widened(const launch& how, const dense_view<const X>& x, workspace& memory) {
  const std::int64_t count = detail::checked_multiply(x.rows, x.cols, "columns of X");
  const auto bytes = detail::checked_multiply(count, static_cast<std::int64_t>(sizeof(Wide)), "bytes of columns of X");
  Wide* const wide = reinterpret_cast<Wide*>(memory.bytes(bytes, 4).data());
  run(how, [&](int thread, int threads) {
    const std::int64_t end = detail::even_cut(x.rows, thread + 1, threads);
    for (std::int64_t i = detail::even_cut(x.rows, thread, threads); i < end; ++i)
      for (std::int64_t k = 0; k < x.cols; ++k) wide[i * x.cols + k] = x(i, k);
  });
  return {wide, x.rows, x.cols, x.cols, 1};
}

/// Calls multiply(X, Y) with X in the type `Wide`, a few columns after the other, which alone are in memory twice.
template <class Wide, class X, class T, class Multiply>
void multiply_widened(const launch& how, const dense_view<const X>& x, const dense_view<T>& y, workspace& memory,
                      Multiply&& multiply) {
  for (std::int64_t c = 0; c < x.cols; c += panel_cols) {
    const std::int64_t count = std::min(panel_cols, x.cols - c);
    multiply(widened<Wide>(how, columns_of(x, c, count), memory), columns_of(y, c, count));
  }
}

/// One instantiation of spmm: `Linkage` is `extern`, or nothing where it is compiled (spmm.cpp), once for all formats.
#define LACIS_SPMM(Linkage, A, Index, X)                                                                \
  Linkage template bool spmm(product_of<A, X>, std::int64_t, std::int64_t, const row_supply<A, Index>&, \
                             const supply_facts&, const dense_view<const X>&, product_of<A, X>,         \
                             const dense_view<product_of<A, X>>&, const launch&, workspace&);
#define LACIS_EXTERN_SPMM(A, Index, X) LACIS_SPMM(extern, A, Index, X)
LACIS_FOR_EACH_DIRECT_PAIR(LACIS_EXTERN_SPMM)
LACIS_FOR_EACH_RARE_PAIR(LACIS_EXTERN_SPMM)
#undef LACIS_EXTERN_SPMM

}  // namespace lacis::cpu

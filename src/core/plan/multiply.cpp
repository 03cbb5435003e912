// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products with a plan: the chosen layout straight to its kernels.
#include "plan/multiply.hpp"

#include <utility>

#include "base/instantiate.hpp"
#include "cpu/spmv/spmv.hpp"
#include "plan/device_plan.hpp"

namespace lacis::detail {
namespace {

template <class T> dense_view<T> as_column(std::span<T> vector) {
  const auto size = static_cast<std::int64_t>(vector.size());
  return {vector.data(), size, 1, 1, size};
}

/// The blocks one after the other, each going on from the sums of the one before: in y, where nothing else becomes of
/// them, or in memory of their own.
template <class A, class Index, class X, class T>
void multiply_short_rows(const cpu::launch& how, const cpu::scaling<T>& scale, const layout<A, Index>& l, const X* x,
                         T* y, workspace& memory) {
  const auto& kernels = cpu::kernels_for<A, Index, X>(how.set);
  const bool apart = l.blocks.size() > 1 && !scale.plain;
  T* sums = y;
  if (apart) sums = reinterpret_cast<T*>(memory.bytes(l.rows * static_cast<std::int64_t>(sizeof(T)), 1).data());
  const cpu::scaling<T> inner = apart ? cpu::scaling<T>(T(1), T(0)) : scale;
  for (const auto& block : l.blocks)
    cpu::run(how, [&](int thread, int threads) {
      kernels.packed_rows(block.view(), x + block.first_column, block.cut(thread, threads),
                          block.cut(thread + 1, threads), &block != &l.blocks.front(), inner, sums);
    });
  if (!apart) return;
  const auto& first = l.blocks.front();
  cpu::run(how, [&](int thread, int threads) {
    for (auto slice = first.cut(thread, threads); slice < first.cut(thread + 1, threads); ++slice)
      for (std::int64_t lane = 0; lane < first.headers[slice].count; ++lane) {
        const auto row = first.rows[slice * first.height + lane];
        scale.store(y[row], sums[row]);
      }
  });
}

template <class A, class Index, class X, class T>
void multiply_long_rows(const cpu::launch& how, const cpu::scaling<T>& scale, const layout<A, Index>& l, const X* x,
                        T* y, workspace& memory) {
  const std::int64_t count = l.long_rows.size();
  T* sums = reinterpret_cast<T*>(memory.bytes(count * static_cast<std::int64_t>(sizeof(T)), 1).data());
  static_cast<void>(cpu::spmv(how, cpu::scaling<T>(T(1), T(0)), l.rows_apart.view(), x, sums, memory));
  cpu::run(how, [&](int thread, int threads) {
    for (auto k = even_cut(count, thread, threads); k < even_cut(count, thread + 1, threads); ++k)
      scale.store(y[l.long_rows[k]], sums[k]);
  });
}

template <class A, class Index, class X, class T>
void multiply_staged(const cpu::launch& how, const cpu::scaling<T>& scale, const staged_rows<A, Index>& st, const X* x,
                     T* y, workspace& memory) {
  const auto& kernels = cpu::kernels_for<A, Index, X>(how.set);
  const auto elements = st.staged_size + cpu::piece_size;
  X* staged = reinterpret_cast<X*>(memory.bytes(elements * static_cast<std::int64_t>(sizeof(X))).data());
  T* partial = reinterpret_cast<T*>(memory.bytes(st.partial_sums * static_cast<std::int64_t>(sizeof(T)), 1).data());
  cpu::run(how, [&](int thread, int threads) {
    kernels.stage(st.staging_view(), x, even_cut(st.pieces(), thread, threads),
                  even_cut(st.pieces(), thread + 1, threads), staged);
  });
  cpu::run(how, [&](int thread, int threads) {
    kernels.staged_rows(st.view(), staged, even_cut(st.blocks.size(), thread, threads),
                        even_cut(st.blocks.size(), thread + 1, threads), scale, y, partial);
  });
  for (const cut_row& row : st.cut_rows) {
    summation::node_range<T> sums(0);
    for (std::int64_t c = 0; c < row.chunks; ++c) sums.append(partial[row.partial + c]);
    scale.store(y[row.row], sums.total());
  }
}

}  // namespace

void throw_side_missing(side which) {
  throw error(errc::invalid_argument,
              text("this plan does not hold the ", which == side::transposed ? "" : "conjugate ",
                   "transpose; make it with plan_options.",
                   which == side::transposed ? "transpose" : "conjugate_transpose", " = true"));
}

template <class A, class Index, class X, class T>
void multiply_layout(const cpu::launch& how, const cpu::scaling<T>& scale, const layout<A, Index>& l, const X* x, T* y,
                     workspace& memory) {
  switch (l.kind) {
    case plan_layout::csr:
      static_cast<void>(cpu::spmv(how, scale, l.rows_apart.view(), x, y, memory));
      return;
    case plan_layout::staged:
      return multiply_staged(how, scale, l.staged, x, y, memory);
    case plan_layout::stencil:
      cpu::run(how, [&](int thread, int threads) {
        cpu::kernels_for<A, Index, X>(how.set).stencil_rows(l.stencil.view(), x, l.stencil.cut(thread, threads),
                                                            l.stencil.cut(thread + 1, threads), scale, y);
      });
      break;
    case plan_layout::sell:
      break;
  }
  multiply_other_rows(how, scale, l, x, y, memory);
}

template <class A, class Index, class X, class T>
void multiply_other_rows(const cpu::launch& how, const cpu::scaling<T>& scale, const layout<A, Index>& l, const X* x,
                         T* y, workspace& memory) {
  multiply_short_rows(how, scale, l, x, y, memory);
  if (!l.long_rows.empty()) multiply_long_rows(how, scale, l, x, y, memory);
}

template <class A, class Index, class X, class T>
void multiply(T alpha, const plan<A, Index>& p, side which, std::span<const X> x, T beta, std::span<T> y,
              workspace& memory) {
  if (p.data()->on_device != nullptr) return multiply_there(alpha, p, which, as_column(x), beta, as_column(y));
  const auto& l = layout_of(p, which);
  const cpu::launch how = launch_of(p, l);
  cpu::require_operands(l.rows, l.cols, x, y);
  if (alpha == T(0)) return cpu::scale_only(how, beta, y);
  multiply_layout(how, cpu::scaling<T>(alpha, beta), l, x.data(), y.data(), memory);
}

template <class Value, class Index> std::unique_ptr<workspace> take_workspace(const plan<Value, Index>& p) {
  return p.data()->memory.take();
}
template <class Value, class Index> void put_back(const plan<Value, Index>& p, std::unique_ptr<workspace> memory) {
  p.data()->memory.put_back(std::move(memory));
}

#define LACIS_INSTANTIATE_WITH(A, Index, X)                                                                         \
  template void multiply_layout(const cpu::launch&, const cpu::scaling<product_of<A, X>>&, const layout<A, Index>&, \
                                const X*, product_of<A, X>*, workspace&);                                           \
  template void multiply_other_rows(const cpu::launch&, const cpu::scaling<product_of<A, X>>&,                      \
                                    const layout<A, Index>&, const X*, product_of<A, X>*, workspace&);              \
  template LACIS_API void multiply(product_of<A, X>, const plan<A, Index>&, side, std::span<const X>,               \
                                   product_of<A, X>, std::span<product_of<A, X>>, workspace&);
#define LACIS_INSTANTIATE(A, Index)                                                    \
  template LACIS_API std::unique_ptr<workspace> take_workspace(const plan<A, Index>&); \
  template LACIS_API void put_back(const plan<A, Index>&, std::unique_ptr<workspace>); \
  LACIS_INSTANTIATE_WITH(A, Index, float)                                              \
  LACIS_INSTANTIATE_WITH(A, Index, double)                                             \
  LACIS_INSTANTIATE_WITH(A, Index, std::complex<float>)                                \
  LACIS_INSTANTIATE_WITH(A, Index, std::complex<double>)
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)

}  // namespace lacis::detail

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products with the layout `staged`.
#include "base/instantiate.hpp"
#include "cpu/spmv/slot_costs.hpp"
#include "plan/layouts/staged/layout.hpp"
#include "summation/environment.hpp"
#include "summation/tree.hpp"

namespace lacis::detail {
namespace {

/// The blocks, and the rows that are cut between them, from the staged x.
template <class A, class Index, class X, class T>
void multiply_blocks(const cpu::launch& how, const cpu::scaling<T>& scale, const staged_rows<A, Index>& st,
                     const X* staged, T* y, T* partial) {
  const auto& kernels = cpu::kernels_for<A, Index, X>(how.set);
  cpu::run(how, [&](int thread, int threads) {
    kernels.staged_rows(st.view(), staged, even_cut(st.blocks.size(), thread, threads),
                        even_cut(st.blocks.size(), thread + 1, threads), scale, y, partial);
  });
  const summation::rounding_guard guard;
  for (const cut_row& row : st.cut_rows) {
    summation::node_range<T> sums(0);
    for (std::int64_t c = 0; c < row.chunks; ++c) sums.append(partial[row.partial + c]);
    scale.store(y[row.row], sums.total());
  }
}

}  // namespace

template <class A, class Index, class X, class T>
void multiply_layout(const cpu::launch& how, const cpu::scaling<T>& scale, const staged_layout<A, Index>& l, const X* x,
                     T* y, workspace& memory) {
  static_cast<void>(cpu::loads_each());  // which kernels ask: measured here, before threads disturb each other
  const staged_rows<A, Index>& st = l.staged;
  const auto& kernels = cpu::kernels_for<A, Index, X>(how.set);
  const auto elements = st.staged_size + cpu::piece_size;
  X* staged = reinterpret_cast<X*>(memory.bytes(elements * static_cast<std::int64_t>(sizeof(X))).data());
  T* partial = reinterpret_cast<T*>(memory.bytes(st.partial_sums * static_cast<std::int64_t>(sizeof(T)), 1).data());
  const std::span<const std::int64_t> copied(st.part_first.data(), static_cast<std::size_t>(st.part_first.size()));
  cpu::run(how, [&](int thread, int threads) {
    if (st.permutes()) {
      for (auto k = even_cut(st.cols, thread, threads); k < even_cut(st.cols, thread + 1, threads); ++k)
        staged[k] = x[st.order[k]];
      return;
    }
    kernels.stage(st.staging_view(), x, balanced_cut_of(copied, thread, threads),
                  balanced_cut_of(copied, thread + 1, threads), staged);
  });
  multiply_blocks(how, scale, st, staged, y, partial);
}

template <class A, class Index>
void multiply_two(const cpu::launch& how, const cpu::scaling<A>& scale, const staged_layout<A, Index>& l,
                  const two_vectors<const A>& x, const two_vectors<A>& y, workspace& memory)
  requires(!is_complex<A>)
{
  using both = std::complex<A>;
  static_cast<void>(cpu::loads_each());  // as for one vector
  const staged_rows<A, Index>& st = l.staged;
  const auto room = [&](std::int64_t elements, int area) {
    return reinterpret_cast<both*>(memory.bytes(elements * static_cast<std::int64_t>(sizeof(both)), area).data());
  };
  both* const staged = room(st.staged_size + cpu::piece_size, 0);
  both* const partial = room(st.partial_sums, 1);
  both* const sums = room(y.size, 2);
  const cpu::scaling<both> plain(both(1), both(0));
  cpu::run(how, [&](int thread, int threads) {
    for (auto k = even_cut(st.cols, thread, threads); k < even_cut(st.cols, thread + 1, threads); ++k)
      staged[k] = {x.first[st.order[k] * x.stride], x.second[st.order[k] * x.stride]};
  });
  multiply_blocks(how, plain, st, staged, sums, partial);
  cpu::run(how, [&](int thread, int threads) {
    for (auto i = even_cut(y.size, thread, threads); i < even_cut(y.size, thread + 1, threads); ++i) {
      scale.store(y.first[i * y.stride], sums[i].real());
      scale.store(y.second[i * y.stride], sums[i].imag());
    }
  });
}

#define LACIS_STAGED_TWO(A, Index)                                                                       \
  template void multiply_two(const cpu::launch&, const cpu::scaling<A>&, const staged_layout<A, Index>&, \
                             const two_vectors<const A>&, const two_vectors<A>&, workspace&);
LACIS_STAGED_TWO(float, std::int32_t)
LACIS_STAGED_TWO(float, std::int64_t)
LACIS_STAGED_TWO(double, std::int32_t)
LACIS_STAGED_TWO(double, std::int64_t)

#define LACIS_STAGED_PRODUCT(A, Index, X)                                                  \
  template void multiply_layout(const cpu::launch&, const cpu::scaling<product_of<A, X>>&, \
                                const staged_layout<A, Index>&, const X*, product_of<A, X>*, workspace&);
LACIS_FOR_EACH_DIRECT_PAIR(LACIS_STAGED_PRODUCT)
LACIS_FOR_EACH_RARE_PAIR(LACIS_STAGED_PRODUCT)

}  // namespace lacis::detail

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// One sparse row times several dense columns with SIMD: one column per lane, so no gather and no order to mind but k's.
//
// An entry is read once for all columns of a block and meets a contiguous piece of a row of X.
#include <cstring>

#include "cpu/simd/targets.hpp"
#include "cpu/spmv/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/spmv/panel_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/simd/simd-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lacis::cpu::HWY_NAMESPACE {
#if LACIS_SIMD_TARGET
namespace {

/// Vector v of a block of columns; the block's last vector may be cut short.
template <bool Cut, class X> HWY_INLINE number<X, real_of<X>> load_columns(const X* x, std::int64_t count) {
  using R = real_of<X>;
  if constexpr (!Cut)
    return load<R>(x);
  else
    return load_first<R>(x, count);
}

template <bool Cut, class T> HWY_INLINE void store_columns(number<T, real_of<T>> sums, T* out, std::int64_t count) {
  if constexpr (!Cut) {
    store<T>(sums, out);
  } else {
    HWY_ALIGN real_of<T> parts[static_cast<std::size_t>(width<real_of<T>>) * (is_complex<T> ? 2 : 1)];
    store<T>(sums, reinterpret_cast<T*>(parts));
    std::memcpy(static_cast<void*>(out), parts, static_cast<std::size_t>(count) * sizeof(T));
  }
}

/// `Vectors` vectors of columns of a row in `Lanes` lanes: one for a short row, lane_count for a chunk. Cut: a single
/// vector of which only `cols` columns are there.
template <int Lanes, int Vectors, bool Cut, class A, class X>
HWY_INLINE void block(const operand<A, std::int32_t, X>& e, std::int64_t count, std::int64_t stride, std::int64_t first,
                      std::int64_t cols, bool onto, product_of<A, X>* out) {
  using T = product_of<A, X>;
  using R = real_of<X>;
  constexpr std::int64_t lanes = width<R>;
  number<T, R> sums[Lanes][Vectors];
  for (auto& lane : sums)
    for (auto& sum : lane) sum = zero<T>();
  for (int v = 0; onto && v < Vectors; ++v) sums[0][v] = load_columns<Cut>(out + first + v * lanes, cols);
  for (std::int64_t k = 0; k < count; ++k) {
    const auto a = broadcast<R>(e.value_at(k));
    const X* x = e.x + e.columns[k] * stride + first;
    for (int v = 0; v < Vectors; ++v) {
      auto& sum = sums[k % Lanes][v];
      sum = add(sum, multiply(a, load_columns<Cut>(x + v * lanes, cols)));
    }
  }
  for (int half = Lanes / 2; half > 0; half /= 2)
    for (int t = 0; t < half; ++t)
      for (int v = 0; v < Vectors; ++v) sums[t][v] = add(sums[t][v], sums[t + half][v]);
  for (int v = 0; v < Vectors; ++v) store_columns<Cut>(sums[0][v], out + first + v * lanes, cols);
}

template <int Lanes, int Vectors, class A, class X>
HWY_INLINE void panel(const operand<A, std::int32_t, X>& e, std::int64_t count, std::int64_t stride, std::int64_t cols,
                      bool onto, product_of<A, X>* out) {
  constexpr std::int64_t lanes = width<real_of<X>>;
  std::int64_t c = 0;
  for (; c + Vectors * lanes <= cols; c += Vectors * lanes)
    block<Lanes, Vectors, false>(e, count, stride, c, 0, onto, out);
  for (; c + lanes <= cols; c += lanes) block<Lanes, 1, false>(e, count, stride, c, 0, onto, out);
  if (c < cols) block<Lanes, 1, true>(e, count, stride, c, cols - c, onto, out);
}

template <class A, class X>
void panel_row(const operand<A, std::int32_t, X>& e, std::int64_t count, std::int64_t stride, std::int64_t cols,
               bool onto, product_of<A, X>* out) {
  panel<1, 4>(e, count, stride, cols, onto, out);
}

template <class A, class X>
void panel_chunk(const operand<A, std::int32_t, X>& e, std::int64_t count, std::int64_t stride, std::int64_t cols,
                 product_of<A, X>* out) {
  panel<static_cast<int>(lane_count), 2>(e, count, stride, cols, false, out);
}

}  // namespace

template <class A, class X> void set_panel_kernels(kernel_table<A, std::int32_t, X>& table) {
  table.panel_row = panel_row<A, X>;
  table.panel_chunk = panel_chunk<A, X>;
}

#define LACIS_INSTANTIATE(A, X) template void set_panel_kernels<A, X>(kernel_table<A, std::int32_t, X>&);
LACIS_FOR_EACH_SIMD_PAIR(LACIS_INSTANTIATE)
#undef LACIS_INSTANTIATE

#endif
}  // namespace lacis::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

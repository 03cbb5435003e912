// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products with the layout `bsr`: one block row per lane, an element of x gathered once for all rows of the block.
//
// Bytes per entry of a double matrix with blocks of 3: 8 and 4/9. Rows of more than short_limit entries have as many
// sums as the order has lanes (ADR 0001): they stay in the first cache.
#include <array>
#include <type_traits>

#include "base/instantiate.hpp"
#include "cpu/simd/targets.hpp"
#include "cpu/spmv/portable.hpp"
#include "plan/layouts/bsr/layout.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "plan/layouts/bsr/kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/simd/values-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lacis::cpu::HWY_NAMESPACE {
#if LACIS_SIMD_TARGET
namespace {

using detail::bsr_layout;
using detail::bsr_slice;

/// The sums of a slice's rows: entry k of a row goes to sum k % Sums of that row. One sum: from left to right.
template <class A, value_form Form, int Block, int Sums> struct block_sums {
  using R = real_of<A>;
  static constexpr int vectors = static_cast<int>(slice_height<A> / width<R>);

  number<A, R> sums[Sums][Block][vectors];

  /// Block s of each lane, of those that active(v, sum, old) chooses.
  template <class Active>
  HWY_INLINE void add_block(const A* HWY_RESTRICT x, const std::int32_t* HWY_RESTRICT columns,
                            value_stream<A, R, Form>& values, int s, Active&& active) {
    for (int j = 0; j < Block; ++j) {
      auto& to = sums[(s * Block + j) % Sums];
      for (int v = 0; v < vectors; ++v) {
        const auto elements = gather(x + j, hn::LoadU(index_tag<R>(), columns + v * width<R>));
        for (int i = 0; i < Block; ++i) {
          const auto product = multiply(values.at(i * slice_height<A> + v * width<R>), elements);
          to[i][v] = active(v, add(to[i][v], product), to[i][v]);
        }
      }
      for (int i = 0; i < Block; ++i) values.fetch_ahead(i * slice_height<A>);
      values.advance(Block * slice_height<A>);
    }
  }

  HWY_INLINE void multiply_slice(const bsr_layout<A, std::int32_t>& l, std::int64_t slice, const A* x,
                                 value_stream<A, R, Form> values, const scaling<A>& scale, A* y) {
    const bsr_slice& h = l.slices[slice];
    const std::uint8_t* lengths = l.lengths.data() + slice * slice_height<A>;
    const std::int32_t* columns = l.columns.data() + h.slots * slice_height<A>;
    for (auto& of_sum : sums)
      for (auto& of_row : of_sum)
        for (auto& sum : of_row) sum = zero<A>();
    int s = 0;
    for (; s < h.shortest; ++s, columns += slice_height<A>)
      add_block(x, columns, values, s, [](int, auto sum, auto) { return sum; });
    for (; s < h.longest; ++s, columns += slice_height<A>)
      add_block(x, columns, values, s,
                [&](int v, auto sum, auto old) { return choose(has_slot<R>(lengths, v, s), sum, old); });
    for (int half = Sums / 2; half > 0; half /= 2)
      for (int k = 0; k < half; ++k)
        for (int i = 0; i < Block; ++i)
          for (int v = 0; v < vectors; ++v) sums[k][i][v] = add(sums[k][i][v], sums[k + half][i][v]);
    HWY_ALIGN R parts[Block][static_cast<std::size_t>(slice_height<A>) * (is_complex<A> ? 2 : 1)];
    for (int i = 0; i < Block; ++i)
      for (int v = 0; v < vectors; ++v) store<A>(sums[0][i][v], reinterpret_cast<A*>(parts[i]) + v * width<R>);
    const std::int32_t* rows = l.block_rows.data() + slice * slice_height<A>;
    for (int lane = 0; lane < h.count; ++lane)
      for (int i = 0; i < Block; ++i)
        scale.store(y[std::int64_t{rows[lane]} * Block + i], reinterpret_cast<const A*>(parts[i])[lane]);
  }
};

template <class A, value_form Form, int Block>
HWY_INLINE void multiply_slices(const bsr_layout<A, std::int32_t>& l, const A* x, std::int64_t begin, std::int64_t end,
                                const scaling<A>& scale, A* y) {
  const value_stream<A, real_of<A>, Form> values(l.values.view().data);
  for (std::int64_t t = begin; t < end; ++t) {
    const auto from = values.from(l.slices[t].slots * Block * Block * slice_height<A>);
    if (l.slices[t].is_short) {
      block_sums<A, Form, Block, 1> rows;
      rows.multiply_slice(l, t, x, from, scale, y);
    } else {
      block_sums<A, Form, Block, static_cast<int>(lane_count)> rows;
      rows.multiply_slice(l, t, x, from, scale, y);
    }
  }
}

}  // namespace

/// Slices begin .. end.
template <class A>
void bsr_slices(const bsr_layout<A, std::int32_t>& l, const A* x, std::int64_t begin, std::int64_t end,
                const scaling<A>& scale, A* y) {
  with_form<A, A>(
      l.values.form(),
      [&](auto form) {
        constexpr value_form kept = decltype(form)::value;
        static_assert(detail::smallest_block == 2 && detail::largest_block == 4);
        if (l.block == 2) return multiply_slices<A, kept, 2>(l, x, begin, end, scale, y);
        if (l.block == 3) return multiply_slices<A, kept, 3>(l, x, begin, end, scale, y);
        return multiply_slices<A, kept, 4>(l, x, begin, end, scale, y);
      },
      [] {});  // every form of equal types has a kernel
}
#define LACIS_BSR_KERNEL(A)                                                                          \
  template void bsr_slices(const bsr_layout<A, std::int32_t>&, const A*, std::int64_t, std::int64_t, \
                           const scaling<A>&, A*);
LACIS_BSR_KERNEL(float)
LACIS_BSR_KERNEL(double)
LACIS_BSR_KERNEL(std::complex<float>)
LACIS_BSR_KERNEL(std::complex<double>)
#undef LACIS_BSR_KERNEL

#endif
}  // namespace lacis::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lacis::detail {
namespace {

/// In plain C++, for every pair of types.
template <class A, class Index, class X, class T>
void portable_slices(const bsr_layout<A, Index>& l, const X* x, std::int64_t begin, std::int64_t end,
                     const cpu::scaling<T>& scale, T* y) {
  for (std::int64_t place = begin * l.height; place < end * l.height; ++place) {
    const bsr_slice& h = l.slices[place / l.height];
    const std::int64_t lane = place % l.height;
    if (lane >= h.count) continue;
    for (std::int64_t i = 0; i < l.block; ++i) {
      const auto term = [&](std::int64_t k) {
        const std::int64_t slot = h.slots + k / l.block;
        const std::int64_t j = k % l.block;
        return summation::multiply(A(l.values[l.value_slot(slot, i, j, lane)]),
                                   x[l.columns[slot * l.height + lane] + j]);
      };
      scale.store(y[l.block_rows[place] * l.block + i], cpu::portable::row_sum<T>(l.lengths[place] * l.block, term));
    }
  }
}

template <class A, class Index, class X, class T>
void multiply_slices(isa set, const bsr_layout<A, Index>& l, const X* x, std::int64_t begin, std::int64_t end,
                     const cpu::scaling<T>& scale, T* y) {
  if constexpr (std::is_same_v<A, X> && std::is_same_v<Index, std::int32_t>) {
#if HWY_TARGETS & HWY_AVX2
    if (set == isa::avx2) return cpu::N_AVX2::bsr_slices(l, x, begin, end, scale, y);
#endif
#if HWY_TARGETS & HWY_AVX3
    if (set == isa::avx512) return cpu::N_AVX3::bsr_slices(l, x, begin, end, scale, y);
#endif
  }
  static_cast<void>(set);
  portable_slices(l, x, begin, end, scale, y);
}

}  // namespace

template <class A, class Index, class X, class T>
void multiply_layout(const cpu::launch& how, const cpu::scaling<T>& scale, const bsr_layout<A, Index>& l, const X* x,
                     T* y, workspace& memory) {
  const bool at_once = has_shares(l.others, how.threads);
  cpu::run(how, [&](int thread, int threads) {
    if (!l.slices.empty()) multiply_slices(how.set, l, x, l.cut(thread, threads), l.cut(thread + 1, threads), scale, y);
    if (at_once) multiply_share(how.set, scale, l.others, x, y, thread, threads);
  });
  if (!at_once) multiply_layout(how, scale, l.others, x, y, memory);
}

#define LACIS_BSR_PRODUCT(A, Index, X)                                                     \
  template void multiply_layout(const cpu::launch&, const cpu::scaling<product_of<A, X>>&, \
                                const bsr_layout<A, Index>&, const X*, product_of<A, X>*, workspace&);
LACIS_FOR_EACH_DIRECT_PAIR(LACIS_BSR_PRODUCT)

}  // namespace lacis::detail
#endif

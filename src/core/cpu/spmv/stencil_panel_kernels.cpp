// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Stencils times several dense columns with SIMD: one column per lane, rows of X at fixed distances, no column indices.
#include <algorithm>

#include "cpu/simd/targets.hpp"
#include "cpu/spmv/kernels.hpp"
#include "cpu/spmv/panel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/spmv/stencil_panel_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/spmv/panel-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lacis::cpu::HWY_NAMESPACE {
#if LACIS_SIMD_TARGET
namespace {

/// The values of a slice, slot after slot: in place where they are kept as they are, copied to `memory` otherwise.
template <class A>
HWY_INLINE const A* values_of(const stencil_slices<A>& a, const stencil_run& run, std::int64_t slice, A* memory) {
  constexpr std::int64_t height = slice_height<A>;
  const std::int32_t slots = a.patterns[run.pattern].slots;
  const bool together = a.upper == 0;
  const std::int64_t first = together ? a.slot_of(run, slice, 0, 0) : 0;
  if (together && a.values.form == value_form::full) return static_cast<const A*>(a.values.data) + first;
  for (std::int32_t s = 0; s < slots; ++s)
    for (std::int64_t l = 0; l < height; ++l)
      memory[s * height + l] = a.values[together ? first + s * height + l : a.slot_of(run, slice, s, l)];
  return memory;
}

/// One row of a slice times a block of columns; `x` is the row of X on diagonal 0.
template <bool Full, class A, class Vectors>
HWY_INLINE void stencil_row(const stencil_slices<A>& a, const stencil_pattern& p, std::int64_t lane, const A* values,
                            const Vectors& columns, const typename Vectors::R* x, std::int64_t stride,
                            typename Vectors::R* out, bool past) {
  using D = hn::DFromV<decltype(columns.read(x, 0))>;
  const std::int64_t* diagonals = a.diagonals + p.first;
  const std::uint16_t* masks = a.masks + p.first;
  hn::Vec<D> sums[Vectors::size];
  each_vector<Vectors::size>([&](int v) HWY_ATTR { sums[v] = hn::Zero(D()); });
  for (std::int32_t s = 0; s < p.slots; ++s) {
    if constexpr (!Full)
      if ((masks[s] >> lane & 1) == 0) continue;
    const auto value = factor<A, D>::of(values[s * slice_height<A> + lane]);
    const auto* row = x + diagonals[s] * stride;
    each_vector<Vectors::size>([&](int v) HWY_ATTR { sums[v] = hn::Add(sums[v], value.times(columns.read(row, v))); });
  }
  each_vector<Vectors::size>([&](int v) HWY_ATTR { columns.write(sums[v], out, v, past); });
}

template <class A, class X>
void stencil_panel(const stencil_slices<A>& a, const stencil_run& run, std::int64_t slice, std::int64_t slices,
                   const X* x, const dense_panel<X, product_of<A, X>>& p) {
  using R = real_of<X>;
  constexpr std::int64_t height = slice_height<A>;
  const stencil_pattern& pattern = a.patterns[run.pattern];
  HWY_ALIGN A copied_values[static_cast<std::size_t>(most_slots * height)];
  for (std::int64_t i = 0; i < slices; ++i) {
    const A* values = values_of(a, run, slice + i, copied_values);
    if (values != copied_values)
      for (std::int32_t s = 0; s < pattern.slots; ++s)
        __builtin_prefetch(reinterpret_cast<const char*>(values + s * height) + fetch_distance);
    const std::int64_t row = run.first_row + (slice + i) * height;
    each_block<A, R>(p.cols * parts_of<X>, [&]<class Vectors>(const Vectors& columns, std::int64_t at) {
      for (std::int64_t lane = 0; lane < height; ++lane) {
        const R* own = reinterpret_cast<const R*>(x + (row + lane) * p.x_stride) + at;
        R* out = reinterpret_cast<R*>(p.y + (i * height + lane) * p.y_stride) + at;
        if (pattern.full)
          stencil_row<true>(a, pattern, lane, values, columns, own, p.x_stride * parts_of<X>, out, p.past);
        else if ((pattern.rows >> lane & 1) != 0)
          stencil_row<false>(a, pattern, lane, values, columns, own, p.x_stride * parts_of<X>, out, p.past);
      }
    });
  }
}

}  // namespace

template <class A, class X> void set_stencil_panel_kernels(kernel_table<A, std::int32_t, X>& table) {
  table.stencil_panel = stencil_panel<A, X>;
}

#define LACIS_INSTANTIATE(A, X) template void set_stencil_panel_kernels<A, X>(kernel_table<A, std::int32_t, X>&);
LACIS_FOR_EACH_EQUAL_PAIR(LACIS_INSTANTIATE)
#undef LACIS_INSTANTIATE

#endif
}  // namespace lacis::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

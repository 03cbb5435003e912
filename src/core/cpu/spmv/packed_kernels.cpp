// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Packed slices with SIMD: one row per lane, x by a vector load where the columns run on, elsewhere by a gather or, on
// processors whose gathers are slow, by a load of each element.
//
// 8 bytes and a half move for each entry of a double matrix whose columns run on (stencils, bands), 12 otherwise.
#include <algorithm>

#include "cpu/simd/targets.hpp"
#include "cpu/spmv/kernels.hpp"
#include "cpu/spmv/portable.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/spmv/packed_kernels.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/simd/values-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lacis::cpu::HWY_NAMESPACE {
#if LACIS_SIMD_TARGET
namespace {

using columns_type = std::int32_t;

/// One slice being summed: as many vectors as its rows fill.
template <class A, class X, value_form Form, bool LoadsEach> struct slice_sums {
  using T = product_of<A, X>;
  using R = real_of<X>;
  static constexpr std::int64_t lanes = width<R>;
  static constexpr int vectors = static_cast<int>(slice_height<A> / lanes);

  const X* HWY_RESTRICT x;
  value_stream<A, R, Form> values;
  const columns_type* HWY_RESTRICT columns;
  number<T, R> sums[vectors];

  /// The next slot; lane l takes part in it when active(v, sum, old) says so.
  template <bool RunsOn, class Active> HWY_INLINE void add_slot(Active&& active) {
    for (int v = 0; v < vectors; ++v) {
      number<X, R> elements;
      if constexpr (RunsOn)
        elements = load<R>(x + columns[0] + v * lanes);
      else if constexpr (LoadsEach)
        elements = load_each(x, columns + v * lanes);
      else
        elements = gather(x, hn::LoadU(index_tag<R>(), columns + v * lanes));
      const auto product = multiply(values.at(v * lanes), elements);
      sums[v] = active(v, add(sums[v], product), sums[v]);
    }
    if constexpr (!RunsOn) hwy::Prefetch(reinterpret_cast<const char*>(columns) + fetch_distance / 2);
    columns += RunsOn ? 1 : slice_height<A>;
    values.fetch_ahead();
    values.advance(slice_height<A>);
  }
};

template <class A, class X, value_form Form, bool LoadsEach>
HWY_INLINE void sum_slice(const packed_slices<A, columns_type>& a, std::int64_t slice,
                          slice_sums<A, X, Form, LoadsEach>& rows) {
  using R = real_of<X>;
  const slice_header& h = a.headers[slice];
  const auto all = [](int, auto sum, auto) { return sum; };
  const std::uint32_t every = h.shortest == 0 ? 0 : ~std::uint32_t{0} >> (32 - h.shortest);
  int s = 0;
  if ((h.run_on & every) == every) {
    for (; s < h.shortest; ++s) rows.template add_slot<true>(all);
  } else {
    for (; s < h.shortest; ++s) {
      if ((h.run_on >> s & 1) != 0)
        rows.template add_slot<true>(all);
      else
        rows.template add_slot<false>(all);
    }
  }
  const std::uint8_t* lengths = a.lengths + slice * slice_height<A>;
  for (; s < h.longest; ++s) {
    const auto some = [&](int v, auto sum, auto old) { return choose(has_slot<R>(lengths, v, s), sum, old); };
    if ((h.run_on >> s & 1) != 0)
      rows.template add_slot<true>(some);
    else
      rows.template add_slot<false>(some);
  }
}

template <value_form Form, bool LoadsEach, class A, class X>
HWY_INLINE void sum_slices(const packed_slices<A, columns_type>& a, const X* x, std::int64_t begin, std::int64_t end,
                           bool onto, const scaling<product_of<A, X>>& scale, product_of<A, X>* y) {
  using T = product_of<A, X>;
  using R = real_of<X>;
  using sums_type = slice_sums<A, X, Form, LoadsEach>;
  const value_stream<A, R, Form> values(a.values.data);
  HWY_ALIGN real_of<T> parts[static_cast<std::size_t>(slice_height<A>) * (is_complex<T> ? 2 : 1)];
  T* each = reinterpret_cast<T*>(parts);
  for (std::int64_t slice = begin; slice < end; ++slice) {
    const slice_header& h = a.headers[slice];
    const columns_type* row = a.rows + slice * slice_height<A>;
    const bool direct = h.contiguous && h.count == slice_height<A>;
    sums_type rows{x, values.from(h.slots), a.columns + h.columns, {}};
    if (onto) {
      if (!direct)
        for (int l = 0; l < h.count; ++l) each[l] = y[row[l]];
      for (int v = 0; v < sums_type::vectors; ++v)
        rows.sums[v] = load<R>((direct ? y + h.first_row : each) + v * sums_type::lanes);
    } else {
      for (auto& sum : rows.sums) sum = zero<T>();
    }
    sum_slice(a, slice, rows);
    if (direct && scale.plain) {
      for (int v = 0; v < sums_type::vectors; ++v) store<T>(rows.sums[v], y + h.first_row + v * sums_type::lanes);
    } else {
      for (int v = 0; v < sums_type::vectors; ++v) store<T>(rows.sums[v], each + v * sums_type::lanes);
      for (int l = 0; l < h.count; ++l) scale.store(y[row[l]], each[l]);
    }
  }
}

template <class A, class X>
void packed_rows(const packed_slices<A, columns_type>& a, const X* x, std::int64_t begin, std::int64_t end, bool onto,
                 const scaling<product_of<A, X>>& scale, product_of<A, X>* y) {
  const auto simd = [&](auto form) {
    if constexpr (std::is_same_v<A, double> && std::is_same_v<X, double>)
      if (a.loads_each) return sum_slices<decltype(form)::value, true>(a, x, begin, end, onto, scale, y);
    sum_slices<decltype(form)::value, false>(a, x, begin, end, onto, scale, y);
  };
  with_form<A, X>(a.values.form, simd, [&] { portable::packed_rows(a, x, begin, end, onto, scale, y); });
}

}  // namespace

template <class A, class X> void set_packed_kernels(kernel_table<A, columns_type, X>& table) {
  table.packed_rows = packed_rows<A, X>;
}

#define LACIS_INSTANTIATE(A, X) template void set_packed_kernels<A, X>(kernel_table<A, std::int32_t, X>&);
LACIS_FOR_EACH_SIMD_PAIR(LACIS_INSTANTIATE)
#undef LACIS_INSTANTIATE

#endif
}  // namespace lacis::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

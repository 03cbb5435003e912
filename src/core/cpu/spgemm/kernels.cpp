// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The kernels of sparse products for each instruction set.
#include "base/instantiate.hpp"
#include "cpu/simd/targets.hpp"
#include "cpu/spgemm/spgemm.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/spgemm/kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/spgemm/fill-inl.hpp"
#include "cpu/spgemm/rows-inl.hpp"
#include "cpu/spgemm/stencil-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lacis::cpu::HWY_NAMESPACE {

template <class T, class Index> spgemm_table<T, Index> spgemm_kernels() {
  spgemm_table<T, Index> table{multiply_rows<T, Index>, fill_rows<T, Index>, nullptr};
#if LACIS_SIMD_TARGET
  if constexpr (has_templates<T, Index>) table.run = multiply_run<T>;
#endif
  return table;
}

}  // namespace lacis::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lacis::cpu {

template <class T, class Index> void spgemm_scratch<T, Index>::widen(std::int64_t cols) {
  if (sums.size() >= cols) return;
  const auto wider =
      static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(cols, 4096))));
  sums = buffer<T>(wider, T{});
  used = buffer<std::uint8_t>(wider / 8, 0);
}

template <class T, class Index> void spgemm_scratch<T, Index>::enlarge_table(std::int64_t most) {
  const auto size = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(2 * most)));
  if (slots.size() == size) return;
  slots = buffer<Index>(size, -1);
  slot_sums = buffer<T>(size);
}

template <class T, class Index> void spgemm_scratch<T, Index>::prepare_sort(std::int64_t most) {
  // Vectors read up to a row of the longest kind behind the last product.
  const std::int64_t size = most + spgemm_most_sorted + spgemm_slack;
  if (products.size() >= size) return;
  products = buffer<T>(size, T{});
  columns = buffer<Index>(size, 0);
  keys = buffer<std::uint64_t>(spgemm_block);
}

template <class T, class Index> const spgemm_table<T, Index>& spgemm_kernels_for(isa set) {
  static const auto tables = [] {
    std::array<spgemm_table<T, Index>, 3> all;
    all.fill(HWY_NAMESPACE::spgemm_kernels<T, Index>());
#if HWY_TARGETS & HWY_AVX2
    if (is_supported(isa::avx2)) all[static_cast<std::size_t>(isa::avx2)] = N_AVX2::spgemm_kernels<T, Index>();
#endif
#if HWY_TARGETS & HWY_AVX3
    if (is_supported(isa::avx512)) all[static_cast<std::size_t>(isa::avx512)] = N_AVX3::spgemm_kernels<T, Index>();
#endif
    return all;
  }();
  return tables[static_cast<std::size_t>(set)];
}

#define LACIS_SPGEMM(T, Index)             \
  template class spgemm_scratch<T, Index>; \
  template const spgemm_table<T, Index>& spgemm_kernels_for<T, Index>(isa);
LACIS_FOR_EACH_TYPE(LACIS_SPGEMM)

}  // namespace lacis::cpu
#endif

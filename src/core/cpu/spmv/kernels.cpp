// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The tables of kernels: the portable ones, and over them what an instruction set does better.
#include "cpu/spmv/kernels.hpp"

#include <hwy/highway.h>

#include "cpu/spmv/direct_pairs.hpp"
#include "cpu/spmv/portable.hpp"

namespace lacis::cpu {
namespace {

template <class A, class Index, class X> kernel_table<A, Index, X> make_table(isa set) {
  kernel_table<A, Index, X> table{};
  table.descents = portable::descents<Index>;
  table.panel_row = portable::panel_row<A, Index, X>;
  table.panel_chunk = portable::panel_chunk<A, Index, X>;
  table.stage = portable::stage<X>;
  table.staged_rows = portable::staged_rows<A, X>;
  if constexpr (is_direct<A, Index, X>) {
    table.chunk = portable::chunk<A, Index, X>;
    table.csr_rows = portable::csr_rows<A, Index, X>;
    table.slot_places = portable::slot_places<A, Index, X>;
    table.packed_rows = portable::packed_rows<A, Index, X>;
    table.stencil_rows = portable::stencil_rows<A, X>;
    table.symmetric_rows = portable::stencil_rows<A, X>;
    table.dia_rows = portable::dia_rows<A, X>;
    table.csr_panel = portable::csr_panel<A, Index, X>;
    table.stencil_panel = portable::stencil_panel<A, X>;
  }
  if (!is_supported(set)) return table;
  if constexpr (has_simd<A, Index, X>) {
#if HWY_TARGETS & HWY_AVX2
    if (set == isa::avx2) {
      N_AVX2::set_row_kernels(table);
      N_AVX2::set_slot_kernels(table);
      N_AVX2::set_dia_kernels(table);
      N_AVX2::set_packed_kernels(table);
      if constexpr (std::is_same_v<A, X>) {
        N_AVX2::set_stencil_kernels(table);
        N_AVX2::set_symmetric_kernels(table);
        N_AVX2::set_stencil_panel_kernels(table);
      }
      if constexpr (is_staged_pair<A, X>) N_AVX2::set_staged_kernels(table);
      N_AVX2::set_panel_kernels(table);
    }
#endif
#if HWY_TARGETS & HWY_AVX3
    if (set == isa::avx512) {
      N_AVX3::set_row_kernels(table);
      N_AVX3::set_slot_kernels(table);
      N_AVX3::set_dia_kernels(table);
      N_AVX3::set_packed_kernels(table);
      if constexpr (std::is_same_v<A, X>) {
        N_AVX3::set_stencil_kernels(table);
        N_AVX3::set_symmetric_kernels(table);
        N_AVX3::set_stencil_panel_kernels(table);
      }
      if constexpr (is_staged_pair<A, X>) N_AVX3::set_staged_kernels(table);
      N_AVX3::set_panel_kernels(table);
    }
#endif
  }
  static_cast<void>(set);
  return table;
}

}  // namespace

bool is_supported(isa set) {
  // Highway asks the processor each time, which a virtual machine takes microseconds to answer.
  static const auto runs = hwy::SupportedTargets() & HWY_TARGETS;
  return set == isa::scalar || (set == isa::avx2 && (runs & HWY_AVX2) != 0) ||
         (set == isa::avx512 && (runs & HWY_AVX3) != 0);
}

template <value A, index Index, value X> const kernel_table<A, Index, X>& kernels_for(isa set) {
  static const kernel_table<A, Index, X> tables[] = {
      make_table<A, Index, X>(isa::scalar), make_table<A, Index, X>(isa::avx2), make_table<A, Index, X>(isa::avx512)};
  return tables[static_cast<std::size_t>(set)];
}

#define LACIS_INSTANTIATE(A, Index, X) template const kernel_table<A, Index, X>& kernels_for<A, Index, X>(isa);
LACIS_FOR_EACH_DIRECT_PAIR(LACIS_INSTANTIATE)
LACIS_FOR_EACH_RARE_PAIR(LACIS_INSTANTIATE)

}  // namespace lacis::cpu

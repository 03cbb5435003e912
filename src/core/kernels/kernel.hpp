// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What every kernel has: a number by which it is launched, and the list it is compiled from.
//
// A kernel is an aggregate of its arguments:
//
//   template <class Memory, class Value, class Index> struct csr_row {
//     static constexpr kernel id = kernel::csr_row;
//     static constexpr const char* name = "csr_row";
//     static constexpr int block_threads = 256;  // of a launch that names no other
//     static constexpr int most_block_threads = 1024;  // optional: a launch may have any whole warps up to so many
//     static constexpr int least_blocks = 4;  // optional, against spills: 4 on a multiprocessor leave 64 registers
//     using shared = no_shared;  // or a struct of shared_arrays, or shared_by_thread<Value>
//     using value_type = Value;
//     using index_type = Index;
//     template <class M> using with = csr_row<M, Value, Index>;
//     int64_t rows;
//     in<Memory, int64_t> row_offsets;  // ... scalars, inputs, outputs
//     template <team Team> LACIS_DEVICE_FN void operator()(Team team) const { ... }
//   };
//   using spmv_csr_kernels = kernel_list<csr_row, ...>;  // at the end of the header
#pragma once

#include "team/memory.hpp"
#include "team/number.hpp"
#include "team/team.hpp"

namespace lacis::kernels {

using simt::add;
using simt::call_site;
using simt::complex_number;
using simt::full_mask;
using simt::in;
using simt::memory_order;
using simt::memory_scope;
using simt::multiply;
using simt::no_shared;
using simt::none;
using simt::number;
using simt::out;
using simt::shared_array;
using simt::shared_by_thread;
using simt::subtract;
using simt::team;
using simt::update;
using simt::warp_size;

/// Every kernel. Its number counts here, so new ones go to the end of their group.
enum class kernel : int {
  // vector
  axpby,
  // reduce
  dot_blocks,
  dotc_blocks,
  square_blocks,
  largest_blocks,
  tree_nodes,
  plus_reduce,
  plus_reduce_whole,
  dot_atomic,
  shuffle_reduce,
  // dense
  dense_simple,
  dense_tiled,
  dense_vector,
  // spmv_csr
  csr_row,
  csr_row_add,
  csr_cached,
  csr_warp_shared,
  csr_warp_shuffle,
  csr_subwarp_2,
  csr_subwarp_4,
  csr_subwarp_8,
  csr_subwarp_16,
  spread_value,
  scale_only,
  // spmv_stream
  csr_stream,
  csr_stream_iso,
  // spmv_long
  csr_long,
  csr_long_iso,
  csr_long_join,
  long_rows_count,
  long_rows_list,
  // spmv_coo
  coo_atomic,
  // spmv_ell
  ell_row,
  ell_canonical,
  hyb_canonical,
  // spmv_jds
  jds_row,
  jds_canonical,
  // spmv_sell
  sell_32,
  sell_32_iso,
  // spmv_bsr
  bsr_rows,
  bsr_rows_iso,
  // convert
  row_lengths,
  cut_lengths,
  length_histogram,
  longer_rows,
  flag_above,
  length_keys,
  place_lengths,
  expand_rows,
  row_starts,
  descents,
  block_leaders,
  block_list,
  block_rows,
  ell_fill,
  hyb_fill,
  jds_fill,
  sell_fill,
  bsr_fill,
  // spmm
  spmm_short,
  spmm_long_by_columns,
  spmm_long_by_entries,
  spmm_join,
  // triangular
  triangular_split,
  triangular_solve,
  // spgemm_count
  spgemm_count_text,
  spgemm_count_touched,
  spgemm_count_stamped,
  spgemm_count_several_rows,
  spgemm_count_dynamic,
  spgemm_count_best_8,
  spgemm_count_best_32,
  // spgemm_fill
  spgemm_fill_text,
  spgemm_fill_touched,
  spgemm_fill_stamped,
  spgemm_fill_several_rows,
  spgemm_fill_dynamic,
  spgemm_fill_best_8,
  spgemm_fill_best_32,
  // spgemm_sort
  spgemm_sort_radix,
  // spgemm_hash
  spgemm_products,
  spgemm_bin_counts,
  spgemm_bin_lists,
  spgemm_hash_count_few,
  spgemm_hash_count_medium,
  spgemm_hash_count_wide,
  spgemm_hash_count_large,
  spgemm_dense_count,
  spgemm_hash_fill_few,
  spgemm_hash_fill_medium,
  spgemm_hash_fill_wide,
  spgemm_hash_fill_large,
  spgemm_dense_fill,
  spgemm_sort_tiles,
  // the last: how many there are
  count
};

/// The types of a kernel in its number: 4 types of values, 2 of indices; `none` counts as the first.
inline constexpr int type_pairs = 8;
template <class T> inline constexpr int type_slot = 0;
template <> inline constexpr int type_slot<double> = 1;
template <> inline constexpr int type_slot<complex_number<float>> = 2;
template <> inline constexpr int type_slot<complex_number<double>> = 3;
template <> inline constexpr int type_slot<int64_t> = 1;

template <class Kernel>
inline constexpr int number_of = static_cast<int>(Kernel::id) * type_pairs +
                                 type_slot<typename Kernel::value_type> * 2 + type_slot<typename Kernel::index_type>;
inline constexpr int kernel_numbers = static_cast<int>(kernel::count) * type_pairs;

/// The largest block that a launch of the kernel may have.
template <class Kernel> inline constexpr int most_block_threads = Kernel::block_threads;
template <class Kernel>
  requires requires { Kernel::most_block_threads; }
inline constexpr int most_block_threads<Kernel> = Kernel::most_block_threads;

/// Whether a launch of the kernel may have blocks of this size.
template <class Kernel> constexpr bool takes_block(int threads) {
  if (most_block_threads<Kernel> == Kernel::block_threads) return threads == Kernel::block_threads;
  return threads > 0 && threads <= most_block_threads<Kernel> && threads % warp_size == 0;
}

/// Threads of the block: a constant, which costs less, unless the launch chooses.
template <class Kernel, team Team> LACIS_DEVICE_FN int threads_of_block(Team team) {
  if constexpr (most_block_threads<Kernel> == Kernel::block_threads)
    return Kernel::block_threads;
  else
    return team.threads();
}

/// Mixes one kernel into a hash of all of them (FNV-1a), from which library and plugin see that they have the same.
constexpr uint64_t hash_kernel(uint64_t hash, int number, const char* name, int argument_count) {
  constexpr uint64_t prime = 0x100000001b3u;
  hash = (hash ^ static_cast<uint64_t>(number)) * prime;
  for (; *name != 0; ++name) hash = (hash ^ static_cast<uint64_t>(static_cast<unsigned char>(*name))) * prime;
  return (hash ^ static_cast<uint64_t>(argument_count)) * prime;
}

/// Kernels that are compiled together, for every type of value and index: Template<Memory, Value, Index>.
template <template <class, class, class> class... Kernels> struct kernel_list {};
/// Kernels without indices: Template<Memory, Value, none>.
template <template <class, class, class> class... Kernels> struct value_kernel_list {};
/// Kernels without values: Template<Memory, none, Index>.
template <template <class, class, class> class... Kernels> struct index_kernel_list {};
/// Kernels with neither: Template<Memory, none, none>.
template <template <class, class, class> class... Kernels> struct plain_kernel_list {};
/// All of these: a header has one list, so that every compiler takes all of its kernels.
template <class... Lists> struct kernel_lists {};

}  // namespace lacis::kernels

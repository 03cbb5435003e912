// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Sparse products, first kernel: how many entries each row of the result has.
#pragma once

#include "kernels/kernel.hpp"
#include "kernels/spgemm_table.hpp"

namespace lacis::kernels {

constexpr const char* spgemm_count_name(kernel id) {
  switch (id) {
    case kernel::spgemm_count_text:
      return "spgemm_count_text";
    case kernel::spgemm_count_touched:
      return "spgemm_count_touched";
    case kernel::spgemm_count_stamped:
      return "spgemm_count_stamped";
    case kernel::spgemm_count_several_rows:
      return "spgemm_count_several_rows";
    case kernel::spgemm_count_dynamic:
      return "spgemm_count_dynamic";
    case kernel::spgemm_count_best_8:
      return "spgemm_count_best_8";
    default:
      return "spgemm_count_best_32";
  }
}

/// counts[i]: how many different columns the rows of B have that row i of A names. GetNNZ of Rose: a group of threads
/// owns a row and a table of marks, one for each column of B; it walks the row of A from left to right, and its threads
/// take the entries of one row of B at a time, whose columns differ, so no two threads meet in a mark before they join.
///
/// Rose resets every mark before every row; `touched` walks the row again and takes its marks away (one write a
/// product, relaxed atomics, since several threads may clear one mark); `stamped` marks with the number of the row and
/// resets nothing. Tables of `touched` and `stamped` are zero when the launch begins.
///
/// Reads a column of B and reads and, when it is new, writes a mark for each product: 8 to 16 bytes; `whole` writes 4
/// bytes more for each column of B in every row.
template <class Memory, class Index, kernel Id, table_reset Reset, row_supply Supply, int Lanes, int BlockThreads>
struct spgemm_count {
  static constexpr kernel id = Id;
  static constexpr const char* name = spgemm_count_name(Id);
  static constexpr int block_threads = BlockThreads;
  static constexpr table_reset reset = Reset;
  using group = row_group<Lanes, BlockThreads>;
  using shared = typename group::shared;
  using value_type = none;
  using index_type = Index;
  using table_entry = int32_t;
  template <class M> using with = spgemm_count<M, Index, Id, Reset, Supply, Lanes, BlockThreads>;

  int64_t rows;
  int64_t width;  ///< columns of B: entries of a table
  in<Memory, int64_t> a_offsets;
  in<Memory, Index> a_columns;
  in<Memory, int64_t> b_offsets;
  in<Memory, Index> b_columns;
  out<Memory, int32_t> marks;  ///< `width` for each group
  out<Memory, int64_t> counts;
  out<Memory, int64_t> counters;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const group own = group::of(team);
    shared& memory = team.template shared<shared>();
    const int64_t table = (int64_t{team.block()} * group::in_block + own.number) * width;
    int64_t products = 0;
    int64_t row = own.no_row(team);
    for (;;) {
      row = own.template next_row<Supply>(team, memory, counters, row);
      if (row >= rows) break;
      const int64_t begin = a_offsets[row];
      const int64_t end = a_offsets[row + 1];
      if (begin == end) {
        if (own.rank == 0) counts[row] = 0;
        continue;
      }
      if constexpr (Reset == table_reset::whole) {
        for (int64_t j = own.rank; j < width; j += Lanes) marks[table + j] = 0;
        if (own.rank == 0) team.atomic_add(counters[reset_counter], width);
        own.join(team);
      }
      const int32_t mark = Reset == table_reset::stamped ? static_cast<int32_t>(row + 1) : 1;
      int64_t found = 0;
      for (int64_t k = begin; k < end; ++k) {
        const int64_t b_row = a_columns[k];
        const int64_t last = b_offsets[b_row + 1];
        for (int64_t j = b_offsets[b_row] + own.rank; j < last; j += Lanes) {
          int32_t& seen = marks[table + b_columns[j]];
          ++products;
          if (seen != mark) {
            seen = mark;
            ++found;
          }
        }
        own.join(team);
      }
      found = own.sum(team, memory, found);
      if (own.rank == 0) counts[row] = found;
      if constexpr (Reset == table_reset::touched) {
        for (int64_t k = begin; k < end; ++k) {
          const int64_t b_row = a_columns[k];
          // The end is read in every step: with one that it knows, nvcc unrolls for 16 steps, which few rows have, and
          // spills.
          for (int64_t j = b_offsets[b_row] + own.rank; j < b_offsets[b_row + 1]; j += Lanes)
            team.template store<memory_order::relaxed, memory_scope::block>(marks[table + b_columns[j]], 0);
        }
        own.join(team);
      }
    }
    if (products == 0) return;
    team.atomic_add(counters[product_counter], products);
    if constexpr (Reset == table_reset::touched) team.atomic_add(counters[reset_counter], products);  // one for each
  }
};

// Rose: 128 threads per row, rows dealt, every mark reset.
template <class Memory, class, class Index>
using spgemm_count_text =
    spgemm_count<Memory, Index, kernel::spgemm_count_text, table_reset::whole, row_supply::dealt, 128, 128>;
// What Rose leaves to be done, one by one.
template <class Memory, class, class Index>
using spgemm_count_touched =
    spgemm_count<Memory, Index, kernel::spgemm_count_touched, table_reset::touched, row_supply::dealt, 128, 128>;
template <class Memory, class, class Index>
using spgemm_count_several_rows =
    spgemm_count<Memory, Index, kernel::spgemm_count_several_rows, table_reset::whole, row_supply::dealt, 8, 128>;
template <class Memory, class, class Index>
using spgemm_count_dynamic =
    spgemm_count<Memory, Index, kernel::spgemm_count_dynamic, table_reset::whole, row_supply::claimed, 128, 128>;
// No reset at all, alone and with the rest.
template <class Memory, class, class Index>
using spgemm_count_stamped =
    spgemm_count<Memory, Index, kernel::spgemm_count_stamped, table_reset::stamped, row_supply::dealt, 128, 128>;
template <class Memory, class, class Index>
using spgemm_count_best_8 =
    spgemm_count<Memory, Index, kernel::spgemm_count_best_8, table_reset::stamped, row_supply::claimed, 8, 128>;
template <class Memory, class, class Index>
using spgemm_count_best_32 =
    spgemm_count<Memory, Index, kernel::spgemm_count_best_32, table_reset::stamped, row_supply::claimed, 32, 128>;

using spgemm_count_kernels =
    index_kernel_list<spgemm_count_text, spgemm_count_touched, spgemm_count_stamped, spgemm_count_several_rows,
                      spgemm_count_dynamic, spgemm_count_best_8, spgemm_count_best_32>;

}  // namespace lacis::kernels

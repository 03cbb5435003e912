// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Sparse products: the listed rows that fill a good part of their columns, with a place in global memory for each
// column.
#pragma once

#include "kernels/bits.hpp"
#include "kernels/kernel.hpp"
#include "kernels/spgemm_table.hpp"

namespace lacis::kernels {

/// counts[i] of the listed rows. A block owns a row and a table of marks, and claims the next row when it is done. A
/// mark is the row's number in the list and one more, so that nothing is reset; tables are zero when the launch begins.
/// The block joins after every row of B, whose columns differ.
///
/// Reads a column of B and reads and, when it is new, writes a mark for each product.
template <class Memory, class, class Index> struct spgemm_dense_count {
  static constexpr kernel id = kernel::spgemm_dense_count;
  static constexpr const char* name = "spgemm_dense_count";
  static constexpr int block_threads = 256;
  using group = row_group<block_threads, block_threads>;
  using shared = typename group::shared;
  using value_type = none;
  using index_type = Index;
  template <class M> using with = spgemm_dense_count<M, none, Index>;

  int64_t listed;
  int64_t width;  ///< columns of B: entries of a table
  in<Memory, int64_t> list;
  in<Memory, int64_t> a_offsets;
  in<Memory, Index> a_columns;
  in<Memory, int64_t> b_offsets;
  in<Memory, Index> b_columns;
  out<Memory, int32_t> marks;  ///< `width` for each block
  out<Memory, int64_t> counts;
  out<Memory, int64_t> counters;
  int32_t counted;  ///< whether products and probes, which are as many, are added up

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const group own = group::of(team);
    shared& memory = team.template shared<shared>();
    const int64_t table = int64_t{team.block()} * width;
    int64_t products = 0;
    for (;;) {
      const int64_t position = own.template next_row<row_supply::claimed>(team, memory, counters, 0);
      if (position >= listed) break;
      const int64_t row = list[position];
      const auto mark = static_cast<int32_t>(position + 1);
      const int64_t end = a_offsets[row + 1];
      int64_t found = 0;
      for (int64_t k = a_offsets[row]; k < end; ++k) {
        const int64_t b_row = a_columns[k];
        const int64_t last = b_offsets[b_row + 1];
        for (int64_t j = b_offsets[b_row] + own.rank; j < last; j += block_threads) {
          const int64_t place = table + b_columns[j];
          ++products;
          if (marks[place] == mark) continue;
          marks[place] = mark;
          ++found;
        }
        own.join(team);
      }
      found = own.sum(team, memory, found);
      if (own.rank == 0) counts[row] = found;
    }
    if (counted == 0) return;
    team.atomic_add(counters[product_counter], products);
    team.atomic_add(counters[probe_counter], products);
  }
};

/// Columns and values of the listed rows, in order. As above with a sum beside each mark; then the block walks the
/// marks from the first column to the last and writes those of the row, so that they need no sorting.
///
/// Order: each entry is +0, then its rounded products in ascending k, each sum with one thread between joins: canonical
/// bits.
///
/// Reads a column and a value of B, and reads and writes a mark and a sum, for each product; reads 4 bytes more for
/// each column of B in every row.
template <class Memory, class Value, class Index> struct spgemm_dense_fill {
  static constexpr kernel id = kernel::spgemm_dense_fill;
  static constexpr const char* name = "spgemm_dense_fill";
  static constexpr int block_threads = 256;
  static constexpr int block_warps = block_threads / warp_size;
  using group = row_group<block_threads, block_threads>;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = spgemm_dense_fill<M, Value, Index>;

  struct shared {
    typename group::shared of_group;
    shared_array<int, block_warps> used;  ///< columns of each warp's tile
  };

  int64_t listed;
  int64_t width;  ///< columns of B: entries of a table
  in<Memory, int64_t> list;
  in<Memory, int64_t> a_offsets;
  in<Memory, Index> a_columns;
  in<Memory, Value> a_values;
  int64_t a_stride;  ///< 0 when one value stands for all, otherwise 1
  in<Memory, int64_t> b_offsets;
  in<Memory, Index> b_columns;
  in<Memory, Value> b_values;
  int64_t b_stride;
  in<Memory, int64_t> c_offsets;
  int64_t c_base;  ///< the offset at which the arrays below begin
  out<Memory, Index> c_columns;
  out<Memory, Value> c_values;
  out<Memory, int32_t> marks;  ///< `width` for each block
  out<Memory, Value> sums;     ///< likewise
  out<Memory, int64_t> counters;
  int32_t counted;  ///< whether products and probes, which are as many, are added up

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const group own = group::of(team);
    shared& memory = team.template shared<shared>();
    const int64_t table = int64_t{team.block()} * width;
    int64_t products = 0;
    for (;;) {
      const int64_t position = own.template next_row<row_supply::claimed>(team, memory.of_group, counters, 0);
      if (position >= listed) break;
      const int64_t row = list[position];
      const auto mark = static_cast<int32_t>(position + 1);
      const int64_t end = a_offsets[row + 1];
      for (int64_t k = a_offsets[row]; k < end; ++k) {
        const int64_t b_row = a_columns[k];
        const Value factor = a_values[k * a_stride];
        const int64_t last = b_offsets[b_row + 1];
        for (int64_t j = b_offsets[b_row] + own.rank; j < last; j += block_threads) {
          const int64_t place = table + b_columns[j];
          const Value product = multiply(factor, b_values[j * b_stride]);
          ++products;
          const bool known = marks[place] == mark;
          const Value sum = known ? sums[place] : number<Value>(0);
          if (!known) marks[place] = mark;
          sums[place] = add(sum, product);
        }
        own.join(team);
      }
      write_row(team, memory, table, mark, c_offsets[row] - c_base);
    }
    if (counted == 0) return;
    team.atomic_add(counters[product_counter], products);
    team.atomic_add(counters[probe_counter], products);
  }

 private:
  template <team Team>
  LACIS_DEVICE_FN void write_row(Team team, shared& memory, int64_t table, int32_t mark, int64_t place,
                                 call_site site = call_site::here()) const {
    const int thread = team.thread();
    const int lane = team.lane();
    const int warp = team.warp();
    for (int64_t tile = 0; tile < width; tile += block_threads) {
      const int64_t column = tile + thread;
      const bool used = column < width && marks[table + column] == mark;
      const unsigned bits = team.ballot(full_mask, used, site);
      if (lane == 0) memory.used[warp] = bit_count(bits);
      team.barrier(site);
      int64_t own = place + bit_count(bits & ((1u << lane) - 1u));
      for (int each = 0; each < block_warps; ++each) {
        const int count = memory.used[each];
        if (each < warp) own += count;
        place += count;
      }
      if (used) {
        c_columns[own] = static_cast<Index>(column);
        c_values[own] = sums[table + column];
      }
      team.barrier(site);
    }
  }
};

}  // namespace lacis::kernels

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Sparse products by lists of rows: hash tables as large as a row needs, in shared memory or, for long rows, in global.
#pragma once

#include "kernels/kernel.hpp"
#include "kernels/spgemm_bins.hpp"
#include "kernels/spgemm_dense.hpp"
#include "kernels/spgemm_hash_table.hpp"
#include "kernels/spgemm_network.hpp"
#include "kernels/spgemm_table.hpp"

namespace lacis::kernels {

/// counts[i] of the listed rows: how many different columns the rows of B have that row i of A names. A group of
/// threads owns a row and a table of columns, as large as the row's products ask for. Only keys meet, by atomics, so
/// the threads join when the table is empty and when the row is done, and not between the rows of B.
///
/// Reads a column of B and probes the table for each product, and writes the table once before.
template <class Memory, class Index, kernel Id, class Shape> struct spgemm_hash_count {
  static constexpr kernel id = Id;
  static constexpr const char* name = Id == kernel::spgemm_hash_count_few      ? "spgemm_hash_count_few"
                                      : Id == kernel::spgemm_hash_count_medium ? "spgemm_hash_count_medium"
                                      : Id == kernel::spgemm_hash_count_wide   ? "spgemm_hash_count_wide"
                                                                               : "spgemm_hash_count_large";
  static constexpr int block_threads = Shape::block_threads;
  using shape = Shape;
  using group = typename Shape::group;
  using value_type = none;
  using index_type = Index;
  template <class M> using with = spgemm_hash_count<M, Index, Id, Shape>;

  struct shared {
    typename group::shared of_groups;
    shared_array<Index, Shape::shared_slots> keys;
  };

  int64_t listed;
  in<Memory, int64_t> list;
  in<Memory, int64_t> products;  ///< of each row of A
  in<Memory, int64_t> a_offsets;
  in<Memory, Index> a_columns;
  in<Memory, int64_t> b_offsets;
  in<Memory, Index> b_columns;
  int64_t slots;            ///< of a block's table in global memory
  out<Memory, Index> keys;  ///< these, or nothing
  out<Memory, int64_t> counts;
  out<Memory, int64_t> counters;
  int32_t counted;  ///< whether products and probes are added up

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const group own = group::of(team);
    shared& memory = team.template shared<shared>();
    int64_t probes = 0;
    int64_t all_products = 0;  // of the group
    int64_t position = own.no_row(team);
    for (;;) {
      position = own.template next_row<Shape::supply>(team, memory.of_groups, counters, position);
      if (position >= listed) break;
      const int64_t row = list[position];
      const int64_t most = products[row];
      int64_t found = 0;
      if constexpr (Shape::in_shared)
        found = count_row(team, own, memory.keys, int64_t{own.number} * Shape::slots, slot_bits(most), row, probes);
      else
        found = count_row(team, own, keys, int64_t{team.block()} * slots, slot_bits(most), row, probes);
      found = own.sum(team, memory.of_groups, found);
      if (own.rank == 0) counts[row] = found;
      all_products += most;
      own.join(team);
    }
    if (counted == 0) return;
    team.atomic_add(counters[probe_counter], probes);
    if (own.rank == 0) team.atomic_add(counters[product_counter], all_products);
  }

 private:
  /// What this thread has found of the row.
  template <team Team, class Keys>
  LACIS_DEVICE_FN int64_t count_row(Team team, const group& own, Keys& table, int64_t first, int bits, int64_t row,
                                    int64_t& probes, call_site site = call_site::here()) const {
    for (int64_t slot = own.rank; slot < int64_t{1} << bits; slot += group::lanes)
      table[first + slot] = no_column<Index>;
    own.join(team, site);
    int64_t found = 0;
    const int64_t end = a_offsets[row + 1];
    for (int64_t k = a_offsets[row]; k < end; ++k) {
      const int64_t b_row = a_columns[k];
      const int64_t last = b_offsets[b_row + 1];
      for (int64_t j = b_offsets[b_row] + own.rank; j < last; j += group::lanes)
        if (find_slot(team, table, first, bits, b_columns[j], probes).is_new) ++found;
    }
    return found;
  }
};

/// Columns and values of the listed rows. A group of threads owns a row and a table of columns and sums, as large as
/// the row's entries ask for; it walks the row of A from left to right, and its threads take the entries of one row of
/// B at a time. Their columns differ, so each sum has one thread until the group joins, and no sum needs an atomic.
///
/// A table in shared memory is moved together, sorted where it is, and written to C in order. One in global memory is
/// written as it comes, which depends on the schedule, for spgemm_sort_tiles to sort.
///
/// Order: each entry is +0, then its rounded products in ascending k: canonical bits.
///
/// Reads a column and a value of B, probes the table, and reads and writes a sum, for each product; writes the table
/// once before, and each entry of C once.
template <class Memory, class Value, class Index, kernel Id, class Shape> struct spgemm_hash_fill {
  static constexpr kernel id = Id;
  static constexpr const char* name = Id == kernel::spgemm_hash_fill_few      ? "spgemm_hash_fill_few"
                                      : Id == kernel::spgemm_hash_fill_medium ? "spgemm_hash_fill_medium"
                                      : Id == kernel::spgemm_hash_fill_wide   ? "spgemm_hash_fill_wide"
                                                                              : "spgemm_hash_fill_large";
  static constexpr int block_threads = Shape::block_threads;
  static constexpr int least_blocks = 1024 / block_threads;  // against spills: 64 registers
  using shape = Shape;
  using group = typename Shape::group;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = spgemm_hash_fill<M, Value, Index, Id, Shape>;

  struct shared {
    shared_array<Value, Shape::shared_slots> sums;
    typename group::shared of_groups;
    shared_array<Index, Shape::shared_slots> keys;
    shared_array<unsigned, group::in_block> next_entry;  ///< of each group's row
  };

  int64_t listed;
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
  int64_t slots;            ///< of a block's table in global memory
  out<Memory, Index> keys;  ///< these, or nothing
  out<Memory, Value> sums;  ///< likewise
  out<Memory, int64_t> counters;
  int32_t counted;  ///< whether products and probes are added up

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const group own = group::of(team);
    shared& memory = team.template shared<shared>();
    int64_t probes = 0;
    int64_t products = 0;  // of the group
    int64_t position = own.no_row(team);
    if (own.rank == 0) memory.next_entry[own.number] = 0;
    for (;;) {
      position = own.template next_row<Shape::supply>(team, memory.of_groups, counters, position);
      if (position >= listed) break;
      const int64_t row = list[position];
      const int64_t begin = c_offsets[row] - c_base;
      const auto entries = static_cast<unsigned>(c_offsets[row + 1] - c_offsets[row]);
      const int bits = slot_bits(entries);
      if constexpr (Shape::in_shared) {
        const int64_t first = int64_t{own.number} * Shape::slots;
        products += add_row(team, own, memory.keys, memory.sums, first, bits, row, probes);
        move_together(team, own, memory, first, bits, entries);
        sort_network<group>(own, entries).sort(team, memory.keys, memory.sums, first);
        for (unsigned t = own.rank; t < entries; t += group::lanes) {
          c_columns[begin + t] = memory.keys[first + t];
          c_values[begin + t] = memory.sums[first + t];
        }
      } else {
        const int64_t first = int64_t{team.block()} * slots;
        products += add_row(team, own, keys, sums, first, bits, row, probes);
        for (int64_t slot = own.rank; slot < int64_t{1} << bits; slot += group::lanes) {
          const Index column = keys[first + slot];
          if (column == no_column<Index>) continue;
          const unsigned place = next_place(team, own, memory, entries);
          c_columns[begin + place] = column;
          c_values[begin + place] = sums[first + slot];
        }
      }
      own.join(team);
    }
    if (counted == 0) return;
    team.atomic_add(counters[probe_counter], probes);
    if (own.rank == 0) team.atomic_add(counters[product_counter], products);
  }

 private:
  /// 0, 1, ... entries - 1 in the order in which threads ask, and from 0 on for the next row.
  template <team Team>
  LACIS_DEVICE_FN static unsigned next_place(Team team, const group& own, shared& memory, unsigned entries) {
    return team.template atomic_increment<memory_order::relaxed, memory_scope::block>(memory.next_entry[own.number],
                                                                                      entries - 1);
  }

  /// Moves the columns of a table in shared memory to its first slots, in any order. All slots that a step reads are
  /// read before it writes, and it writes to none that a later step reads.
  template <team Team>
  LACIS_DEVICE_FN static void move_together(Team team, const group& own, shared& memory, int64_t first, int bits,
                                            unsigned entries, call_site site = call_site::here()) {
    for (unsigned begin = 0; begin < 1u << bits; begin += group::lanes) {
      const unsigned slot = begin + own.rank;
      const Index column = slot < 1u << bits ? memory.keys[first + slot] : no_column<Index>;
      const bool used = column != no_column<Index>;
      const Value sum = used ? memory.sums[first + slot] : number<Value>(0);
      own.join(team, site);
      if (!used) continue;
      const int64_t place = first + next_place(team, own, memory, entries);
      memory.keys[place] = column;
      memory.sums[place] = sum;
    }
    own.join(team, site);
  }

  /// Leaves the row in the table, for all threads of the group; how many products that took.
  template <team Team, class Keys, class Sums>
  LACIS_DEVICE_FN int64_t add_row(Team team, const group& own, Keys& table, Sums& table_sums, int64_t first, int bits,
                                  int64_t row, int64_t& probes, call_site site = call_site::here()) const {
    for (int64_t slot = own.rank; slot < int64_t{1} << bits; slot += group::lanes)
      table[first + slot] = no_column<Index>;
    own.join(team, site);
    int64_t products = 0;
    const int64_t end = a_offsets[row + 1];
    for (int64_t k = a_offsets[row]; k < end; ++k) {
      const int64_t b_row = a_columns[k];
      const Value factor = a_values[k * a_stride];
      const int64_t b_first = b_offsets[b_row];
      const auto length = static_cast<unsigned>(b_offsets[b_row + 1] - b_first);  // no longer than the row of C
      products += length;
      for (unsigned t = own.rank; t < length; t += group::lanes) {
        const int64_t j = b_first + t;
        const Value product = multiply(factor, b_values[j * b_stride]);
        const found_slot found = find_slot(team, table, first, bits, b_columns[j], probes);
        const int64_t place = first + found.slot;
        table_sums[place] = add(found.is_new ? number<Value>(0) : table_sums[place], product);
      }
      own.join(team, site);
    }
    return products;
  }
};

// Tables of keys alone are larger: a row has more products than entries.
using count_few_shape = hash_shape<8, 128, 64>;
using count_medium_shape = hash_shape<32, 128, 512>;
using count_wide_shape = hash_shape<128, 128, 4096>;
using fill_few_shape = hash_shape<8, 128, 64>;
using fill_medium_shape = hash_shape<32, 128, 256>;
using fill_wide_shape = hash_shape<128, 128, 1024>;
using large_shape = hash_shape<256, 256, 0>;

template <class M, class, class I>
using spgemm_hash_count_few = spgemm_hash_count<M, I, kernel::spgemm_hash_count_few, count_few_shape>;
template <class M, class, class I>
using spgemm_hash_count_medium = spgemm_hash_count<M, I, kernel::spgemm_hash_count_medium, count_medium_shape>;
template <class M, class, class I>
using spgemm_hash_count_wide = spgemm_hash_count<M, I, kernel::spgemm_hash_count_wide, count_wide_shape>;
template <class M, class, class I>
using spgemm_hash_count_large = spgemm_hash_count<M, I, kernel::spgemm_hash_count_large, large_shape>;
template <class M, class V, class I>
using spgemm_hash_fill_few = spgemm_hash_fill<M, V, I, kernel::spgemm_hash_fill_few, fill_few_shape>;
template <class M, class V, class I>
using spgemm_hash_fill_medium = spgemm_hash_fill<M, V, I, kernel::spgemm_hash_fill_medium, fill_medium_shape>;
template <class M, class V, class I>
using spgemm_hash_fill_wide = spgemm_hash_fill<M, V, I, kernel::spgemm_hash_fill_wide, fill_wide_shape>;
template <class M, class V, class I>
using spgemm_hash_fill_large = spgemm_hash_fill<M, V, I, kernel::spgemm_hash_fill_large, large_shape>;

using spgemm_hash_kernels =
    kernel_lists<plain_kernel_list<spgemm_bin_counts, spgemm_bin_lists>,
                 index_kernel_list<spgemm_products, spgemm_hash_count_few, spgemm_hash_count_medium,
                                   spgemm_hash_count_wide, spgemm_hash_count_large, spgemm_dense_count>,
                 kernel_list<spgemm_hash_fill_few, spgemm_hash_fill_medium, spgemm_hash_fill_wide,
                             spgemm_hash_fill_large, spgemm_dense_fill, spgemm_sort_tiles>>;

}  // namespace lacis::kernels

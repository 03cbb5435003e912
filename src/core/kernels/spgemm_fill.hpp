// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Sparse products, second kernel: columns and values.
#pragma once

#include "kernels/kernel.hpp"
#include "kernels/spgemm_table.hpp"

namespace lacis::kernels {

constexpr const char* spgemm_fill_name(kernel id) {
  switch (id) {
    case kernel::spgemm_fill_text:
      return "spgemm_fill_text";
    case kernel::spgemm_fill_touched:
      return "spgemm_fill_touched";
    case kernel::spgemm_fill_stamped:
      return "spgemm_fill_stamped";
    case kernel::spgemm_fill_several_rows:
      return "spgemm_fill_several_rows";
    case kernel::spgemm_fill_dynamic:
      return "spgemm_fill_dynamic";
    case kernel::spgemm_fill_best_8:
      return "spgemm_fill_best_8";
    default:
      return "spgemm_fill_best_32";
  }
}

/// Where a column is in its row of C: the slot counted from the row's start. All bits set: nowhere yet.
template <table_reset Reset> struct slot_entry {
  using type = uint32_t;
};
/// The place in the arrays of C. Rows have places of their own, so a place of another row shows as one.
template <> struct slot_entry<table_reset::stamped> {
  using type = int64_t;
};

/// Columns and values of C, the columns of a row in no order yet. GetVals of Rose: a group of threads owns a row and a
/// table of slots, one for each column of B; it walks the row of A from left to right, and its threads take the entries
/// of one row of B at a time. Their columns differ, so each sum has one thread until the group joins, and no sum needs
/// an atomic. A column that comes for the first time takes the next slot, by an atomic that wraps to 0 with the row's
/// last.
///
/// Order: each entry is +0, then its rounded products in ascending k: canonical bits. Which slot a column gets depends
/// on the schedule; sorting the row by column removes that.
///
/// Rose resets the whole table before every row, and lets each thread do all of it; `touched` walks the columns that
/// the row put into C and empties their entries; `stamped` resets nothing, at 8 bytes per entry instead of 4. Tables of
/// `touched` and `stamped` have all bits set when the launch begins.
///
/// Reads a column and a value of B and a slot, and reads and writes a value of C, for each product; writes a column of
/// C and a slot for each entry of C. `whole` writes 4 bytes more for each column of B in every row.
template <class Memory, class Value, class Index, kernel Id, table_reset Reset, row_supply Supply, int Lanes,
          int BlockThreads>
struct spgemm_fill {
  static constexpr kernel id = Id;
  static constexpr const char* name = spgemm_fill_name(Id);
  static constexpr int block_threads = BlockThreads;
  static constexpr table_reset reset = Reset;
  using group = row_group<Lanes, BlockThreads>;
  using value_type = Value;
  using index_type = Index;
  using table_entry = typename slot_entry<Reset>::type;
  template <class M> using with = spgemm_fill<M, Value, Index, Id, Reset, Supply, Lanes, BlockThreads>;
  static constexpr table_entry empty = static_cast<table_entry>(-1);

  struct shared {
    typename group::shared of_groups;
    shared_array<unsigned, group::in_block> next_slot;
  };

  int64_t rows;
  int64_t width;  ///< columns of B: entries of a table
  in<Memory, int64_t> a_offsets;
  in<Memory, Index> a_columns;
  in<Memory, Value> a_values;
  int64_t a_stride;  ///< 0 when one value stands for all, otherwise 1
  in<Memory, int64_t> b_offsets;
  in<Memory, Index> b_columns;
  in<Memory, Value> b_values;
  int64_t b_stride;
  in<Memory, int64_t> c_offsets;
  out<Memory, Index> c_columns;
  out<Memory, Value> c_values;
  out<Memory, table_entry> slots;  ///< `width` for each group
  out<Memory, int64_t> counters;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const group own = group::of(team);
    shared& memory = team.template shared<shared>();
    const int64_t table = (int64_t{team.block()} * group::in_block + own.number) * width;
    int64_t resets = 0;  // of the group
    if (own.rank == 0) memory.next_slot[own.number] = 0;
    own.join(team);
    int64_t row = own.no_row(team);
    for (;;) {
      row = own.template next_row<Supply>(team, memory.of_groups, counters, row);
      if (row >= rows) break;
      const int64_t c_begin = c_offsets[row];
      const auto entries = static_cast<unsigned>(c_offsets[row + 1] - c_begin);
      if (entries == 0) continue;
      if constexpr (Reset == table_reset::whole) {
        for (int64_t j = own.rank; j < width; j += Lanes) slots[table + j] = empty;
        if (own.rank == 0) team.atomic_add(counters[reset_counter], width);
        own.join(team);
      }
      const int64_t end = a_offsets[row + 1];
      for (int64_t k = a_offsets[row]; k < end; ++k) {
        const int64_t b_row = a_columns[k];
        const Value factor = a_values[k * a_stride];
        const int64_t first = b_offsets[b_row];
        // No longer than the row of C, and that has 31 bits. With 64-bit steps this kernel spilled.
        const auto length = static_cast<unsigned>(b_offsets[b_row + 1] - first);
        for (unsigned t = own.rank; t < length; t += Lanes) {
          const int64_t j = first + t;
          const Index column = b_columns[j];
          const Value product = multiply(factor, b_values[j * b_stride]);
          const table_entry seen = slots[table + column];
          if (is_new(seen, c_begin, entries)) {
            const unsigned slot = team.template atomic_increment<memory_order::relaxed, memory_scope::block>(
                memory.next_slot[own.number], entries - 1);
            const int64_t place = c_begin + slot;
            slots[table + column] = static_cast<table_entry>(Reset == table_reset::stamped ? place : int64_t{slot});
            c_columns[place] = column;
            c_values[place] = add(number<Value>(0), product);
          } else {
            const int64_t place = Reset == table_reset::stamped ? int64_t{seen} : c_begin + int64_t{seen};
            c_values[place] = add(c_values[place], product);
          }
        }
        own.join(team);
      }
      if constexpr (Reset == table_reset::touched) {
        for (unsigned slot = own.rank; slot < entries; slot += Lanes) slots[table + c_columns[c_begin + slot]] = empty;
        resets += entries;
        own.join(team);
      }
    }
    if (own.rank == 0 && resets > 0) team.atomic_add(counters[reset_counter], resets);
  }

 private:
  LACIS_DEVICE_FN static bool is_new(table_entry seen, int64_t c_begin, unsigned entries) {
    if constexpr (Reset == table_reset::stamped)
      return static_cast<uint64_t>(seen - c_begin) >= entries;
    else
      return seen == empty;
  }
};

// Rose: a warp per row, rows dealt, the whole table reset.
template <class Memory, class Value, class Index>
using spgemm_fill_text =
    spgemm_fill<Memory, Value, Index, kernel::spgemm_fill_text, table_reset::whole, row_supply::dealt, 32, 32>;
// What Rose leaves to be done, one by one.
template <class Memory, class Value, class Index>
using spgemm_fill_touched =
    spgemm_fill<Memory, Value, Index, kernel::spgemm_fill_touched, table_reset::touched, row_supply::dealt, 32, 32>;
template <class Memory, class Value, class Index>
using spgemm_fill_several_rows =
    spgemm_fill<Memory, Value, Index, kernel::spgemm_fill_several_rows, table_reset::whole, row_supply::dealt, 8, 128>;
template <class Memory, class Value, class Index>
using spgemm_fill_dynamic =
    spgemm_fill<Memory, Value, Index, kernel::spgemm_fill_dynamic, table_reset::whole, row_supply::claimed, 32, 32>;
// No reset at all, alone and with the rest.
template <class Memory, class Value, class Index>
using spgemm_fill_stamped =
    spgemm_fill<Memory, Value, Index, kernel::spgemm_fill_stamped, table_reset::stamped, row_supply::dealt, 32, 32>;
template <class Memory, class Value, class Index>
using spgemm_fill_best_8 =
    spgemm_fill<Memory, Value, Index, kernel::spgemm_fill_best_8, table_reset::stamped, row_supply::claimed, 8, 128>;
template <class Memory, class Value, class Index>
using spgemm_fill_best_32 =
    spgemm_fill<Memory, Value, Index, kernel::spgemm_fill_best_32, table_reset::stamped, row_supply::claimed, 32, 128>;

using spgemm_fill_kernels =
    kernel_list<spgemm_fill_text, spgemm_fill_touched, spgemm_fill_stamped, spgemm_fill_several_rows,
                spgemm_fill_dynamic, spgemm_fill_best_8, spgemm_fill_best_32>;

}  // namespace lacis::kernels

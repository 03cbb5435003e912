// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Conversion from CSR to BSR: which blocks there are, and what is in them. Rows are canonical.
#pragma once

#include "kernels/convert_lengths.hpp"
#include "kernels/kernel.hpp"

namespace lacis::kernels {

/// The first entry of begin .. end whose column is not below `column`.
template <class Columns>
LACIS_DEVICE_FN int64_t first_entry_from(const Columns& columns, int64_t begin, int64_t end, int64_t column) {
  while (begin < end) {
    const int64_t middle = begin + (end - begin) / 2;
    if (columns[middle] < column)
      begin = middle + 1;
    else
      end = middle;
  }
  return begin;
}

/// flags[k] = 1 where entry k does not have a higher column than the one before it in its row. A thread per entry.
template <class Memory, class Value, class Index> struct descents {
  static constexpr kernel id = kernel::descents;
  static constexpr const char* name = "descents";
  static constexpr int block_threads = 256;
  using shared = no_shared;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = descents<M, Value, Index>;

  int64_t rows;
  int64_t entries;
  in<Memory, int64_t> row_offsets;
  in<Memory, Index> columns;
  out<Memory, int64_t> flags;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int64_t k = int64_t{team.block()} * block_threads + team.thread();
    if (k >= entries) return;
    const bool falls = k > 0 && columns[k] <= columns[k - 1];  // rarely, so rarely a row is looked for
    flags[k] = falls && row_offsets[segment_of(row_offsets, rows, k)] < k ? 1 : 0;
  }
};

/// flags[k] = 1 for one entry of every block: the first one in the first row that has any. A thread per entry; it looks
/// by bisection into the rows above it in its block row.
template <class Memory, class Value, class Index> struct block_leaders {
  static constexpr kernel id = kernel::block_leaders;
  static constexpr const char* name = "block_leaders";
  static constexpr int block_threads = 256;
  using shared = no_shared;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = block_leaders<M, Value, Index>;

  int64_t rows;
  int64_t entries;
  int block_size;
  in<Memory, int64_t> row_offsets;
  in<Memory, Index> columns;
  out<Memory, int64_t> flags;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int64_t k = int64_t{team.block()} * block_threads + team.thread();
    if (k >= entries) return;
    const int64_t row = segment_of(row_offsets, rows, k);
    const int64_t block = columns[k] / block_size;
    bool leads = k == row_offsets[row] || columns[k - 1] / block_size != block;
    for (int64_t above = row - row % block_size; leads && above < row; ++above) {
      const int64_t end = row_offsets[above + 1];
      const int64_t at = first_entry_from(columns, row_offsets[above], end, block * block_size);
      leads = at == end || columns[at] / block_size != block;
    }
    flags[k] = leads ? 1 : 0;
  }
};

/// The block column of every leader, at its place among the leaders: grouped by block row, not yet sorted. A thread an
/// entry.
template <class Memory, class Value, class Index> struct block_list {
  static constexpr kernel id = kernel::block_list;
  static constexpr const char* name = "block_list";
  static constexpr int block_threads = 256;
  using shared = no_shared;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = block_list<M, Value, Index>;

  int64_t entries;
  int block_size;
  in<Memory, int64_t> leaders_before;  ///< each entry: the scan of their flags
  in<Memory, Index> columns;
  out<Memory, Index> block_columns;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int64_t k = int64_t{team.block()} * block_threads + team.thread();
    if (k >= entries) return;
    const int64_t before = leaders_before[k];
    if (leaders_before[k + 1] != before) block_columns[before] = static_cast<Index>(columns[k] / block_size);
  }
};

/// Where each block row begins, and where the last one ends. A thread per block row and one more.
template <class Memory, class Value, class Index> struct block_rows {
  static constexpr kernel id = kernel::block_rows;
  static constexpr const char* name = "block_rows";
  static constexpr int block_threads = 256;
  using shared = no_shared;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = block_rows<M, Value, Index>;

  int64_t rows;
  int64_t count;
  int block_size;
  in<Memory, int64_t> row_offsets;
  in<Memory, int64_t> leaders_before;
  out<Memory, int64_t> block_offsets;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int64_t block_row = int64_t{team.block()} * block_threads + team.thread();
    if (block_row > count) return;
    const int64_t row = block_row * block_size;
    block_offsets[block_row] = leaders_before[row_offsets[row < rows ? row : rows]];
  }
};

/// The slots and the masks of all blocks. A thread a bit of the masks, which looks for its slot in the row by
/// bisection; eight lanes make a byte.
template <class Memory, class Value, class Index> struct bsr_fill {
  static constexpr kernel id = kernel::bsr_fill;
  static constexpr const char* name = "bsr_fill";
  static constexpr int block_threads = 256;
  using shared = no_shared;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = bsr_fill<M, Value, Index>;

  int64_t rows;
  int64_t block_row_count;
  int64_t bits;  ///< of all masks
  int block_size;
  int iso;  ///< 1 when values are one for all, and not copied here
  in<Memory, int64_t> block_offsets;
  in<Memory, Index> block_columns;
  in<Memory, int64_t> row_offsets;
  in<Memory, Index> columns;
  in<Memory, Value> values;
  out<Memory, uint8_t> mask;
  out<Memory, Value> to_values;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int lane = team.lane();
    const int64_t bit = int64_t{team.block()} * block_threads + team.thread();
    const int slots = block_size * block_size;
    const int block_bits = (slots + 7) / 8 * 8;
    const int64_t block = bit / block_bits;
    const int slot = static_cast<int>(bit % block_bits);
    const bool is_slot = bit < bits && slot < slots;
    bool stored = false;
    int64_t entry = 0;
    if (is_slot) {
      const int64_t row = segment_of(block_offsets, block_row_count, block) * block_size + slot / block_size;
      const int64_t column = int64_t{block_columns[block]} * block_size + slot % block_size;
      if (row < rows) {
        const int64_t end = row_offsets[row + 1];
        entry = first_entry_from(columns, row_offsets[row], end, column);
        stored = entry < end && columns[entry] == column;
      }
      if (iso == 0) to_values[block * slots + slot] = stored ? values[entry] : number<Value>(0);
    }
    const unsigned found = team.ballot(full_mask, stored);
    if (bit < bits && lane % 8 == 0) mask[bit / 8] = static_cast<uint8_t>(found >> lane);
  }
};

}  // namespace lacis::kernels

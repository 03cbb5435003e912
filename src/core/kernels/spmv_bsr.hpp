// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of BSR matrices with a vector, stored entries only.
#pragma once

#include "kernels/bits.hpp"
#include "kernels/kernel.hpp"
#include "kernels/lanes.hpp"
#include "kernels/row_sums.hpp"

namespace lacis::kernels {

/// The largest block of the product: a row of it and the bits of a byte beside it fit 32 bits.
inline constexpr int most_block_size = 16;

/// y = alpha A x + beta y in the canonical order of the stored entries; the mask tells them from fill, which is never
/// read. A thread per row, while it has up to 32 entries; a longer row is taken by the whole warp, where the rank of an
/// entry among the stored ones says which lane adds it. Bytes an entry: a value (not when Iso) and x; a block adds its
/// column and two bits per slot, one to count and one to sum. The rows of a block share its sectors.
template <class Memory, class Value, class Index, bool Iso> struct bsr_by_rows {
  static constexpr kernel id = Iso ? kernel::bsr_rows_iso : kernel::bsr_rows;
  static constexpr const char* name = Iso ? "bsr_rows_iso" : "bsr_rows";
  static constexpr int block_threads = 128;
  static constexpr int least_blocks = 8;
  struct shared {
    shared_array<Value, block_threads> terms;  ///< on their way from the lane that read them to the lane that adds them
  };
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = bsr_by_rows<M, Value, Index, Iso>;

  int64_t rows;
  int block_size;
  in<Memory, int64_t> row_offsets;
  in<Memory, Index> block_columns;
  in<Memory, uint8_t> mask;
  in<Memory, Value> values;
  in<Memory, Value> x;
  Value alpha;
  Value beta;
  out<Memory, Value> y;

  /// Which slots of a row of a block are entries.
  LACIS_DEVICE_FN unsigned entries_of(int64_t block, int row_in_block) const {
    const int first = row_in_block * block_size;
    const int64_t byte = block * ((block_size * block_size + 7) / 8) + first / 8;
    const int shift = first % 8;
    unsigned bits = 0;
    for (int b = 0; 8 * b < shift + block_size; ++b) bits |= static_cast<unsigned>(mask[byte + b]) << (8 * b);
    return bits >> shift & ((1u << block_size) - 1);
  }

  LACIS_DEVICE_FN Value term(int64_t block, int row_in_block, int j) const {
    const int64_t slot = (block * block_size + row_in_block) * block_size + j;
    return multiply(values[Iso ? 0 : slot], x[int64_t{block_columns[block]} * block_size + j]);
  }

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int thread = team.thread();
    const int lane = team.lane();
    const int64_t row = int64_t{team.block()} * block_threads + thread;
    const int64_t block_row = row / block_size;
    const int row_in_block = static_cast<int>(row % block_size);
    const int64_t begin = row < rows ? row_offsets[block_row] : 0;
    const int64_t end = row < rows ? row_offsets[block_row + 1] : 0;
    int count = 0;  // of entries, until it is known to be a long row
    for (int64_t block = begin; block < end && count <= short_row; ++block)
      count += bit_count(entries_of(block, row_in_block));
    Value sum = number<Value>(0);
    if (count <= short_row) {
      for (int64_t block = begin; block < end; ++block)
        for (unsigned rest = entries_of(block, row_in_block); rest != 0; rest &= rest - 1)
          sum = add(sum, term(block, row_in_block, lowest_bit(rest)));
    }
    for (unsigned rest = team.ballot(full_mask, count > short_row); rest != 0; rest &= rest - 1) {
      const int owner = lowest_bit(rest);
      const Value its_sum = row_together(team, lane, thread - lane, team.shuffle(full_mask, row_in_block, owner),
                                         team.shuffle(full_mask, begin, owner), team.shuffle(full_mask, end, owner));
      if (lane == owner) sum = its_sum;
    }
    if (row < rows) update(alpha, sum, beta, y[row]);
  }

 private:
  /// A row of more than 32 entries by the warp. 32 slots at a time: the entries among them have ranks that follow each
  /// other, so no lane is to add two of them, and they change lanes through `terms`.
  template <team Team>
  LACIS_DEVICE_FN Value row_together(Team team, int lane, int warp_begin, int row_in_block, int64_t begin, int64_t end,
                                     call_site site = call_site::here()) const {
    auto& terms = team.template shared<shared>().terms;
    int64_t block = begin + lane / block_size;
    int j = lane % block_size;
    chunk_tree<Value> tree;
    Value sum = number<Value>(0);
    int taken = 0;  // entries of the chunk
    while (team.any(full_mask, block < end, site)) {
      const bool stored = block < end && (entries_of(block, row_in_block) >> j & 1) != 0;
      const unsigned found = team.ballot(full_mask, stored, site);
      const int before = bit_count(found & ((1u << lane) - 1));
      if (stored) terms[warp_begin + ((taken + before) & (warp_size - 1))] = term(block, row_in_block, j);
      team.sync_warp(full_mask, site);
      const int rank = taken + ((lane - taken) & (warp_size - 1));  // of the one that this lane adds
      taken += bit_count(found);
      const bool mine = rank < taken;
      const Value moved = mine ? terms[warp_begin + lane] : number<Value>(0);
      if (mine && rank < chunk_entries) sum = add(sum, moved);
      if (taken >= chunk_entries) {
        tree.append(team, lane, lane_sum(team, full_mask, sum, warp_size, site), site);
        sum = number<Value>(0);
        if (mine && rank >= chunk_entries) sum = add(sum, moved);
        taken -= static_cast<int>(chunk_entries);
      }
      team.sync_warp(full_mask, site);
      block += warp_size / block_size;
      j += warp_size % block_size;
      if (j >= block_size) {
        j -= block_size;
        ++block;
      }
    }
    if (taken > 0) tree.append(team, lane, lane_sum(team, full_mask, sum, warp_size, site), site);
    return tree.total(team, site);
  }
};

template <class M, class V, class I> using bsr_rows = bsr_by_rows<M, V, I, false>;
template <class M, class V, class I> using bsr_rows_iso = bsr_by_rows<M, V, I, true>;

using spmv_bsr_kernels = kernel_list<bsr_rows, bsr_rows_iso>;

}  // namespace lacis::kernels

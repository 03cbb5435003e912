// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Hash tables of columns that the threads of a block fill together.
#pragma once

#include "kernels/bits.hpp"
#include "kernels/kernel.hpp"
#include "kernels/spgemm_network.hpp"
#include "kernels/spgemm_table.hpp"

namespace lacis::kernels {

/// A table has a power of two of slots, at least twice as many as it may get columns; at most that many columns.
inline constexpr int64_t most_hashed = int64_t{1} << 30;
inline constexpr int least_slot_bits = 3;
LACIS_DEVICE_FN int slot_bits(int64_t columns) {
  const int bits = bit_width(static_cast<unsigned>(2 * columns - 1));
  return bits < least_slot_bits ? least_slot_bits : bits;
}

/// Where the search for a column begins: the highest bits of its product with 2^32 over the golden ratio, which keeps
/// neighbouring columns apart.
template <class Index> LACIS_DEVICE_FN unsigned first_slot(Index column, int bits) {
  auto word = static_cast<unsigned>(column);
  if constexpr (sizeof(Index) == 8) word ^= static_cast<unsigned>(column >> 32);
  return (word * 0x9e3779b1u) >> (32 - bits);
}

struct found_slot {
  unsigned slot;
  bool is_new;
};

/// The slot of a column in the table keys[first ..] of 2^bits slots, which takes the column in if it is new: from
/// first_slot on to the first slot that is the column's or free. Other threads of the block may do so with other
/// columns, or with the same one, at the same time. Every slot that is looked at is a probe.
template <team Team, class Keys, class Index>
LACIS_DEVICE_FN found_slot find_slot(Team team, Keys& keys, int64_t first, int bits, Index column, int64_t& probes) {
  const unsigned last = (1u << bits) - 1u;
  unsigned slot = first_slot(column, bits);
  for (;;) {
    ++probes;
    Index& key = keys[first + slot];
    Index seen = team.template load<memory_order::relaxed, memory_scope::block>(key);
    if (seen == no_column<Index>) {
      seen = team.template atomic_compare_exchange<memory_order::relaxed, memory_scope::block>(key, seen, column);
      if (seen == no_column<Index>) return {slot, true};
    }
    if (seen == column) return {slot, false};
    slot = (slot + 1) & last;
  }
}

/// How many threads own a row of a list, how large blocks are, and how many slots a table in shared memory has; 0: it
/// is in global memory, and blocks claim rows.
template <int Lanes, int BlockThreads, int Slots> struct hash_shape {
  using group = row_group<Lanes, BlockThreads>;
  static constexpr int block_threads = BlockThreads;
  static constexpr int slots = Slots;
  static constexpr bool in_shared = Slots > 0;
  static constexpr row_supply supply = in_shared ? row_supply::dealt : row_supply::claimed;
  static constexpr int shared_slots = in_shared ? Slots * group::in_block : 1;
};

}  // namespace lacis::kernels

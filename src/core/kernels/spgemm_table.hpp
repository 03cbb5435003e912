// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Sparse products: the threads that own a row together, where rows come from, and how tables are made ready for a row.
#pragma once

#include "kernels/kernel.hpp"

namespace lacis::kernels {

/// How a table over all columns is made ready for the next row.
enum class table_reset {
  whole,    ///< every entry is written before every row
  touched,  ///< after a row, the entries that it wrote are written back
  stamped   ///< never: an entry says which row wrote it, and entries of other rows count as empty
};

/// Which rows a group of threads works on.
enum class row_supply {
  dealt,   ///< group, group + groups, ...
  claimed  ///< the next free one, by an atomic counter
};

/// What a launch counts, and the row that is claimed next: places in the array `counters`, which starts at zero.
inline constexpr int next_row_counter = 0;
inline constexpr int reset_counter = 1;
inline constexpr int product_counter = 2;
inline constexpr int probe_counter = 3;
inline constexpr int spgemm_counters = 4;

/// The `Lanes` threads that own a row and a table: a block, or a part of a warp. Parts of a warp go their own ways, so
/// a kernel that is made of them has no barrier of the block.
template <int Lanes, int BlockThreads> struct row_group {
  static constexpr bool whole_block = Lanes > warp_size;
  static_assert(whole_block ? Lanes == BlockThreads : BlockThreads % Lanes == 0);
  static constexpr int lanes = Lanes;
  static constexpr int in_block = BlockThreads / Lanes;

  /// For groups that are blocks: one number of each warp.
  struct shared {
    shared_array<int64_t, whole_block ? BlockThreads / warp_size : 1> words;
  };

  int number;  ///< of the group in its block
  int rank;    ///< of the thread in its group
  unsigned mask;

  template <team Team> LACIS_DEVICE_FN static row_group of(Team team) {
    const int thread = team.thread();
    const int lane = team.lane();
    const unsigned first = Lanes < warp_size ? (1u << (Lanes % warp_size)) - 1u : full_mask;
    return {thread / Lanes, thread % Lanes, whole_block ? full_mask : first << (lane / Lanes * Lanes % warp_size)};
  }

  /// Waits for the group and makes its writes known to it.
  template <team Team> LACIS_DEVICE_FN void join(Team team, call_site site = call_site::here()) const {
    if constexpr (whole_block)
      team.barrier(site);
    else
      team.sync_warp(mask, site);
  }

  /// The sum over the group, for rank 0. A group that is a block joins once more before it calls this again.
  template <team Team>
  LACIS_DEVICE_FN int64_t sum(Team team, shared& memory, int64_t value, call_site site = call_site::here()) const {
    constexpr int width = whole_block ? warp_size : Lanes;
    for (int distance = width / 2; distance > 0; distance /= 2)
      value += team.shuffle_down(mask, value, distance, width, site);
    if constexpr (whole_block) {
      if (rank % warp_size == 0) memory.words[rank / warp_size] = value;
      team.barrier(site);
      if (rank == 0)
        for (int warp = 1; warp < Lanes / warp_size; ++warp) value += memory.words[warp];
    }
    return value;
  }

  /// What next_row takes for the group's first row.
  template <team Team> LACIS_DEVICE_FN int64_t no_row(Team team) const {
    return (int64_t{team.block()} - team.blocks()) * in_block + number;
  }

  /// The row after `row`, for all threads of the group; not less than the number of rows when there are no more.
  template <row_supply Supply, team Team, class Counters>
  LACIS_DEVICE_FN int64_t next_row(Team team, shared& memory, Counters counters, int64_t row,
                                   call_site site = call_site::here()) const {
    if constexpr (Supply == row_supply::dealt) {
      return row + int64_t{team.blocks()} * in_block;
    } else {
      if (rank == 0) row = team.atomic_add(counters[next_row_counter], 1);
      if constexpr (whole_block) {
        if (rank == 0) memory.words[0] = row;
        team.barrier(site);
        row = memory.words[0];
        team.barrier(site);
      } else {
        row = team.shuffle(mask, row, 0, Lanes, site);
      }
      return row;
    }
  }
};

}  // namespace lacis::kernels

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Sorting columns with their values by a network of exchanges: in shared memory, and in tiles of it for long rows.
#pragma once

#include "kernels/kernel.hpp"
#include "kernels/spgemm_table.hpp"

namespace lacis::kernels {

/// An empty place of a table: as an unsigned number it is larger than every column.
template <class Index> inline constexpr Index no_column = static_cast<Index>(-1);

LACIS_DEVICE_FN uint32_t sort_key(int32_t column) { return static_cast<uint32_t>(column); }
LACIS_DEVICE_FN uint64_t sort_key(int64_t column) { return static_cast<uint64_t>(column); }

/// Puts two places in order.
template <class Columns, class Values>
LACIS_DEVICE_FN void order_places(Columns& columns, Values& values, int64_t low, int64_t high) {
  const auto low_column = columns[low];
  const auto high_column = columns[high];
  if (sort_key(low_column) <= sort_key(high_column)) return;
  columns[low] = high_column;
  columns[high] = low_column;
  const auto value = values[low];
  values[low] = values[high];
  values[high] = value;
}

/// Where the pairs of places begin that are `distance` apart, a power of two: q distance + r becomes 2 q distance + r.
LACIS_DEVICE_FN unsigned lower_place(unsigned pair, unsigned distance) { return pair + (pair & ~(distance - 1)); }

/// Batcher's bitonic network in the form in which every exchange puts the smaller one first: runs of `size` places are
/// turned against each other once (`mirror`), then exchanged over halving distances (`exchange`). Places behind the
/// length count as larger than all and never move, so any length will do. `pairs` is half of the power of two that
/// holds the length. The group joins after each.
template <class Group> struct sort_network {
  const Group& own;
  unsigned length;
  unsigned pairs;

  LACIS_DEVICE_FN sort_network(const Group& group, unsigned places) : own(group), length(places), pairs(1) {
    while (2 * pairs < places) pairs *= 2;
  }

  template <class Columns, class Values>
  LACIS_DEVICE_FN void mirror(Columns& columns, Values& values, int64_t first, unsigned size) const {
    for (unsigned pair = own.rank; pair < pairs; pair += Group::lanes) {
      const unsigned low = lower_place(pair, size / 2);
      const unsigned high = low ^ (size - 1);
      if (high < length) order_places(columns, values, first + low, first + high);
    }
  }
  template <class Columns, class Values>
  LACIS_DEVICE_FN void exchange(Columns& columns, Values& values, int64_t first, unsigned distance) const {
    for (unsigned pair = own.rank; pair < pairs; pair += Group::lanes) {
      const unsigned low = lower_place(pair, distance);
      if (low + distance < length) order_places(columns, values, first + low, first + low + distance);
    }
  }
  /// What remains of a merge, from this distance down.
  template <team Team, class Columns, class Values>
  LACIS_DEVICE_FN void merge(Team team, Columns& columns, Values& values, int64_t first, unsigned distance,
                             call_site site = call_site::here()) const {
    for (; distance > 0; distance /= 2) {
      exchange(columns, values, first, distance);
      own.join(team, site);
    }
  }
  template <team Team, class Columns, class Values>
  LACIS_DEVICE_FN void sort(Team team, Columns& columns, Values& values, int64_t first,
                            call_site site = call_site::here()) const {
    for (unsigned size = 2; size <= 2 * pairs; size *= 2) {
      mirror(columns, values, first, size);
      own.join(team, site);
      merge(team, columns, values, first, size / 4, site);
    }
  }
};

/// Sorts the listed rows of C by column, values with them, in place. A block owns a row. Tiles of 1024 entries are
/// sorted in shared memory; merges of longer runs go through global memory only for distances of a tile and more, so a
/// row of 2^t tiles is read and written t (t + 3) / 2 + 1 times. No arithmetic on values: nothing rounds.
template <class Memory, class Value, class Index> struct spgemm_sort_tiles {
  static constexpr kernel id = kernel::spgemm_sort_tiles;
  static constexpr const char* name = "spgemm_sort_tiles";
  static constexpr int block_threads = 256;
  static constexpr unsigned tile = 1024;
  using group = row_group<block_threads, block_threads>;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = spgemm_sort_tiles<M, Value, Index>;

  struct shared {
    shared_array<Value, tile> values;
    shared_array<Index, tile> columns;
  };

  int64_t listed;
  in<Memory, int64_t> list;
  in<Memory, int64_t> c_offsets;
  int64_t c_base;  ///< the offset at which the arrays begin
  out<Memory, Index> c_columns;
  out<Memory, Value> c_values;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const group own = group::of(team);
    shared& memory = team.template shared<shared>();
    for (int64_t position = team.block(); position < listed; position += team.blocks()) {
      const int64_t row = list[position];
      const int64_t begin = c_offsets[row] - c_base;
      const auto length = static_cast<unsigned>(c_offsets[row + 1] - c_offsets[row]);
      in_tiles(team, own, memory, begin, length, true);
      const sort_network<group> whole(own, length);
      for (unsigned size = 2 * tile; size <= 2 * whole.pairs; size *= 2) {
        whole.mirror(c_columns, c_values, begin, size);
        own.join(team);
        for (unsigned distance = size / 4; distance >= tile; distance /= 2) {
          whole.exchange(c_columns, c_values, begin, distance);
          own.join(team);
        }
        in_tiles(team, own, memory, begin, length, false);
      }
    }
  }

 private:
  /// Sorts each tile, or ends the merge that it is in.
  template <team Team>
  LACIS_DEVICE_FN void in_tiles(Team team, const group& own, shared& memory, int64_t begin, unsigned length,
                                bool unsorted, call_site site = call_site::here()) const {
    for (unsigned first = 0; first < length; first += tile) {
      const unsigned count = length - first < tile ? length - first : tile;
      for (unsigned t = own.rank; t < count; t += block_threads) {
        memory.columns[t] = c_columns[begin + first + t];
        memory.values[t] = c_values[begin + first + t];
      }
      own.join(team, site);
      const sort_network<group> inside(own, count);
      if (unsorted)
        inside.sort(team, memory.columns, memory.values, 0, site);
      else
        inside.merge(team, memory.columns, memory.values, 0, tile / 2, site);
      for (unsigned t = own.rank; t < count; t += block_threads) {
        c_columns[begin + first + t] = memory.columns[t];
        c_values[begin + first + t] = memory.values[t];
      }
      own.join(team, site);
    }
  }
};

}  // namespace lacis::kernels

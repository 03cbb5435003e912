// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Sums of whole rows in the canonical order, for formats whose rows lie beside each other: a thread per row, and the
// warp for the longest ones.
#pragma once

#include "kernels/bits.hpp"
#include "kernels/kernel.hpp"
#include "kernels/lanes.hpp"

namespace lacis::kernels {

/// The neighbour tree over the chunk sums of one row, taken in as they come: a binary counter whose digits are the
/// lanes. Lane l keeps the node of 2^l chunks that waits for its neighbour, so 31 lanes are enough for 2^41 entries.
/// All lanes of the warp call its functions.
template <class Value> struct chunk_tree {
  Value node = number<Value>(0);
  int chunks = 0;

  /// Takes in the sum of the next chunk, which lane 0 has.
  template <team Team> LACIS_DEVICE_FN void append(Team team, int lane, Value sum, call_site site = call_site::here()) {
    sum = team.shuffle(full_mask, sum, 0, warp_size, site);
    int level = 0;
    for (; (chunks >> level & 1) != 0; ++level) sum = add(team.shuffle(full_mask, node, level, warp_size, site), sum);
    if (lane == level) node = sum;
    ++chunks;
  }

  /// The sum of the tree, for every lane; it has a chunk at least. Smaller nodes lie further right.
  template <team Team> LACIS_DEVICE_FN Value total(Team team, call_site site = call_site::here()) const {
    int level = 0;
    while ((chunks >> level & 1) == 0) ++level;
    Value sum = team.shuffle(full_mask, node, level, warp_size, site);
    for (++level; chunks >> level != 0; ++level)
      if ((chunks >> level & 1) != 0) sum = add(team.shuffle(full_mask, node, level, warp_size, site), sum);
    return sum;
  }
};

/// Lanes t, t + 4, ..., t + 28 of a chunk of `count` terms, joined: eight accumulators at a time, so that as many loads
/// are under way.
template <class Value, class Terms>
LACIS_DEVICE_FN Value quarter_of_lanes(int t, int64_t origin, int count, const Terms& terms) {
  constexpr int accumulators = 8;
  Value sums[accumulators];
  for (Value& sum : sums) sum = number<Value>(0);
  for (int first = t; first < count; first += warp_size)
    for (int m = 0; m < accumulators; ++m)
      if (first + 4 * m < count) sums[m] = add(sums[m], terms.term(origin, first + 4 * m));
  for (int half = accumulators / 2; half > 0; half /= 2)
    for (int m = 0; m < half; ++m) sums[m] = add(sums[m], sums[m + half]);
  return sums[0];
}

/// The one chunk of a row of up to 1024 terms by a single thread, which plays all 32 lanes. They need no order among
/// each other, so it takes a quarter of them at a time: neighbouring threads still read neighbouring slots.
template <class Value, class Terms>
LACIS_DEVICE_FN Value chunk_by_thread(int64_t origin, int count, const Terms& terms) {
  const Value even =
      add(quarter_of_lanes<Value>(0, origin, count, terms), quarter_of_lanes<Value>(2, origin, count, terms));
  const Value odd =
      add(quarter_of_lanes<Value>(1, origin, count, terms), quarter_of_lanes<Value>(3, origin, count, terms));
  return add(even, odd);
}

/// A row of any length above 32 by a warp; the sum is for every lane.
template <class Value, team Team, class Terms>
LACIS_DEVICE_FN Value row_by_warp(Team team, int lane, int64_t origin, int64_t count, const Terms& terms,
                                  call_site site = call_site::here()) {
  chunk_tree<Value> tree;
  for (int64_t begin = 0; begin < count; begin += chunk_entries) {
    const int64_t end = count - begin < chunk_entries ? count : begin + chunk_entries;
    Value sum = number<Value>(0);
    for (int64_t k = begin + lane; k < end; k += warp_size) sum = add(sum, terms.term(origin, k));
    tree.append(team, lane, lane_sum(team, full_mask, sum, warp_size, site), site);
  }
  return tree.total(team, site);
}

/// The sum of the `count` terms of this thread's row, in the canonical order. terms.term(origin, k) is term k of the
/// row that `origin` stands for. All lanes of the warp call it, those without a row with a count of 0. A thread sums
/// its own row up to 1024 terms; the warp takes longer ones together, one after the other.
template <class Value, team Team, class Terms>
LACIS_DEVICE_FN Value row_sum(Team team, int lane, int64_t origin, int64_t count, const Terms& terms,
                              call_site site = call_site::here()) {
  Value sum = number<Value>(0);
  if (count <= short_row)
    for (int k = 0; k < static_cast<int>(count); ++k) sum = add(sum, terms.term(origin, k));
  else if (count <= chunk_entries)
    sum = chunk_by_thread<Value>(origin, static_cast<int>(count), terms);
  for (unsigned rest = team.ballot(full_mask, count > chunk_entries, site); rest != 0; rest &= rest - 1) {
    const int owner = lowest_bit(rest);
    const int64_t its_origin = team.shuffle(full_mask, origin, owner, warp_size, site);
    const int64_t its_count = team.shuffle(full_mask, count, owner, warp_size, site);
    const Value its_sum = row_by_warp<Value>(team, lane, its_origin, its_count, terms, site);
    if (lane == owner) sum = its_sum;
  }
  return sum;
}

}  // namespace lacis::kernels

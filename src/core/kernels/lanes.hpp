// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The canonical order of summation by the threads of a warp and of a block: its limits, its two trees; and prefix sums.
#pragma once

#include "kernels/kernel.hpp"

namespace lacis::kernels {

/// The limits of summation::canonical: up to short_row entries a row is summed left to right, a longer one in chunks.
inline constexpr int64_t short_row = 32;
inline constexpr int64_t chunk_entries = 1024;

/// The chunks of a row of `length` entries; 0 for a short one.
LACIS_DEVICE_FN int64_t chunks_of_row(int64_t length) {
  return length > short_row ? (length + chunk_entries - 1) / chunk_entries : 0;
}

/// Joins the values of each group of `width` lanes (a power of two up to 32) by halving, as
/// summation::join_by_halving has it: lane t takes in lane t + width / 2. The sum is the result of the first lane of a
/// group; the others' is of no use. Every lane of `mask` calls it, and the mask holds whole groups.
template <team Team, class Value>
LACIS_DEVICE_FN Value lane_sum(Team team, unsigned mask, Value value, int width = warp_size,
                               call_site site = call_site::here()) {
  for (int half = width / 2; half > 0; half /= 2) value = add(value, team.shuffle_down(mask, value, half, width, site));
  return value;
}

/// Joins sums[first .. first + count) by the neighbour tree (summation::neighbour_tree), in place, by all `threads`
/// threads of the block; the sum is then in sums[first], for every thread to read. `count` is the same for all threads,
/// and a barrier has passed since the sums were written. An odd last node passes up by staying where it is.
template <team Team, class Array>
LACIS_DEVICE_FN void join_neighbours(Team team, Array& sums, int64_t first, int64_t count, int thread, int threads,
                                     call_site site = call_site::here()) {
  for (int64_t stride = 1; stride < count; stride *= 2) {
    for (int64_t i = 2 * stride * thread; i + stride < count; i += 2 * stride * threads)
      sums[first + i] = add(sums[first + i], sums[first + i + stride]);
    team.barrier(site);
  }
}

/// The sum of `count` over the threads of the block before this one. All threads call it; `warp_sums` is shared, with
/// an element for each warp, and free for another use after the next barrier.
template <team Team, class Count, class Array>
LACIS_DEVICE_FN Count count_before(Team team, Array& warp_sums, Count count, int thread,
                                   call_site site = call_site::here()) {
  const int lane = thread % warp_size;
  const int warp = thread / warp_size;
  Count up_to_here = count;
  for (int step = 1; step < warp_size; step *= 2) {
    const Count lower = team.shuffle(full_mask, up_to_here, lane >= step ? lane - step : lane, warp_size, site);
    if (lane >= step) up_to_here += lower;
  }
  if (lane == warp_size - 1) warp_sums[warp] = up_to_here;
  team.barrier(site);
  Count before = up_to_here - count;
  for (int w = 0; w < warp; ++w) before += warp_sums[w];
  return before;
}

}  // namespace lacis::kernels

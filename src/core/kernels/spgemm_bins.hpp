// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Sparse products: how much work each row is, and the lists of rows that are about as much.
#pragma once

#include "kernels/bits.hpp"
#include "kernels/kernel.hpp"
#include "kernels/spgemm_table.hpp"

namespace lacis::kernels {

/// Lists of rows: few, medium and wide have their tables in shared memory, large and dense in global memory. Rows of
/// nothing are in no list.
inline constexpr int few_rows = 0;
inline constexpr int medium_rows = 1;
inline constexpr int wide_rows = 2;
inline constexpr int large_rows = 3;
inline constexpr int dense_rows = 4;
inline constexpr int spgemm_lists = 5;

/// What a row may count at most to be in a list; what counts more than `large` is dense.
struct bin_limits {
  int64_t few;
  int64_t medium;
  int64_t wide;
  int64_t large;
};

/// The list of a row; spgemm_lists when it is in none.
LACIS_DEVICE_FN int list_of(int64_t count, const bin_limits& limits) {
  if (count == 0) return spgemm_lists;
  if (count <= limits.few) return few_rows;
  if (count <= limits.medium) return medium_rows;
  if (count <= limits.wide) return wide_rows;
  return count <= limits.large ? large_rows : dense_rows;
}

/// products[i]: how many scalar products row i of A B has. 8 threads per row. Reads two offsets of B for each entry of
/// A.
template <class Memory, class, class Index> struct spgemm_products {
  static constexpr kernel id = kernel::spgemm_products;
  static constexpr const char* name = "spgemm_products";
  static constexpr int block_threads = 256;
  static constexpr int lanes = 8;
  using group = row_group<lanes, block_threads>;
  using shared = typename group::shared;
  using value_type = none;
  using index_type = Index;
  template <class M> using with = spgemm_products<M, none, Index>;

  int64_t rows;
  in<Memory, int64_t> a_offsets;
  in<Memory, Index> a_columns;
  in<Memory, int64_t> b_offsets;
  out<Memory, int64_t> products;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const group own = group::of(team);
    const int64_t row = int64_t{team.block()} * group::in_block + own.number;
    if (row >= rows) return;
    const int64_t end = a_offsets[row + 1];
    int64_t sum = 0;
    for (int64_t k = a_offsets[row] + own.rank; k < end; k += lanes) {
      const int64_t b_row = a_columns[k];
      sum += b_offsets[b_row + 1] - b_offsets[b_row];
    }
    sum = own.sum(team, team.template shared<shared>(), sum);
    if (own.rank == 0) products[row] = sum;
  }
};

/// What the two kernels below share: the rows of a block in each list, warp by warp.
struct bin_ballots {
  static constexpr int block_threads = 256;
  static constexpr int block_warps = block_threads / warp_size;

  struct shared {
    shared_array<int, spgemm_lists * block_warps> rows;
  };

  /// Fills `memory`, with a barrier behind it; the lanes of the warp whose row is in `list`, as a mask.
  template <team Team>
  LACIS_DEVICE_FN static unsigned vote(Team team, shared& memory, int list, call_site site = call_site::here()) {
    const int lane = team.lane();
    const int warp = team.warp();
    unsigned own = 0;
    for (int each = 0; each < spgemm_lists; ++each) {
      const unsigned bits = team.ballot(full_mask, list == each, site);
      if (list == each) own = bits;
      if (lane == 0) memory.rows[each * block_warps + warp] = bit_count(bits);
    }
    team.barrier(site);
    return own;
  }
};

/// block_counts[list * blocks + block]: how many rows of each block of 256 are in a list. A thread per row.
template <class Memory, class Value, class Index> struct spgemm_bin_counts {
  static constexpr kernel id = kernel::spgemm_bin_counts;
  static constexpr const char* name = "spgemm_bin_counts";
  static constexpr int block_threads = bin_ballots::block_threads;
  using shared = bin_ballots::shared;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = spgemm_bin_counts<M, Value, Index>;

  int64_t rows;
  bin_limits limits;
  in<Memory, int64_t> counts;
  out<Memory, int64_t> block_counts;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    shared& memory = team.template shared<shared>();
    const int thread = team.thread();
    const int64_t row = int64_t{team.block()} * block_threads + thread;
    bin_ballots::vote(team, memory, row < rows ? list_of(counts[row], limits) : spgemm_lists);
    if (thread >= spgemm_lists) return;
    int64_t sum = 0;
    for (int warp = 0; warp < bin_ballots::block_warps; ++warp)
      sum += memory.rows[thread * bin_ballots::block_warps + warp];
    block_counts[int64_t{thread} * team.blocks() + team.block()] = sum;
  }
};

/// Writes the lists one behind the other, rows ascending in each, from the sums of the counts before each block; and
/// where each list starts. A thread per row; no atomics, so the lists do not depend on the schedule.
template <class Memory, class Value, class Index> struct spgemm_bin_lists {
  static constexpr kernel id = kernel::spgemm_bin_lists;
  static constexpr const char* name = "spgemm_bin_lists";
  static constexpr int block_threads = bin_ballots::block_threads;
  using shared = bin_ballots::shared;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = spgemm_bin_lists<M, Value, Index>;

  int64_t rows;
  int64_t first_row;  ///< the number of the first of them in the matrix
  bin_limits limits;
  in<Memory, int64_t> counts;
  in<Memory, int64_t> block_offsets;
  out<Memory, int64_t> lists;
  out<Memory, int64_t> starts;  ///< spgemm_lists + 1

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    shared& memory = team.template shared<shared>();
    const int thread = team.thread();
    const int lane = team.lane();
    const int warp = team.warp();
    const int block = team.block();
    const int blocks = team.blocks();
    const int64_t row = int64_t{block} * block_threads + thread;
    const int list = row < rows ? list_of(counts[row], limits) : spgemm_lists;
    const unsigned alike = bin_ballots::vote(team, memory, list);
    if (block == 0 && thread <= spgemm_lists) starts[thread] = block_offsets[int64_t{thread} * blocks];
    if (list == spgemm_lists) return;
    int64_t place = block_offsets[int64_t{list} * blocks + block] + bit_count(alike & ((1u << lane) - 1u));
    for (int before = 0; before < warp; ++before) place += memory.rows[list * bin_ballots::block_warps + before];
    lists[place] = first_row + row;
  }
};

}  // namespace lacis::kernels

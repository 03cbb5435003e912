// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of long CSR rows: a warp per chunk, chunks joined by the tree; and the kernels that list the chunks.
#pragma once

#include "kernels/kernel.hpp"
#include "kernels/lanes.hpp"

namespace lacis::kernels {

/// y = alpha A x + beta y for the rows of more than 32 entries, in the canonical order: a warp takes one chunk of 1024
/// entries, entry j by lane j mod 32, lanes joined by halving, which is Villa's warp per row cut to an even load. A row
/// of one chunk is done then; of the others the sums go to `sums`, where csr_long_join finds them.
///
/// Reads an entry's value (not when Iso) and column once, in full sectors; x as csr_row does; 32 bytes per chunk.
template <class Memory, class Value, class Index, bool Iso> struct csr_by_chunks {
  static constexpr kernel id = Iso ? kernel::csr_long_iso : kernel::csr_long;
  static constexpr const char* name = Iso ? "csr_long_iso" : "csr_long";
  static constexpr int block_threads = 256;
  static constexpr int block_warps = block_threads / warp_size;
  using shared = no_shared;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = csr_by_chunks<M, Value, Index, Iso>;

  int64_t chunks;
  in<Memory, int64_t> chunk_rows;     ///< of each chunk in the list: its row
  in<Memory, int64_t> chunk_numbers;  ///< and its number in the row
  in<Memory, int64_t> row_offsets;
  in<Memory, Index> columns;
  in<Memory, Value> values;
  in<Memory, Value> x;
  Value alpha;
  Value beta;
  out<Memory, Value> sums;  ///< one for each chunk
  out<Memory, Value> y;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int lane = team.lane();
    const int64_t chunk = int64_t{team.block()} * block_warps + team.warp();
    if (chunk >= chunks) return;
    const int64_t row = chunk_rows[chunk];
    const int64_t row_begin = row_offsets[row];
    const int64_t row_end = row_offsets[row + 1];
    const int64_t begin = row_begin + chunk_numbers[chunk] * chunk_entries;
    const int64_t end = row_end - begin < chunk_entries ? row_end : begin + chunk_entries;
    Value sum = number<Value>(0);
    for (int64_t k = begin + lane; k < end; k += warp_size)
      sum = add(sum, multiply(values[Iso ? 0 : k], x[columns[k]]));
    sum = lane_sum(team, full_mask, sum);
    if (lane != 0) return;
    if (row_end - row_begin <= chunk_entries)
      update(alpha, sum, beta, y[row]);
    else
      sums[chunk] = sum;
  }
};

/// The rows of several chunks: a block takes a row and joins its chunk sums, which it overwrites, by the neighbour
/// tree. Moves 3 values per chunk.
template <class Memory, class Value, class Index> struct csr_long_join {
  static constexpr kernel id = kernel::csr_long_join;
  static constexpr const char* name = "csr_long_join";
  static constexpr int block_threads = 128;
  using shared = no_shared;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = csr_long_join<M, Value, Index>;

  in<Memory, int64_t> join_rows;    ///< of each row of several chunks: its number
  in<Memory, int64_t> join_chunks;  ///< and its first chunk in the list
  in<Memory, int64_t> row_offsets;
  Value alpha;
  Value beta;
  out<Memory, Value> sums;
  out<Memory, Value> y;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int thread = team.thread();
    const int block = team.block();
    const int64_t row = join_rows[block];
    const int64_t first = join_chunks[block];
    join_neighbours(team, sums, first, chunks_of_row(row_offsets[row + 1] - row_offsets[row]), thread, block_threads);
    if (thread == 0) update(alpha, sums[first], beta, y[row]);
  }
};

/// How many chunks the long rows of each block of 256 rows have, and how many of them have several. A thread per row.
template <class Memory, class Value, class Index> struct long_rows_count {
  static constexpr kernel id = kernel::long_rows_count;
  static constexpr const char* name = "long_rows_count";
  static constexpr int block_threads = 256;
  struct shared {
    shared_array<int64_t, block_threads / warp_size> chunk_sums;
    shared_array<int, block_threads / warp_size> join_sums;
  };
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = long_rows_count<M, Value, Index>;

  int64_t rows;
  in<Memory, int64_t> row_offsets;
  out<Memory, int64_t> chunk_counts;
  out<Memory, int64_t> join_counts;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    auto& block = team.template shared<shared>();
    const int thread = team.thread();
    const int64_t row = int64_t{team.block()} * block_threads + thread;
    const int64_t chunks = row < rows ? chunks_of_row(row_offsets[row + 1] - row_offsets[row]) : 0;
    const int joins = chunks > 1 ? 1 : 0;
    const int64_t chunks_before = count_before(team, block.chunk_sums, chunks, thread);
    const int joins_before = count_before(team, block.join_sums, joins, thread);
    if (thread == block_threads - 1) {
      chunk_counts[team.block()] = chunks_before + chunks;
      join_counts[team.block()] = joins_before + joins;
    }
  }
};

/// Writes the lists that csr_long and csr_long_join work through, rows ascending, from the sums of the counts before
/// each block. A thread per row.
template <class Memory, class Value, class Index> struct long_rows_list {
  static constexpr kernel id = kernel::long_rows_list;
  static constexpr const char* name = "long_rows_list";
  static constexpr int block_threads = 256;
  using shared = typename long_rows_count<Memory, Value, Index>::shared;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = long_rows_list<M, Value, Index>;

  int64_t rows;
  in<Memory, int64_t> row_offsets;
  in<Memory, int64_t> chunk_offsets;
  in<Memory, int64_t> join_offsets;
  out<Memory, int64_t> chunk_rows;
  out<Memory, int64_t> chunk_numbers;
  out<Memory, int64_t> join_rows;
  out<Memory, int64_t> join_chunks;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    auto& block = team.template shared<shared>();
    const int thread = team.thread();
    const int64_t row = int64_t{team.block()} * block_threads + thread;
    const int64_t chunks = row < rows ? chunks_of_row(row_offsets[row + 1] - row_offsets[row]) : 0;
    const int joins = chunks > 1 ? 1 : 0;
    const int64_t first = chunk_offsets[team.block()] + count_before(team, block.chunk_sums, chunks, thread);
    const int64_t place = join_offsets[team.block()] + count_before(team, block.join_sums, joins, thread);
    for (int64_t c = 0; c < chunks; ++c) {
      chunk_rows[first + c] = row;
      chunk_numbers[first + c] = c;
    }
    if (joins == 1) {
      join_rows[place] = row;
      join_chunks[place] = first;
    }
  }
};

template <class M, class V, class I> using csr_long = csr_by_chunks<M, V, I, false>;
template <class M, class V, class I> using csr_long_iso = csr_by_chunks<M, V, I, true>;

using spmv_long_kernels = kernel_lists<kernel_list<csr_long, csr_long_iso>, value_kernel_list<csr_long_join>,
                                       plain_kernel_list<long_rows_count, long_rows_list>>;

}  // namespace lacis::kernels

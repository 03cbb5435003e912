// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of the short CSR rows of a block of rows, streamed through shared memory.
#pragma once

#include "kernels/kernel.hpp"
#include "kernels/lanes.hpp"

namespace lacis::kernels {

/// y = alpha A x + beta y for rows of up to 32 entries, in the canonical order; longer rows are left to csr_long. The
/// staging is that of CSR-Adaptive (Greathouse and Daga), the sums are the serial ones of the CUDA texts.
///
/// A block takes 256 rows, a thread one of them. The products of all entries of its short rows are staged in shared
/// memory, a tile at a time, by neighbouring threads reading neighbouring entries; then each thread adds up what the
/// tile holds of its row, left to right. Entries of long rows are neither read nor counted: a block that has such rows
/// numbers the entries of the others through, and finds the entry of a number by bisection over its rows.
///
/// Reads an entry's value (not when Iso) and column once, in full sectors; x as csr_row does; y and 8 bytes per row.
template <class Memory, class Value, class Index, bool Iso> struct csr_by_tiles {
  static constexpr kernel id = Iso ? kernel::csr_stream_iso : kernel::csr_stream;
  static constexpr const char* name = Iso ? "csr_stream_iso" : "csr_stream";
  static constexpr int block_threads = 256;
  static constexpr int least_blocks = sizeof(Value) == 16 && sizeof(Index) == 4 && !Iso ? 3 : 0;
  static constexpr int tile_entries = sizeof(Value) == 16 ? 1024 : 2048;
  struct shared {
    shared_array<Value, tile_entries> products;
    shared_array<int64_t, block_threads> begins;   ///< of the rows, in the matrix
    shared_array<int, block_threads + 1> numbers;  ///< of the rows' first entries among those of short rows
    shared_array<int, block_threads / warp_size> warp_sums;
    shared_array<bool, block_threads / warp_size> has_long;
  };
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = csr_by_tiles<M, Value, Index, Iso>;

  int64_t rows;
  in<Memory, int64_t> row_offsets;
  in<Memory, Index> columns;
  in<Memory, Value> values;
  in<Memory, Value> x;
  Value alpha;
  Value beta;
  out<Memory, Value> y;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    auto& block = team.template shared<shared>();
    const int thread = team.thread();
    const int64_t first_row = int64_t{team.block()} * block_threads;
    const int64_t row = first_row + thread;
    const int64_t begin = row_offsets[row < rows ? row : rows];
    const int64_t end = row_offsets[row < rows ? row + 1 : rows];
    const bool is_long = end - begin > short_row;
    const int length = is_long ? 0 : static_cast<int>(end - begin);

    const bool warp_has_long = team.any(full_mask, is_long);
    if (thread % warp_size == 0) block.has_long[thread / warp_size] = warp_has_long;
    block.begins[thread] = begin;
    team.barrier();
    bool mixed = false;
    for (int w = 0; w < block_threads / warp_size; ++w) mixed = mixed || block.has_long[w];
    const int64_t first_entry = block.begins[0];

    int number_of_first;
    int count;
    if (mixed) {
      number_of_first = count_before(team, block.warp_sums, length, thread);
      block.numbers[thread] = number_of_first;
      if (thread == block_threads - 1) block.numbers[block_threads] = number_of_first + length;
      team.barrier();
      count = block.numbers[block_threads];
    } else {
      const int64_t after = first_row + block_threads;
      number_of_first = static_cast<int>(begin - first_entry);
      count = static_cast<int>(row_offsets[after < rows ? after : rows] - first_entry);
    }

    Value sum = number<Value>(0);
    for (int tile = 0; tile < count; tile += tile_entries) {
      const int tile_end = count - tile < tile_entries ? count : tile + tile_entries;
      for (int n = tile + thread; n < tile_end; n += block_threads) {
        const int64_t k = mixed ? entry_numbered(block, n) : first_entry + n;
        block.products[n - tile] = multiply(values[Iso ? 0 : k], x[columns[k]]);
      }
      team.barrier();
      const int row_end = number_of_first + length < tile_end ? number_of_first + length : tile_end;
      for (int n = number_of_first > tile ? number_of_first : tile; n < row_end; ++n)
        sum = add(sum, block.products[n - tile]);
      team.barrier();
    }
    if (row < rows && !is_long) update(alpha, sum, beta, y[row]);
  }

 private:
  /// Entry n of the block's short rows, as a place in the matrix: in the last row that begins at n or before. Rows
  /// without a number of their own, empty and long ones, have the number of the row after them.
  LACIS_DEVICE_FN static int64_t entry_numbered(shared& block, int n) {
    int row = 0;
    for (int step = block_threads / 2; step > 0; step /= 2)
      if (block.numbers[row + step] <= n) row += step;
    return block.begins[row] + (n - block.numbers[row]);
  }
};

template <class M, class V, class I> using csr_stream = csr_by_tiles<M, V, I, false>;
template <class M, class V, class I> using csr_stream_iso = csr_by_tiles<M, V, I, true>;

using spmv_stream_kernels = kernel_list<csr_stream, csr_stream_iso>;

}  // namespace lacis::kernels

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of CSR matrices with dense columns.
//
// Y = alpha A X + beta Y, every column in the canonical order, so with the bits of a product with that column alone.
// Element (i, j) of X is x[i * x_rows + j * x_columns], and so for Y. Neighbouring threads take neighbouring elements
// of Y: those of a row where `by_rows` is set, otherwise those of a column.
#pragma once

#include "kernels/kernel.hpp"
#include "kernels/lanes.hpp"

namespace lacis::kernels {

/// One of `first` x `second` pairs, by number, the second running faster or the first.
struct pair_of_numbers {
  int64_t first;
  int64_t second;
};
LACIS_DEVICE_FN pair_of_numbers pair_at(int64_t number, int64_t first, int64_t second, bool second_is_fast) {
  if (second_is_fast) return {number / second, number % second};
  return {number % first, number / first};
}

/// The rows of up to 32 entries: a thread takes an element of Y and sums left to right. Where lanes run over columns,
/// an entry's value and column are read once for a warp and X in full sectors; otherwise as the textbook's one thread a
/// row reads them, for each column. With alpha = 0 it scales every row, and reads neither A nor X.
template <class Memory, class Value, class Index> struct spmm_short {
  static constexpr kernel id = kernel::spmm_short;
  static constexpr const char* name = "spmm_short";
  static constexpr int block_threads = 256;
  using shared = no_shared;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = spmm_short<M, Value, Index>;

  int64_t rows;
  int64_t dense_columns;
  bool by_rows;
  int64_t value_stride;  ///< 0 when every entry has the one value, otherwise 1
  in<Memory, int64_t> row_offsets;
  in<Memory, Index> columns;
  in<Memory, Value> values;
  Value alpha;
  in<Memory, Value> x;
  int64_t x_rows;
  int64_t x_columns;
  Value beta;
  out<Memory, Value> y;
  int64_t y_rows;
  int64_t y_columns;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int64_t element = int64_t{team.block()} * block_threads + team.thread();
    if (element >= rows * dense_columns) return;
    const auto [row, column] = pair_at(element, rows, dense_columns, by_rows);
    Value& result = y[row * y_rows + column * y_columns];
    if (simt::is_zero(alpha)) {
      simt::update_without_sum(beta, result);
      return;
    }
    const int64_t begin = row_offsets[row];
    const int64_t end = row_offsets[row + 1];
    if (end - begin > short_row) return;
    Value sum = number<Value>(0);
    for (int64_t k = begin; k < end; ++k)
      sum = add(sum, multiply(values[k * value_stride], x[columns[k] * x_rows + column * x_columns]));
    update(alpha, sum, beta, result);
  }
};

/// Long rows where X has rows of many elements: a thread takes a chunk of 1024 entries and a column of X, lanes run
/// over columns. The order's 32 lanes are 32 passes of the one thread over every 32nd entry, taken so that lanes which
/// join come one after the other (0, 16, 8, 24, 4, ...): halving is then a binary counter of five sums. An entry is
/// read once for a warp, and its sectors come from the cache in the next passes; X is read in full sectors.
template <class Memory, class Value, class Index> struct spmm_long_by_columns {
  static constexpr kernel id = kernel::spmm_long_by_columns;
  static constexpr const char* name = "spmm_long_by_columns";
  static constexpr int block_threads = 128;
  static constexpr int levels = 5;
  static_assert(1 << levels == warp_size);
  using shared = no_shared;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = spmm_long_by_columns<M, Value, Index>;

  int64_t chunks;
  int64_t dense_columns;
  in<Memory, int64_t> chunk_rows;     ///< of each chunk in the list: its row
  in<Memory, int64_t> chunk_numbers;  ///< and its number in the row
  int64_t value_stride;
  in<Memory, int64_t> row_offsets;
  in<Memory, Index> columns;
  in<Memory, Value> values;
  Value alpha;
  in<Memory, Value> x;
  int64_t x_rows;
  int64_t x_columns;
  Value beta;
  out<Memory, Value> y;
  int64_t y_rows;
  int64_t y_columns;
  out<Memory, Value> sums;  ///< chunks x dense_columns, the chunks of a column beside each other

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int64_t place = int64_t{team.block()} * block_threads + team.thread();
    if (place >= chunks * dense_columns) return;
    const auto [chunk, column] = pair_at(place, chunks, dense_columns, true);
    const int64_t row = chunk_rows[chunk];
    const int64_t row_begin = row_offsets[row];
    const int64_t row_end = row_offsets[row + 1];
    const int64_t begin = row_begin + chunk_numbers[chunk] * chunk_entries;
    const int64_t end = row_end - begin < chunk_entries ? row_end : begin + chunk_entries;
    const int64_t x_first = column * x_columns;
    Value nodes[levels];
    for (Value& node : nodes) node = number<Value>(0);
    Value sum = number<Value>(0);
    for (int pass = 0; pass < warp_size; ++pass) {
      int lane = 0;
      for (int bit = 0; bit < levels; ++bit) lane |= (pass >> bit & 1) << (levels - 1 - bit);
      sum = number<Value>(0);
      for (int64_t k = begin + lane; k < end; k += warp_size)
        sum = add(sum, multiply(values[k * value_stride], x[columns[k] * x_rows + x_first]));
      bool carried = true;
      for (int level = 0; level < levels; ++level) {
        const bool taken = (pass >> level & 1) != 0;
        if (carried && taken) sum = add(nodes[level], sum);
        if (carried && !taken) nodes[level] = sum;
        carried = carried && taken;
      }
    }
    if (row_end - row_begin <= chunk_entries)
      update(alpha, sum, beta, y[row * y_rows + column * y_columns]);
    else
      sums[column * chunks + chunk] = sum;
  }
};

/// Long rows where columns of X are contiguous or few: a warp takes a chunk of 1024 entries and a column of X, lanes
/// run over entries, as in csr_long. Reads an entry's value and column in full sectors for each column.
template <class Memory, class Value, class Index> struct spmm_long_by_entries {
  static constexpr kernel id = kernel::spmm_long_by_entries;
  static constexpr const char* name = "spmm_long_by_entries";
  static constexpr int block_threads = 256;
  static constexpr int block_warps = block_threads / warp_size;
  using shared = no_shared;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = spmm_long_by_entries<M, Value, Index>;

  int64_t chunks;
  int64_t dense_columns;
  in<Memory, int64_t> chunk_rows;
  in<Memory, int64_t> chunk_numbers;
  int64_t value_stride;
  in<Memory, int64_t> row_offsets;
  in<Memory, Index> columns;
  in<Memory, Value> values;
  Value alpha;
  in<Memory, Value> x;
  int64_t x_rows;
  int64_t x_columns;
  Value beta;
  out<Memory, Value> y;
  int64_t y_rows;
  int64_t y_columns;
  out<Memory, Value> sums;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int lane = team.lane();
    const int64_t place = int64_t{team.block()} * block_warps + team.warp();
    if (place >= chunks * dense_columns) return;
    const auto [chunk, column] = pair_at(place, chunks, dense_columns, false);
    const int64_t row = chunk_rows[chunk];
    const int64_t row_begin = row_offsets[row];
    const int64_t row_end = row_offsets[row + 1];
    const int64_t begin = row_begin + chunk_numbers[chunk] * chunk_entries;
    const int64_t end = row_end - begin < chunk_entries ? row_end : begin + chunk_entries;
    const int64_t x_first = column * x_columns;
    Value sum = number<Value>(0);
    for (int64_t k = begin + lane; k < end; k += warp_size)
      sum = add(sum, multiply(values[k * value_stride], x[columns[k] * x_rows + x_first]));
    sum = lane_sum(team, full_mask, sum);
    if (lane != 0) return;
    if (row_end - row_begin <= chunk_entries)
      update(alpha, sum, beta, y[row * y_rows + column * y_columns]);
    else
      sums[column * chunks + chunk] = sum;
  }
};

/// The rows of several chunks: a block takes a row and a column, and joins the chunk sums, which it overwrites, by the
/// neighbour tree. Moves 3 values per chunk.
template <class Memory, class Value, class Index> struct spmm_join {
  static constexpr kernel id = kernel::spmm_join;
  static constexpr const char* name = "spmm_join";
  static constexpr int block_threads = 64;
  using shared = no_shared;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = spmm_join<M, Value, Index>;

  int64_t joins;
  int64_t chunks;
  in<Memory, int64_t> join_rows;    ///< of each row of several chunks: its number
  in<Memory, int64_t> join_chunks;  ///< and its first chunk in the list
  in<Memory, int64_t> row_offsets;
  Value alpha;
  Value beta;
  out<Memory, Value> sums;
  out<Memory, Value> y;
  int64_t y_rows;
  int64_t y_columns;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int thread = team.thread();
    const int64_t join = team.block() % joins;
    const int64_t column = team.block() / joins;
    const int64_t row = join_rows[join];
    const int64_t first = column * chunks + join_chunks[join];
    join_neighbours(team, sums, first, chunks_of_row(row_offsets[row + 1] - row_offsets[row]), thread, block_threads);
    if (thread == 0) update(alpha, sums[first], beta, y[row * y_rows + column * y_columns]);
  }
};

using spmm_kernels =
    kernel_lists<kernel_list<spmm_short, spmm_long_by_columns, spmm_long_by_entries>, value_kernel_list<spmm_join>>;

}  // namespace lacis::kernels

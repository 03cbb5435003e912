// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of CSR matrices with a vector as the texts have them: by threads, warps and parts of warps.
//
// Bytes an entry: its value, its column, and what x costs, from one element (columns close together) to a sector of 32
// bytes (scattered); y and the offsets of a row add 8 bytes and a value, or two values for +=. A thread per row fetches
// a sector of values and of columns for each entry it reads unless the cache keeps them until the next: the warps share
// sectors instead, but leave lanes idle where rows are shorter than their lanes.
#pragma once

#include "kernels/kernel.hpp"
#include "kernels/lanes.hpp"

namespace lacis::kernels {

/// Entries begin, begin + stride, ... below end of a row times x, one after the other.
template <class Value, class Columns, class Values, class Vector>
LACIS_DEVICE_FN Value row_part(int64_t begin, int64_t end, int stride, const Columns& columns, const Values& values,
                               const Vector& x) {
  Value sum = number<Value>(0);
  for (int64_t k = begin; k < end; k += stride) sum = add(sum, multiply(values[k], x[columns[k]]));
  return sum;
}

/// y = A x, or y = y + A x when Add: a thread per row, in order `serial`. "Scalable Parallel Programming with CUDA",
/// "Examples of CUDA code" and Villa assign, the textbook chapter on sparse matrix computation adds (Villa's code does
/// too, where its serial program assigns). Villa varies the size of a block.
template <class Memory, class Value, class Index, kernel Id, bool Add> struct csr_by_threads {
  static constexpr kernel id = Id;
  static constexpr const char* name = Add ? "csr_row_add" : "csr_row";
  static constexpr int block_threads = 256;
  static constexpr int most_block_threads = Add ? block_threads : 1024;
  static constexpr int lanes = 1;
  using shared = no_shared;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = csr_by_threads<M, Value, Index, Id, Add>;

  int64_t rows;
  in<Memory, int64_t> row_offsets;
  in<Memory, Index> columns;
  in<Memory, Value> values;
  in<Memory, Value> x;
  out<Memory, Value> y;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int64_t row = int64_t{team.block()} * threads_of_block<csr_by_threads>(team) + team.thread();
    if (row >= rows) return;
    const Value sum = row_part<Value>(row_offsets[row], row_offsets[row + 1], 1, columns, values, x);
    if constexpr (Add)
      y[row] = add(y[row], sum);
    else
      y[row] = sum;
  }
};

/// y = A x: a thread per row, in order `serial`; the block keeps the elements of x with the numbers of its rows in
/// shared memory, where a banded matrix finds most of what it needs ("Examples of CUDA code"). A may be rectangular.
template <class Memory, class Value, class Index> struct csr_cached {
  static constexpr kernel id = kernel::csr_cached;
  static constexpr const char* name = "csr_cached";
  static constexpr int block_threads = 256;
  struct shared {
    shared_array<Value, block_threads> window;
  };
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = csr_cached<M, Value, Index>;

  int64_t rows;
  int64_t cols;
  in<Memory, int64_t> row_offsets;
  in<Memory, Index> columns;
  in<Memory, Value> values;
  in<Memory, Value> x;
  out<Memory, Value> y;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    auto& window = team.template shared<shared>().window;
    const int thread = team.thread();
    const int64_t first = int64_t{team.block()} * block_threads;
    const int64_t row = first + thread;
    if (row < cols) window[thread] = x[row];
    team.barrier();
    if (row >= rows) return;
    Value sum = number<Value>(0);
    const int64_t end = row_offsets[row + 1];
    for (int64_t k = row_offsets[row]; k < end; ++k) {
      const int64_t column = columns[k];
      const int64_t place = column - first;
      sum = add(sum, multiply(values[k], place >= 0 && place < block_threads ? window[place] : x[column]));
    }
    y[row] = sum;
  }
};

/// y = A x: a warp per row, in order `strided(32)`; lanes leave their sums in shared memory and join them there
/// (Villa). Lanes of a warp need not run in step, so each level of the join waits for the one before.
template <class Memory, class Value, class Index> struct csr_warp_shared {
  static constexpr kernel id = kernel::csr_warp_shared;
  static constexpr const char* name = "csr_warp_shared";
  static constexpr int block_threads = 256;
  static constexpr int most_block_threads = 1024;
  static constexpr int lanes = warp_size;
  using shared = shared_by_thread<Value>;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = csr_warp_shared<M, Value, Index>;

  int64_t rows;
  in<Memory, int64_t> row_offsets;
  in<Memory, Index> columns;
  in<Memory, Value> values;
  in<Memory, Value> x;
  out<Memory, Value> y;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const auto sums = team.template shared_elements<Value>();
    const int thread = team.thread();
    const int lane = team.lane();
    const int64_t row = int64_t{team.block()} * (team.threads() / warp_size) + thread / warp_size;
    if (row >= rows) return;
    sums[thread] = row_part<Value>(row_offsets[row] + lane, row_offsets[row + 1], warp_size, columns, values, x);
    for (int half = warp_size / 2; half > 0; half /= 2) {
      team.sync_warp(full_mask);
      if (lane < half) sums[thread] = add(sums[thread], sums[thread + half]);
    }
    if (lane == 0) y[row] = sums[thread];
  }
};

/// y = A x: `Lanes` lanes per row, in order `strided(Lanes)`; lanes join by shuffles. With 32 lanes it is Villa's warp
/// a row without its shared memory; with fewer a warp takes 32 / Lanes rows, so that short rows leave fewer lanes idle.
template <class Memory, class Value, class Index, kernel Id, int Lanes> struct csr_by_lanes {
  static constexpr kernel id = Id;
  static constexpr const char* name = Lanes == 2    ? "csr_subwarp_2"
                                      : Lanes == 4  ? "csr_subwarp_4"
                                      : Lanes == 8  ? "csr_subwarp_8"
                                      : Lanes == 16 ? "csr_subwarp_16"
                                                    : "csr_warp_shuffle";
  static constexpr int block_threads = 256;
  static constexpr int most_block_threads = Lanes == warp_size ? 1024 : block_threads;
  static constexpr int lanes = Lanes;
  using shared = no_shared;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = csr_by_lanes<M, Value, Index, Id, Lanes>;

  int64_t rows;
  in<Memory, int64_t> row_offsets;
  in<Memory, Index> columns;
  in<Memory, Value> values;
  in<Memory, Value> x;
  out<Memory, Value> y;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int64_t thread = int64_t{team.block()} * threads_of_block<csr_by_lanes>(team) + team.thread();
    const int64_t row = thread / Lanes;
    const int lane = static_cast<int>(thread % Lanes);
    Value sum = number<Value>(0);
    if (row < rows) sum = row_part<Value>(row_offsets[row] + lane, row_offsets[row + 1], Lanes, columns, values, x);
    sum = lane_sum(team, full_mask, sum, Lanes);
    if (lane == 0 && row < rows) y[row] = sum;
  }
};

/// values[k] = value[0]: the entries of an iso matrix one by one, for kernels that read them so. A thread per element.
template <class Memory, class Value, class Index> struct spread_value {
  static constexpr kernel id = kernel::spread_value;
  static constexpr const char* name = "spread_value";
  static constexpr int block_threads = 256;
  using shared = no_shared;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = spread_value<M, Value, Index>;

  int64_t count;
  in<Memory, Value> value;
  out<Memory, Value> values;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int64_t k = int64_t{team.block()} * block_threads + team.thread();
    if (k < count) values[k] = value[0];
  }
};

/// y = beta y, what a product with alpha = 0 is: beta = 0 writes +0 and does not read y. A thread per element.
template <class Memory, class Value, class Index> struct scale_only {
  static constexpr kernel id = kernel::scale_only;
  static constexpr const char* name = "scale_only";
  static constexpr int block_threads = 256;
  using shared = no_shared;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = scale_only<M, Value, Index>;

  int64_t count;
  Value beta;
  out<Memory, Value> y;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int64_t i = int64_t{team.block()} * block_threads + team.thread();
    if (i < count) y[i] = simt::is_zero(beta) ? number<Value>(0) : simt::scale(beta, y[i]);
  }
};

template <class M, class V, class I> using csr_row = csr_by_threads<M, V, I, kernel::csr_row, false>;
template <class M, class V, class I> using csr_row_add = csr_by_threads<M, V, I, kernel::csr_row_add, true>;

template <class M, class V, class I> using csr_warp_shuffle = csr_by_lanes<M, V, I, kernel::csr_warp_shuffle, 32>;
template <class M, class V, class I> using csr_subwarp_2 = csr_by_lanes<M, V, I, kernel::csr_subwarp_2, 2>;
template <class M, class V, class I> using csr_subwarp_4 = csr_by_lanes<M, V, I, kernel::csr_subwarp_4, 4>;
template <class M, class V, class I> using csr_subwarp_8 = csr_by_lanes<M, V, I, kernel::csr_subwarp_8, 8>;
template <class M, class V, class I> using csr_subwarp_16 = csr_by_lanes<M, V, I, kernel::csr_subwarp_16, 16>;

using spmv_csr_kernels = kernel_lists<kernel_list<csr_row, csr_row_add, csr_cached, csr_warp_shared, csr_warp_shuffle,
                                                  csr_subwarp_2, csr_subwarp_4, csr_subwarp_8, csr_subwarp_16>,
                                      value_kernel_list<spread_value, scale_only>>;

}  // namespace lacis::kernels

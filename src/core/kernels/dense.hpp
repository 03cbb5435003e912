// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of dense matrices.
#pragma once

#include "kernels/kernel.hpp"
#include "kernels/lanes.hpp"

namespace lacis::kernels {

/// C = A B, row-major, m x k times k x n: the simple product of "Examples of CUDA code", for any sizes. A thread takes
/// one element, threads beside each other elements of one row; summation::serial over k. Reads 2 values per product, of
/// which a warp shares those of A.
template <class Memory, class Value, class Index> struct dense_simple {
  static constexpr kernel id = kernel::dense_simple;
  static constexpr const char* name = "dense_simple";
  static constexpr int block_threads = 256;
  using shared = no_shared;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = dense_simple<M, Value, Index>;

  int64_t m;
  int64_t k;
  int64_t n;
  in<Memory, Value> a;
  in<Memory, Value> b;
  out<Memory, Value> c;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int64_t element = int64_t{team.block()} * block_threads + team.thread();
    if (element >= m * n) return;
    const int64_t row = element / n;
    const int64_t column = element % n;
    Value sum = number<Value>(0);
    for (int64_t l = 0; l < k; ++l) sum = add(sum, multiply(a[row * k + l], b[l * n + column]));
    c[element] = sum;
  }
};

/// The same product and the same order, by tiles: a block takes 32 x 32 elements of C and goes along k with 32 x 32
/// tiles of A and B in shared memory; a thread takes four elements of one column, so that a value of B that it reads
/// there serves four products. Beyond the edges tiles hold 0: a sum that begins at +0 is never -0, so adding +0 changes
/// none. Reads 1/16 of a value per product.
template <class Memory, class Value, class Index> struct dense_tiled {
  static constexpr kernel id = kernel::dense_tiled;
  static constexpr const char* name = "dense_tiled";
  static constexpr int block_threads = 256;
  static constexpr int tile = 32;
  static constexpr int tile_warps = block_threads / warp_size;  ///< rows that are loaded at once
  static constexpr int own = tile / tile_warps;                 ///< elements of a thread, in every tile_warps-th row
  static_assert(tile == warp_size, "a lane is a column of the tile");
  struct shared {
    shared_array<Value, tile * tile> a;
    shared_array<Value, tile * tile> b;
  };
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = dense_tiled<M, Value, Index>;

  int64_t m;
  int64_t k;
  int64_t n;
  int64_t tiles_across;  ///< of C
  in<Memory, Value> a;
  in<Memory, Value> b;
  out<Memory, Value> c;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    auto& tiles = team.template shared<shared>();
    const int lane = team.lane();
    const int warp = team.warp();
    const int64_t first_row = team.block() / tiles_across * tile;
    const int64_t column = team.block() % tiles_across * tile + lane;
    Value sums[own];
    for (int r = 0; r < own; ++r) sums[r] = number<Value>(0);
    for (int64_t first = 0; first < k; first += tile) {
      for (int r = warp; r < tile; r += tile_warps) {
        const int64_t row = first_row + r;
        const int64_t l = first + lane;
        tiles.a[r * tile + lane] = row < m && l < k ? a[row * k + l] : number<Value>(0);
        tiles.b[r * tile + lane] = first + r < k && column < n ? b[(first + r) * n + column] : number<Value>(0);
      }
      team.barrier();
      for (int l = 0; l < tile; ++l) {
        const Value right = tiles.b[l * tile + lane];
        for (int r = 0; r < own; ++r)
          sums[r] = add(sums[r], multiply(tiles.a[(warp + r * tile_warps) * tile + l], right));
      }
      team.barrier();
    }
    for (int r = 0; r < own; ++r) {
      const int64_t row = first_row + warp + r * tile_warps;
      if (row < m && column < n) c[row * n + column] = sums[r];
    }
  }
};

/// y = A x, row-major, m x k: the matrix-vector product that "Examples of CUDA code" names and leaves out. One warp per
/// row, so that lanes read neighbouring values; summation::strided(32) over k, joined by shuffles. Reads 2 values per
/// product, of which x comes from the cache.
template <class Memory, class Value, class Index> struct dense_vector {
  static constexpr kernel id = kernel::dense_vector;
  static constexpr const char* name = "dense_vector";
  static constexpr int block_threads = 256;
  static constexpr int rows_of_block = block_threads / warp_size;
  using shared = no_shared;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = dense_vector<M, Value, Index>;

  int64_t m;
  int64_t k;
  in<Memory, Value> a;
  in<Memory, Value> x;
  out<Memory, Value> y;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int lane = team.lane();
    const int64_t row = int64_t{team.block()} * rows_of_block + team.warp();
    Value sum = number<Value>(0);
    if (row < m)
      for (int64_t l = lane; l < k; l += warp_size) sum = add(sum, multiply(a[row * k + l], x[l]));
    sum = lane_sum(team, full_mask, sum);
    if (lane == 0 && row < m) y[row] = sum;
  }
};

using dense_kernels = value_kernel_list<dense_simple, dense_tiled, dense_vector>;

}  // namespace lacis::kernels

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Sums over vectors: dot products and norms in the canonical order, and the reductions of the texts, which add in any.
#pragma once

#include "kernels/kernel.hpp"
#include "kernels/lanes.hpp"

namespace lacis::kernels {

/// The chunk of summation::blocked: elements of the index range that one warp sums.
inline constexpr int64_t block_elements = 4096;

namespace detail {
template <class T> struct real_part {
  using type = T;
};
template <class Real> struct real_part<complex_number<Real>> {
  using type = Real;
};
/// What plus_reduce adds: values, or integers where there are none.
template <class Value, class Index> struct added {
  using type = Value;
};
template <class Index> struct added<none, Index> {
  using type = Index;
};
}  // namespace detail

/// float or double, of a value.
template <class Value> using real_of = typename detail::real_part<Value>::type;

template <class T> LACIS_DEVICE_FN T conjugate(T z) {
  if constexpr (simt::is_complex_number<T>)
    return {z.re, -z.im};
  else
    return z;
}

/// |factor z|^2, as summation::square has it.
template <class T> LACIS_DEVICE_FN real_of<T> square(T z, real_of<T> factor) {
  if constexpr (simt::is_complex_number<T>) {
    const auto re = multiply(z.re, factor);
    const auto im = multiply(z.im, factor);
    return add(multiply(re, re), multiply(im, im));
  } else {
    const T scaled = multiply(z, factor);
    return multiply(scaled, scaled);
  }
}

/// The larger of |re| and |im|.
template <class T> LACIS_DEVICE_FN real_of<T> largest_part(T z) {
  if constexpr (simt::is_complex_number<T>) {
    const auto re = largest_part(z.re);
    const auto im = largest_part(z.im);
    return re > im ? re : im;
  } else {
    return z < 0 ? -z : z;
  }
}

/// Elements first .. last of one block of the index range.
struct block_range {
  int64_t first;
  int64_t last;
};
LACIS_DEVICE_FN block_range elements_of_block(int64_t block, int64_t count) {
  const int64_t first = block * block_elements;
  return {first, count - first < block_elements ? count : first + block_elements};
}

/// x^T y, or x^H y, over each block of 4096 elements of the index range: a warp takes a block, element j goes to lane
/// j mod 32, the lanes join by halving. The order is summation::blocked once tree_nodes has joined the sums. Reads 2
/// values per element.
template <class Memory, class Value, class Index, bool Conjugated> struct products_of_blocks {
  static constexpr kernel id = Conjugated ? kernel::dotc_blocks : kernel::dot_blocks;
  static constexpr const char* name = Conjugated ? "dotc_blocks" : "dot_blocks";
  static constexpr int block_threads = 128;
  static constexpr int block_warps = block_threads / warp_size;
  using shared = no_shared;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = products_of_blocks<M, Value, Index, Conjugated>;

  int64_t count;
  in<Memory, Value> x;
  in<Memory, Value> y;
  out<Memory, Value> sums;  ///< one for each block

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int lane = team.lane();
    const int64_t block = int64_t{team.block()} * block_warps + team.warp();
    const block_range range = elements_of_block(block, count);
    if (range.first >= count) return;
    Value sum = number<Value>(0);
    for (int64_t i = range.first + lane; i < range.last; i += warp_size)
      sum = add(sum, multiply(Conjugated ? conjugate(x[i]) : x[i], y[i]));
    sum = lane_sum(team, full_mask, sum);
    if (lane == 0) sums[block] = sum;
  }
};
template <class M, class V, class I> using dot_blocks = products_of_blocks<M, V, I, false>;
template <class M, class V, class I> using dotc_blocks = products_of_blocks<M, V, I, true>;

/// The squares of the elements, each multiplied by `factor` first, in the order of dot_blocks. Reads 1 value an
/// element.
template <class Memory, class Value, class Index> struct square_blocks {
  static constexpr kernel id = kernel::square_blocks;
  static constexpr const char* name = "square_blocks";
  static constexpr int block_threads = 128;
  static constexpr int block_warps = block_threads / warp_size;
  using shared = no_shared;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = square_blocks<M, Value, Index>;
  using real = real_of<Value>;

  int64_t count;
  real factor;
  in<Memory, Value> x;
  out<Memory, real> sums;  ///< one for each block

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int lane = team.lane();
    const int64_t block = int64_t{team.block()} * block_warps + team.warp();
    const block_range range = elements_of_block(block, count);
    if (range.first >= count) return;
    real sum = 0;
    for (int64_t i = range.first + lane; i < range.last; i += warp_size) sum = add(sum, square(x[i], factor));
    sum = lane_sum(team, full_mask, sum);
    if (lane == 0) sums[block] = sum;
  }
};

/// The largest part in absolute value of each block of 4096 elements, numbers before NaN. Reads 1 value per element.
template <class Memory, class Value, class Index> struct largest_blocks {
  static constexpr kernel id = kernel::largest_blocks;
  static constexpr const char* name = "largest_blocks";
  static constexpr int block_threads = 128;
  static constexpr int block_warps = block_threads / warp_size;
  using shared = no_shared;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = largest_blocks<M, Value, Index>;
  using real = real_of<Value>;

  int64_t count;
  in<Memory, Value> x;
  out<Memory, real> largest;  ///< one for each block

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int lane = team.lane();
    const int64_t block = int64_t{team.block()} * block_warps + team.warp();
    const block_range range = elements_of_block(block, count);
    if (range.first >= count) return;
    real most = 0;
    for (int64_t i = range.first + lane; i < range.last; i += warp_size) {
      const real part = largest_part(x[i]);
      if (part > most) most = part;
    }
    for (int half = warp_size / 2; half > 0; half /= 2) {
      const real other = team.shuffle_down(full_mask, most, half, warp_size);
      if (other > most) most = other;
    }
    if (lane == 0) largest[block] = most;
  }
};

/// One level of the neighbour tree over any number of leaves: a block joins 1024 of them to one node. Complete nodes of
/// 1024 leaves are what the tree over the next level begins with, so launches one after the other give the bits of
/// summation::neighbour_tree. Reads 1 value a leaf.
template <class Memory, class Value, class Index> struct tree_nodes {
  static constexpr kernel id = kernel::tree_nodes;
  static constexpr const char* name = "tree_nodes";
  static constexpr int block_threads = 256;
  static constexpr int leaves = 1024;  ///< of a block; a power of two
  struct shared {
    shared_array<Value, leaves> sums;
  };
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = tree_nodes<M, Value, Index>;

  int64_t count;
  in<Memory, Value> sums;
  out<Memory, Value> nodes;  ///< one for each block

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    auto& level = team.template shared<shared>().sums;
    const int thread = team.thread();
    const int64_t first = int64_t{team.block()} * leaves;
    const int64_t own = count - first < leaves ? count - first : leaves;
    for (int64_t k = thread; k < own; k += block_threads) level[k] = sums[first + k];
    team.barrier();
    join_neighbours(team, level, 0, own, thread, block_threads);
    if (thread == 0) nodes[team.block()] = level[0];
  }
};

/// Adds what the threads of a block hold to `total`: a tree in shared memory and one atomic per block. All threads call
/// it.
template <int Threads, team Team, class T>
LACIS_DEVICE_FN void add_to_total(Team team, shared_array<T, Threads>& tree, int thread, T value, T& total,
                                  call_site site = call_site::here()) {
  tree[thread] = value;
  team.barrier(site);
  for (int half = Threads / 2; half > 0; half /= 2) {
    if (thread < half) tree[thread] = add(tree[thread], tree[thread + half]);
    team.barrier(site);
  }
  if (thread == 0) team.atomic_add(total, tree[0]);
}

/// total += the elements: the parallel reduction of "Examples of CUDA code". A thread takes one element, threads past
/// the end bring 0, a block joins by halving, blocks meet in one atomic addition, in any order: exact for whole
/// numbers. Reads 1 value per element. Value is none where integers of type Index are added.
template <class Memory, class Value, class Index> struct plus_reduce_of {
  static constexpr bool whole = simt::same<Value, none>;
  static constexpr kernel id = whole ? kernel::plus_reduce_whole : kernel::plus_reduce;
  static constexpr const char* name = whole ? "plus_reduce_whole" : "plus_reduce";
  static constexpr int block_threads = 256;
  using element = typename detail::added<Value, Index>::type;
  struct shared {
    shared_array<element, block_threads> tree;
  };
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = plus_reduce_of<M, Value, Index>;

  int64_t count;
  in<Memory, element> x;
  out<Memory, element> total;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int thread = team.thread();
    const int64_t i = int64_t{team.block()} * block_threads + thread;
    add_to_total(team, team.template shared<shared>().tree, thread, i < count ? x[i] : number<element>(0), total[0]);
  }
};
template <class M, class V, class I> using plus_reduce = plus_reduce_of<M, V, I>;
template <class M, class V, class I> using plus_reduce_whole = plus_reduce_of<M, V, I>;

/// total += x^T y in the manner of plus_reduce: the dot product that "Examples of CUDA code" announces. Order: any.
/// Reads 2 values per element.
template <class Memory, class Value, class Index> struct dot_atomic {
  static constexpr kernel id = kernel::dot_atomic;
  static constexpr const char* name = "dot_atomic";
  static constexpr int block_threads = 256;
  struct shared {
    shared_array<Value, block_threads> tree;
  };
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = dot_atomic<M, Value, Index>;

  int64_t count;
  in<Memory, Value> x;
  in<Memory, Value> y;
  out<Memory, Value> total;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int thread = team.thread();
    const int64_t i = int64_t{team.block()} * block_threads + thread;
    add_to_total(team, team.template shared<shared>().tree, thread, i < count ? multiply(x[i], y[i]) : number<Value>(0),
                 total[0]);
  }
};

/// total += the elements by shuffles instead of a tree in shared memory: a grid of any size strides over the elements,
/// lanes join by halving, the sums of the warps likewise in the first warp, one atomic addition a block. Order: any.
/// Reads 1 value per element.
template <class Memory, class Value, class Index> struct shuffle_reduce {
  static constexpr kernel id = kernel::shuffle_reduce;
  static constexpr const char* name = "shuffle_reduce";
  static constexpr int block_threads = 256;
  static constexpr int block_warps = block_threads / warp_size;
  struct shared {
    shared_array<Value, block_warps> sums;
  };
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = shuffle_reduce<M, Value, Index>;

  int64_t count;
  in<Memory, Value> x;
  out<Memory, Value> total;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    auto& sums = team.template shared<shared>().sums;
    const int thread = team.thread();
    const int lane = team.lane();
    const int warp = team.warp();
    const int64_t step = int64_t{team.blocks()} * block_threads;
    Value sum = number<Value>(0);
    for (int64_t i = int64_t{team.block()} * block_threads + thread; i < count; i += step) sum = add(sum, x[i]);
    sum = lane_sum(team, full_mask, sum);
    if (lane == 0) sums[warp] = sum;
    team.barrier();
    if (warp != 0) return;
    sum = lane_sum(team, full_mask, lane < block_warps ? sums[lane] : number<Value>(0));
    if (lane == 0) team.atomic_add(total[0], sum);
  }
};

using reduce_kernels = kernel_lists<value_kernel_list<dot_blocks, dotc_blocks, square_blocks, largest_blocks,
                                                      tree_nodes, plus_reduce, dot_atomic, shuffle_reduce>,
                                    index_kernel_list<plus_reduce_whole>>;

}  // namespace lacis::kernels

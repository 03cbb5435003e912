// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of JDS matrices with a vector, a thread a row of the sorted matrix.
#pragma once

#include "kernels/kernel.hpp"
#include "kernels/row_sums.hpp"

namespace lacis::kernels {

/// y = alpha A x + beta y: a thread a place of the sorted matrix, in order `serial`, from the textbook chapter on
/// sparse matrix computation. It goes along the jagged diagonals until one ends before its place; rows of a warp have
/// similar lengths, so few lanes wait. Bytes an entry: a value and a column in full sectors, and x; y is scattered.
template <class Memory, class Value, class Index> struct jds_row {
  static constexpr kernel id = kernel::jds_row;
  static constexpr const char* name = "jds_row";
  static constexpr int block_threads = 128;
  using shared = no_shared;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = jds_row<M, Value, Index>;

  int64_t rows;
  int64_t diagonals;
  int iso;  ///< 1 when all entries have the first value
  in<Memory, Index> permutation;
  in<Memory, int64_t> diagonal_offsets;
  in<Memory, Index> columns;
  in<Memory, Value> values;
  in<Memory, Value> x;
  Value alpha;
  Value beta;
  out<Memory, Value> y;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int64_t place = int64_t{team.block()} * block_threads + team.thread();
    if (place >= rows) return;
    Value sum = number<Value>(0);
    for (int64_t d = 0; d < diagonals; ++d) {
      const int64_t slot = diagonal_offsets[d] + place;
      if (slot >= diagonal_offsets[d + 1]) break;
      sum = add(sum, multiply(values[iso != 0 ? 0 : slot], x[columns[slot]]));
    }
    update(alpha, sum, beta, y[permutation[place]]);
  }
};

/// y = alpha A x + beta y in the canonical order: a thread a place as jds_row, its warp for a row of more than 1024
/// entries. The diagonals shorten, so a bisection finds how many reach a place. Moves what jds_row does, and some
/// offsets that all threads share; a row that a warp takes costs a sector per entry.
template <class Memory, class Value, class Index> struct jds_canonical {
  static constexpr kernel id = kernel::jds_canonical;
  static constexpr const char* name = "jds_canonical";
  static constexpr int block_threads = 128;
  static constexpr int least_blocks = sizeof(Value) == 16 ? 5 : 8;
  using shared = no_shared;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = jds_canonical<M, Value, Index>;

  int64_t rows;
  int64_t diagonals;
  int iso;
  in<Memory, Index> permutation;
  in<Memory, int64_t> diagonal_offsets;
  in<Memory, Index> columns;
  in<Memory, Value> values;
  in<Memory, Value> x;
  Value alpha;
  Value beta;
  out<Memory, Value> y;

  LACIS_DEVICE_FN Value term(int64_t place, int64_t k) const {
    const int64_t slot = diagonal_offsets[k] + place;
    return multiply(values[iso != 0 ? 0 : slot], x[columns[slot]]);
  }

  LACIS_DEVICE_FN int64_t length_at(int64_t place) const {
    int64_t reach = 0;
    for (int64_t end = diagonals; reach < end;) {
      const int64_t middle = reach + (end - reach) / 2;
      if (diagonal_offsets[middle] + place < diagonal_offsets[middle + 1])
        reach = middle + 1;
      else
        end = middle;
    }
    return reach;
  }

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int lane = team.lane();
    const int64_t place = int64_t{team.block()} * block_threads + team.thread();
    const int64_t count = place < rows ? length_at(place) : 0;
    const Value sum = row_sum<Value>(team, lane, place, count, *this);
    if (place < rows) update(alpha, sum, beta, y[permutation[place]]);
  }
};

using spmv_jds_kernels = kernel_list<jds_row, jds_canonical>;

}  // namespace lacis::kernels

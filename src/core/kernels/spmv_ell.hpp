// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of ELL and HYB matrices with a vector, a thread per row.
#pragma once

#include "kernels/kernel.hpp"
#include "kernels/row_sums.hpp"

namespace lacis::kernels {

/// y = alpha A x + beta y: a thread per row, in order `serial`, from the textbook chapter on sparse matrix computation.
/// Slots are stored column by column, so the threads of a warp read neighbours; the length of the row, not its padding,
/// ends the sum. Bytes an entry: a value and a column, in full sectors while the rows of a warp last, and x.
template <class Memory, class Value, class Index> struct ell_row {
  static constexpr kernel id = kernel::ell_row;
  static constexpr const char* name = "ell_row";
  static constexpr int block_threads = 128;
  using shared = no_shared;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = ell_row<M, Value, Index>;

  int64_t rows;
  int iso;  ///< 1 when all entries have the first value
  in<Memory, Index> row_lengths;
  in<Memory, Index> columns;
  in<Memory, Value> values;
  in<Memory, Value> x;
  Value alpha;
  Value beta;
  out<Memory, Value> y;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int64_t row = int64_t{team.block()} * block_threads + team.thread();
    if (row >= rows) return;
    Value sum = number<Value>(0);
    const int64_t end = row_lengths[row] * rows + row;
    for (int64_t slot = row; slot < end; slot += rows)
      sum = add(sum, multiply(values[iso != 0 ? 0 : slot], x[columns[slot]]));
    update(alpha, sum, beta, y[row]);
  }
};

/// y = alpha A x + beta y in the canonical order: a thread per row as ell_row, its warp for a row of more than 1024
/// entries. Moves what ell_row does; a row that a warp takes costs a sector per entry.
template <class Memory, class Value, class Index> struct ell_canonical {
  static constexpr kernel id = kernel::ell_canonical;
  static constexpr const char* name = "ell_canonical";
  static constexpr int block_threads = 128;
  static constexpr int least_blocks = sizeof(Value) == 16 ? 5 : sizeof(Index) == 8 ? 7 : 8;
  using shared = no_shared;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = ell_canonical<M, Value, Index>;

  int64_t rows;
  int iso;
  in<Memory, Index> row_lengths;
  in<Memory, Index> columns;
  in<Memory, Value> values;
  in<Memory, Value> x;
  Value alpha;
  Value beta;
  out<Memory, Value> y;

  LACIS_DEVICE_FN Value term(int64_t row, int64_t k) const {
    const int64_t slot = k * rows + row;
    return multiply(values[iso != 0 ? 0 : slot], x[columns[slot]]);
  }

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int lane = team.lane();
    const int64_t row = int64_t{team.block()} * block_threads + team.thread();
    const int64_t count = row < rows ? row_lengths[row] : 0;
    const Value sum = row_sum<Value>(team, lane, row, count, *this);
    if (row < rows) update(alpha, sum, beta, y[row]);
  }
};

/// y = alpha A x + beta y in the canonical order for a hybrid matrix: a thread per row, which goes on in the COO part
/// when the slots of the ELL part are used up. The textbook chapter leaves the rest to coo_atomic, whose order differs
/// from run to run. Bytes as ell_canonical; 16 a row for where its rest lies, and a sector an entry of that.
template <class Memory, class Value, class Index> struct hyb_canonical {
  static constexpr kernel id = kernel::hyb_canonical;
  static constexpr const char* name = "hyb_canonical";
  static constexpr int block_threads = 128;
  static constexpr int least_blocks = sizeof(Value) >= 8 ? 5 : 8;
  using shared = no_shared;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = hyb_canonical<M, Value, Index>;

  int64_t rows;
  int64_t width;
  int iso;
  in<Memory, Index> row_lengths;
  in<Memory, Index> columns;
  in<Memory, Value> values;
  in<Memory, int64_t> rest_offsets;
  in<Memory, Index> rest_columns;
  in<Memory, Value> rest_values;
  in<Memory, Value> x;
  Value alpha;
  Value beta;
  out<Memory, Value> y;

  LACIS_DEVICE_FN Value term(int64_t row, int64_t k) const {
    if (k >= width) {
      const int64_t entry = rest_offsets[row] + k - width;
      return multiply(rest_values[iso != 0 ? 0 : entry], x[rest_columns[entry]]);
    }
    const int64_t slot = k * rows + row;
    return multiply(values[iso != 0 ? 0 : slot], x[columns[slot]]);
  }

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int lane = team.lane();
    const int64_t row = int64_t{team.block()} * block_threads + team.thread();
    const int64_t count = row < rows ? row_lengths[row] + rest_offsets[row + 1] - rest_offsets[row] : 0;
    const Value sum = row_sum<Value>(team, lane, row, count, *this);
    if (row < rows) update(alpha, sum, beta, y[row]);
  }
};

using spmv_ell_kernels = kernel_list<ell_row, ell_canonical, hyb_canonical>;

}  // namespace lacis::kernels

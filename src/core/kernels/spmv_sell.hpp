// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of SELL-32-sigma matrices with a vector: a warp per slice.
#pragma once

#include "kernels/kernel.hpp"
#include "kernels/row_sums.hpp"

namespace lacis::kernels {

/// y = alpha A x + beta y in the canonical order, for slices of 32 rows (Kreutzer and others, SELL-C-sigma): a warp
/// takes a slice, a thread a row of it; a row of more than 1024 entries is summed by the whole warp. Any sorting
/// window. Bytes an entry: a value (not when Iso) and a column, in full sectors while the rows of the slice last, and
/// x; 8 bytes and a place and a length a row. A row that the warp takes costs a sector per entry.
template <class Memory, class Value, class Index, bool Iso> struct sell_by_warps {
  static constexpr kernel id = Iso ? kernel::sell_32_iso : kernel::sell_32;
  static constexpr const char* name = Iso ? "sell_32_iso" : "sell_32";
  static constexpr int block_threads = 128;
  static constexpr int least_blocks = sizeof(Value) == 16 ? 4 : 8;
  using shared = no_shared;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = sell_by_warps<M, Value, Index, Iso>;

  int64_t rows;
  in<Memory, Index> permutation;
  in<Memory, Index> row_lengths;
  in<Memory, int64_t> slice_offsets;
  in<Memory, Index> columns;
  in<Memory, Value> values;
  in<Memory, Value> x;
  Value alpha;
  Value beta;
  out<Memory, Value> y;

  LACIS_DEVICE_FN Value term(int64_t first_slot, int64_t k) const {
    const int64_t slot = first_slot + k * warp_size;
    return multiply(values[Iso ? 0 : slot], x[columns[slot]]);
  }

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int lane = team.lane();
    const int64_t place = int64_t{team.block()} * block_threads + team.thread();
    if (place - lane >= rows) return;  // the whole warp
    const int64_t first_slot = slice_offsets[place / warp_size] + lane;
    const int64_t count = place < rows ? row_lengths[place] : 0;
    const Value sum = row_sum<Value>(team, lane, first_slot, count, *this);
    if (place < rows) update(alpha, sum, beta, y[permutation[place]]);
  }
};

template <class M, class V, class I> using sell_32 = sell_by_warps<M, V, I, false>;
template <class M, class V, class I> using sell_32_iso = sell_by_warps<M, V, I, true>;

using spmv_sell_kernels = kernel_list<sell_32, sell_32_iso>;

}  // namespace lacis::kernels

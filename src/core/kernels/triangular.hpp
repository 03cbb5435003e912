// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Triangular systems: rows that wait for the rows they need, without level sets.
#pragma once

#include "kernels/kernel.hpp"
#include "kernels/lanes.hpp"

namespace lacis::kernels {

/// Where the triangle of each row ends or begins: splits[i] counts the entries before the diagonal where the lower
/// triangle is wanted (the diagonal, if stored, is entry splits[i]), and also the diagonal where the upper is (it is
/// entry splits[i] - 1). A thread takes one row. `faults` says of which rows no system can be made, as `rows` minus the
/// lowest row, or 0: faults[0] of rows without a stored diagonal, where one is wanted, faults[1] of rows whose columns
/// do not ascend. Reads a column per entry, 2 offsets and writes one for each row.
template <class Memory, class Value, class Index> struct triangular_split {
  static constexpr kernel id = kernel::triangular_split;
  static constexpr const char* name = "triangular_split";
  static constexpr int block_threads = 256;
  using shared = no_shared;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = triangular_split<M, Value, Index>;

  int64_t rows;
  bool upper;
  bool unit;
  in<Memory, int64_t> row_offsets;
  in<Memory, Index> columns;
  out<Memory, int64_t> splits;
  out<Memory, int64_t> faults;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int64_t row = int64_t{team.block()} * block_threads + team.thread();
    if (row >= rows) return;
    const int64_t begin = row_offsets[row];
    const int64_t end = row_offsets[row + 1];
    int64_t before = 0;
    bool stored = false;
    bool ascending = true;
    int64_t last = -1;
    for (int64_t k = begin; k < end; ++k) {
      const int64_t column = columns[k];
      if (column <= last) ascending = false;
      if (column < row) ++before;
      if (column == row) stored = true;
      last = column;
    }
    splits[row] = begin + before + (upper && stored ? 1 : 0);
    if (!stored && !unit) team.atomic_max(faults[0], rows - row);
    if (!ascending) team.atomic_max(faults[1], rows - row);
  }
};

/// Solves A x = b for the lower or the upper triangle of A (its other entries are not read), each row by one warp: x_i
/// = (b_i - s) / d_i, or b_i - s where the diagonal is one, with s the canonical sum of the products left or right of
/// the diagonal. Synchronisation-free (Liu, Li, Hogg, Duff, Vinter): an entry waits until the flag of its row of x is
/// up. Warps draw rows from a ticket, so a row waits only for rows that somebody has begun, in whatever order blocks
/// start. `ready` and `tickets` are 0 before the launch. Reads an entry's value, column, flag and x once; 24 bytes and
/// 3 values per row.
template <class Memory, class Value, class Index> struct triangular_solve {
  static constexpr kernel id = kernel::triangular_solve;
  static constexpr const char* name = "triangular_solve";
  static constexpr int block_threads = 256;
  static constexpr int block_warps = block_threads / warp_size;
  struct shared {
    shared_array<Value, block_threads> products;  ///< of a short row, for each warp
  };
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = triangular_solve<M, Value, Index>;

  int64_t rows;
  bool upper;
  bool unit;
  int64_t value_stride;  ///< 0 when every entry has the one value, otherwise 1
  in<Memory, int64_t> row_offsets;
  in<Memory, int64_t> splits;  ///< of triangular_split
  in<Memory, Index> columns;
  in<Memory, Value> values;
  in<Memory, Value> b;
  out<Memory, Value> x;
  out<Memory, int32_t> ready;    ///< one for each row
  out<Memory, int64_t> tickets;  ///< one

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    auto& products = team.template shared<shared>().products;
    const int lane = team.lane();
    const int first_product = team.warp() * warp_size;
    int64_t ticket = 0;
    if (lane == 0) ticket = team.atomic_add(tickets[0], 1);
    ticket = team.shuffle(full_mask, ticket, 0, warp_size);
    if (ticket >= rows) return;
    const int64_t row = upper ? rows - 1 - ticket : ticket;
    const int64_t split = splits[row];
    const int64_t begin = upper ? split : row_offsets[row];
    const int64_t end = upper ? row_offsets[row + 1] : split;
    Value sum = number<Value>(0);
    if (end - begin <= short_row) {
      if (begin + lane < end) products[first_product + lane] = product(team, begin + lane);
      team.sync_warp(full_mask);
      for (int64_t k = 0; k < end - begin; ++k) sum = add(sum, products[first_product + k]);
    } else {
      sum = long_sum(team, lane, begin, end);
    }
    if (lane != 0) return;
    const Value rest = subtract(b[row], sum);
    x[row] = unit ? rest : simt::divide(rest, values[(upper ? split - 1 : split) * value_stride]);
    team.template store<memory_order::release>(ready[row], 1);
  }

 private:
  /// Entry k times its element of x, as soon as that is known.
  template <team Team> LACIS_DEVICE_FN Value product(Team team, int64_t k, call_site site = call_site::here()) const {
    const Index column = columns[k];
    while (team.template load<memory_order::acquire>(ready[column]) == 0) team.pause(site);
    return multiply(values[k * value_stride], x[column]);
  }

  /// The sum of a long row, chunk after chunk, the same for every lane. The neighbour tree is kept as a counter in
  /// binary: lane l holds the node of 2^l chunks that bit l of the number of chunks so far stands for.
  template <team Team> LACIS_DEVICE_FN Value long_sum(Team team, int lane, int64_t begin, int64_t end) const {
    Value node = number<Value>(0);
    int64_t chunks = 0;
    for (int64_t first = begin; first < end; first += chunk_entries) {
      const int64_t last = end - first < chunk_entries ? end : first + chunk_entries;
      Value carry = number<Value>(0);
      for (int64_t k = first + lane; k < last; k += warp_size) carry = add(carry, product(team, k));
      carry = team.shuffle(full_mask, lane_sum(team, full_mask, carry), 0, warp_size);
      int level = 0;
      for (; (chunks >> level & 1) != 0; ++level) carry = add(team.shuffle(full_mask, node, level, warp_size), carry);
      if (lane == level) node = carry;
      ++chunks;
    }
    // Smaller nodes lie further right: passing odd ones up is joining from the right.
    int level = 0;
    while ((chunks >> level & 1) == 0) ++level;
    Value sum = team.shuffle(full_mask, node, level, warp_size);
    for (++level; chunks >> level != 0; ++level)
      if ((chunks >> level & 1) != 0) sum = add(team.shuffle(full_mask, node, level, warp_size), sum);
    return sum;
  }
};

using triangular_kernels = kernel_lists<kernel_list<triangular_solve>, index_kernel_list<triangular_split>>;

}  // namespace lacis::kernels

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Sparse products, third kernel: columns of each row in order.
#pragma once

#include "kernels/kernel.hpp"

namespace lacis::kernels {

/// Entries first .. last of a row, counted from its start, that agree in all digits above `shift`.
struct sort_bucket {
  uint32_t first;
  uint32_t last;
  int32_t shift;
};

/// Sorts the columns of each row, values with them, in place. SortCols of Rose: a radix sort from the highest digit
/// down, with a queue of buckets. A block owns a row; in a round each thread takes one bucket from the queue, counts
/// its digits, queues the buckets that it falls into, and moves the entries there by cycles of exchanges. A bucket of
/// one entry is in its place; columns differ, so after the lowest digit there are no others.
///
/// Buckets in the queue are apart and have two entries or more: `capacity` places, half of the longest row and one
/// more, never fill. The places of a round's buckets may be taken again in the same round, so all of them are read
/// first. Rows of less than two entries cost nothing. No arithmetic on values: nothing rounds.
///
/// Reads each column twice, and reads and writes each entry once, for each digit that its bucket is sorted by.
template <class Memory, class Value, class Index> struct spgemm_sort_radix {
  static constexpr kernel id = kernel::spgemm_sort_radix;
  static constexpr const char* name = "spgemm_sort_radix";
  static constexpr int block_threads = 32;
  static constexpr int digit_bits = 4;
  static constexpr int digits = 1 << digit_bits;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = spgemm_sort_radix<M, Value, Index>;

  /// Digit d of thread t at d * block_threads + t: neighbours use different banks.
  struct shared {
    shared_array<uint32_t, digits * block_threads> next;
    shared_array<uint32_t, digits * block_threads> last;
    unsigned back;  ///< where the next bucket is queued
  };

  int64_t rows;
  int32_t top_shift;  ///< of the highest digit
  unsigned capacity;  ///< of a block's queue
  in<Memory, int64_t> row_offsets;
  out<Memory, Index> columns;
  out<Memory, Value> values;
  out<Memory, sort_bucket> queue;  ///< `capacity` for each block

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int thread = team.thread();
    const int64_t own_queue = int64_t{team.block()} * capacity;
    shared& memory = team.template shared<shared>();
    for (int64_t row = team.block(); row < rows; row += team.blocks()) {
      const int64_t begin = row_offsets[row];
      const int64_t end = row_offsets[row + 1];
      if (end - begin < 2) continue;
      if (thread == 0) {
        queue[own_queue] = {0, static_cast<uint32_t>(end - begin), top_shift};
        memory.back = 1;
      }
      team.barrier();
      unsigned front = 0;
      for (;;) {
        const unsigned back = memory.back;
        const unsigned waiting = back >= front ? back - front : back + capacity - front;
        const bool mine = static_cast<unsigned>(thread) < waiting;
        const sort_bucket bucket = mine ? queue[own_queue + wrapped(front + thread)] : sort_bucket{};
        team.barrier();
        if (waiting == 0) break;
        if (mine) split(team, memory, thread, own_queue, begin, bucket);
        front = wrapped(front + (waiting < block_threads ? waiting : block_threads));
        team.barrier();
      }
    }
  }

 private:
  LACIS_DEVICE_FN unsigned wrapped(unsigned place) const { return place % capacity; }

  LACIS_DEVICE_FN static int digit(Index column, int32_t shift) {
    return static_cast<int>(column >> shift) & (digits - 1);
  }

  template <team Team>
  LACIS_DEVICE_FN void split(Team team, shared& memory, int thread, int64_t own_queue, int64_t begin,
                             sort_bucket bucket) const {
    for (int d = 0; d < digits; ++d) memory.last[d * block_threads + thread] = 0;
    for (uint32_t k = bucket.first; k < bucket.last; ++k)
      ++memory.last[digit(columns[begin + k], bucket.shift) * block_threads + thread];
    uint32_t first = bucket.first;
    for (int d = 0; d < digits; ++d) {
      const int own = d * block_threads + thread;
      const uint32_t last = first + memory.last[own];
      memory.next[own] = first;
      memory.last[own] = last;
      if (last - first > 1 && bucket.shift > 0) {
        const unsigned place =
            team.template atomic_increment<memory_order::relaxed, memory_scope::block>(memory.back, capacity - 1);
        queue[own_queue + place] = {first, last, bucket.shift - digit_bits};
      }
      first = last;
    }
    for (int d = 0; d < digits; ++d) {
      const int own = d * block_threads + thread;
      const uint32_t last = memory.last[own];
      for (uint32_t hole = memory.next[own]; hole < last; ++hole) {
        Index column = columns[begin + hole];
        int to = digit(column, bucket.shift);
        if (to == d) continue;
        Value value = values[begin + hole];
        while (to != d) {
          const int64_t place = begin + memory.next[to * block_threads + thread]++;
          const Index other_column = columns[place];
          const Value other_value = values[place];
          columns[place] = column;
          values[place] = value;
          column = other_column;
          value = other_value;
          to = digit(column, bucket.shift);
        }
        columns[begin + hole] = column;
        values[begin + hole] = value;
      }
    }
  }
};

using spgemm_sort_kernels = kernel_list<spgemm_sort_radix>;

}  // namespace lacis::kernels

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What conversions need to know of rows before entries move: lengths, their distribution, the order by length, and
// which row an entry is in.
#pragma once

#include "kernels/kernel.hpp"

namespace lacis::kernels {

/// The last segment that begins at or before `place`; offsets ascend from 0, and `place` lies in a segment.
template <class Offsets> LACIS_DEVICE_FN int64_t segment_of(const Offsets& offsets, int64_t segments, int64_t place) {
  int64_t low = 0;
  for (int64_t high = segments; high - low > 1;) {
    const int64_t middle = low + (high - low) / 2;
    if (offsets[middle] <= place)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/// lengths[i] = row_offsets[i + 1] - row_offsets[i]. A thread per row.
template <class Memory, class Value, class Index> struct row_lengths {
  static constexpr kernel id = kernel::row_lengths;
  static constexpr const char* name = "row_lengths";
  static constexpr int block_threads = 256;
  using shared = no_shared;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = row_lengths<M, Value, Index>;

  int64_t rows;
  in<Memory, int64_t> row_offsets;
  out<Memory, int64_t> lengths;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int64_t row = int64_t{team.block()} * block_threads + team.thread();
    if (row < rows) lengths[row] = row_offsets[row + 1] - row_offsets[row];
  }
};

/// Rows cut after `width` entries: the lengths of what is before the cut and of what is behind it. A thread per row.
template <class Memory, class Value, class Index> struct cut_lengths {
  static constexpr kernel id = kernel::cut_lengths;
  static constexpr const char* name = "cut_lengths";
  static constexpr int block_threads = 256;
  using shared = no_shared;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = cut_lengths<M, Value, Index>;

  int64_t rows;
  int64_t width;
  in<Memory, int64_t> lengths;
  out<Memory, Index> heads;
  out<Memory, int64_t> rests;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int64_t row = int64_t{team.block()} * block_threads + team.thread();
    if (row >= rows) return;
    const int64_t length = lengths[row];
    const int64_t head = length < width ? length : width;
    heads[row] = static_cast<Index>(head);
    rests[row] = length - head;
  }
};

/// Adds 1 to rows_of_length[lengths[i]] for every row. A thread per row, an atomic addition each.
template <class Memory, class Value, class Index> struct length_histogram {
  static constexpr kernel id = kernel::length_histogram;
  static constexpr const char* name = "length_histogram";
  static constexpr int block_threads = 256;
  using shared = no_shared;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = length_histogram<M, Value, Index>;

  int64_t rows;
  in<Memory, int64_t> lengths;
  out<Memory, int64_t> rows_of_length;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int64_t row = int64_t{team.block()} * block_threads + team.thread();
    if (row < rows) team.atomic_add(rows_of_length[lengths[row]], 1);
  }
};

/// longer[d] = how many rows have more than d entries, d = 0 .. longest - 1, from the scanned histogram of lengths. A
/// thread a length.
template <class Memory, class Value, class Index> struct longer_rows {
  static constexpr kernel id = kernel::longer_rows;
  static constexpr const char* name = "longer_rows";
  static constexpr int block_threads = 256;
  using shared = no_shared;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = longer_rows<M, Value, Index>;

  int64_t rows;
  int64_t longest;
  in<Memory, int64_t> shorter;  ///< than each length: the scan of the histogram
  out<Memory, int64_t> longer;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int64_t d = int64_t{team.block()} * block_threads + team.thread();
    if (d < longest) longer[d] = rows - shorter[d + 1];
  }
};

/// flags[k] = 1 where numbers[k] > limit, 0 elsewhere.
template <class Memory, class Value, class Index> struct flag_above {
  static constexpr kernel id = kernel::flag_above;
  static constexpr const char* name = "flag_above";
  static constexpr int block_threads = 256;
  using shared = no_shared;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = flag_above<M, Value, Index>;

  int64_t count;
  int64_t limit;
  in<Memory, int64_t> numbers;
  out<Memory, int64_t> flags;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int64_t k = int64_t{team.block()} * block_threads + team.thread();
    if (k < count) flags[k] = numbers[k] > limit ? 1 : 0;
  }
};

/// Keys that sort rows by falling length within windows, equal lengths in the order of the matrix; the rows themselves;
/// and where windows begin. A thread per row.
template <class Memory, class Value, class Index> struct length_keys {
  static constexpr kernel id = kernel::length_keys;
  static constexpr const char* name = "length_keys";
  static constexpr int block_threads = 256;
  using shared = no_shared;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = length_keys<M, Value, Index>;

  int64_t rows;
  int64_t window;
  int64_t longest;
  in<Memory, int64_t> lengths;
  out<Memory, int64_t> keys;
  out<Memory, Index> permutation;
  out<Memory, int64_t> window_offsets;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int64_t row = int64_t{team.block()} * block_threads + team.thread();
    if (row >= rows) return;
    keys[row] = (longest - lengths[row]) * window + row % window;
    permutation[row] = static_cast<Index>(row);
    if (row % window == 0) window_offsets[row / window] = row;
    if (row == rows - 1) window_offsets[row / window + 1] = rows;
  }
};

/// The length of the row at each place, and the slots of each slice: its height times its longest row. A thread a
/// place; slice_slots begin at 0.
template <class Memory, class Value, class Index> struct place_lengths {
  static constexpr kernel id = kernel::place_lengths;
  static constexpr const char* name = "place_lengths";
  static constexpr int block_threads = 256;
  using shared = no_shared;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = place_lengths<M, Value, Index>;

  int64_t rows;
  int64_t height;
  in<Memory, int64_t> lengths;
  in<Memory, Index> permutation;
  out<Memory, Index> at_place;
  out<Memory, int64_t> slice_slots;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int64_t place = int64_t{team.block()} * block_threads + team.thread();
    if (place >= rows) return;
    const int64_t length = lengths[permutation[place]];
    at_place[place] = static_cast<Index>(length);
    team.atomic_max(slice_slots[place / height], length * height);
  }
};

/// The row of every entry. A thread per entry, which finds its row by bisection: long rows take no longer than others.
template <class Memory, class Value, class Index> struct expand_rows {
  static constexpr kernel id = kernel::expand_rows;
  static constexpr const char* name = "expand_rows";
  static constexpr int block_threads = 256;
  using shared = no_shared;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = expand_rows<M, Value, Index>;

  int64_t rows;
  int64_t entries;
  in<Memory, int64_t> row_offsets;
  out<Memory, Index> row_indices;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int64_t k = int64_t{team.block()} * block_threads + team.thread();
    if (k < entries) row_indices[k] = static_cast<Index>(segment_of(row_offsets, rows, k));
  }
};

/// Where each row begins among entries grouped by ascending row, and where the last one ends: the other way round. A
/// thread a row and one more, by bisection.
template <class Memory, class Value, class Index> struct row_starts {
  static constexpr kernel id = kernel::row_starts;
  static constexpr const char* name = "row_starts";
  static constexpr int block_threads = 256;
  using shared = no_shared;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = row_starts<M, Value, Index>;

  int64_t rows;
  int64_t entries;
  in<Memory, Index> row_indices;
  out<Memory, int64_t> row_offsets;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int64_t row = int64_t{team.block()} * block_threads + team.thread();
    if (row > rows) return;
    int64_t low = 0;
    for (int64_t high = entries; low < high;) {
      const int64_t middle = low + (high - low) / 2;
      if (row_indices[middle] < row)
        low = middle + 1;
      else
        high = middle;
    }
    row_offsets[row] = low;
  }
};

}  // namespace lacis::kernels

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Conversions from CSR: the entries go to the slots of another format. A thread fills one slot and fetches what belongs
// there, so that writes are in full sectors, and padding is written with the rest.
#pragma once

#include "kernels/convert_blocks.hpp"
#include "kernels/convert_lengths.hpp"
#include "kernels/kernel.hpp"

namespace lacis::kernels {

/// Slot s of a row whose first entry is `begin` and that has `length` entries, with padding behind them as ELL and SELL
/// have it: the last column, the value 0.
template <class Kernel>
LACIS_DEVICE_FN void fill_padded(const Kernel& kernel, int64_t slot, int64_t s, int64_t begin, int64_t length) {
  using index = typename Kernel::index_type;
  using number_type = typename Kernel::value_type;
  const int64_t entry = begin + (s < length ? s : length - 1);
  kernel.to_columns[slot] = length == 0 ? index(0) : kernel.columns[entry];
  if (kernel.iso == 0) kernel.to_values[slot] = s < length ? kernel.values[entry] : number<number_type>(0);
}

/// ELL: the first row_lengths[i] entries of every row. Rows of a warp read places apart, but each sector serves the
/// slots after it too.
template <class Memory, class Value, class Index> struct ell_fill {
  static constexpr kernel id = kernel::ell_fill;
  static constexpr const char* name = "ell_fill";
  static constexpr int block_threads = 256;
  using shared = no_shared;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = ell_fill<M, Value, Index>;

  int64_t rows;
  int64_t slots;
  int iso;  ///< 1 when values are one for all, and not copied here
  in<Memory, Index> heads;
  in<Memory, int64_t> row_offsets;
  in<Memory, Index> columns;
  in<Memory, Value> values;
  out<Memory, Index> to_columns;
  out<Memory, Value> to_values;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int64_t slot = int64_t{team.block()} * block_threads + team.thread();
    if (slot >= slots) return;
    const int64_t row = slot % rows;
    fill_padded(*this, slot, slot / rows, row_offsets[row], heads[row]);
  }
};

/// The COO part of HYB: what is left of rows behind their first `width` entries.
template <class Memory, class Value, class Index> struct hyb_fill {
  static constexpr kernel id = kernel::hyb_fill;
  static constexpr const char* name = "hyb_fill";
  static constexpr int block_threads = 256;
  using shared = no_shared;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = hyb_fill<M, Value, Index>;

  int64_t rows;
  int64_t width;
  int64_t rest;
  int iso;
  in<Memory, int64_t> rest_offsets;
  in<Memory, int64_t> row_offsets;
  in<Memory, Index> columns;
  in<Memory, Value> values;
  out<Memory, Index> to_rows;
  out<Memory, Index> to_columns;
  out<Memory, Value> to_values;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int64_t k = int64_t{team.block()} * block_threads + team.thread();
    if (k >= rest) return;
    const int64_t row = segment_of(rest_offsets, rows, k);
    const int64_t entry = row_offsets[row] + width + (k - rest_offsets[row]);
    to_rows[k] = static_cast<Index>(row);
    to_columns[k] = columns[entry];
    if (iso == 0) to_values[k] = values[entry];
  }
};

/// JDS: a slot finds its diagonal by bisection.
template <class Memory, class Value, class Index> struct jds_fill {
  static constexpr kernel id = kernel::jds_fill;
  static constexpr const char* name = "jds_fill";
  static constexpr int block_threads = 256;
  using shared = no_shared;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = jds_fill<M, Value, Index>;

  int64_t diagonals;
  int64_t entries;
  int iso;
  in<Memory, Index> permutation;
  in<Memory, int64_t> diagonal_offsets;
  in<Memory, int64_t> row_offsets;
  in<Memory, Index> columns;
  in<Memory, Value> values;
  out<Memory, Index> to_columns;
  out<Memory, Value> to_values;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int64_t slot = int64_t{team.block()} * block_threads + team.thread();
    if (slot >= entries) return;
    const int64_t diagonal = segment_of(diagonal_offsets, diagonals, slot);
    const int64_t entry = row_offsets[permutation[slot - diagonal_offsets[diagonal]]] + diagonal;
    to_columns[slot] = columns[entry];
    if (iso == 0) to_values[slot] = values[entry];
  }
};

/// SELL: a slot finds its slice by bisection; lanes behind the last row are empty rows.
template <class Memory, class Value, class Index> struct sell_fill {
  static constexpr kernel id = kernel::sell_fill;
  static constexpr const char* name = "sell_fill";
  static constexpr int block_threads = 256;
  using shared = no_shared;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = sell_fill<M, Value, Index>;

  int64_t rows;
  int64_t slices;
  int64_t height;
  int64_t slots;
  int iso;
  in<Memory, Index> permutation;
  in<Memory, Index> lengths;
  in<Memory, int64_t> slice_offsets;
  in<Memory, int64_t> row_offsets;
  in<Memory, Index> columns;
  in<Memory, Value> values;
  out<Memory, Index> to_columns;
  out<Memory, Value> to_values;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int64_t slot = int64_t{team.block()} * block_threads + team.thread();
    if (slot >= slots) return;
    const int64_t slice = segment_of(slice_offsets, slices, slot);
    const int64_t in_slice = slot - slice_offsets[slice];
    const int64_t place = slice * height + in_slice % height;
    const bool row = place < rows;
    fill_padded(*this, slot, in_slice / height, row ? row_offsets[permutation[place]] : 0, row ? lengths[place] : 0);
  }
};

using convert_kernels = kernel_lists<kernel_list<ell_fill, hyb_fill, jds_fill, sell_fill, bsr_fill>,
                                     index_kernel_list<cut_lengths, length_keys, place_lengths, expand_rows, row_starts,
                                                       descents, block_leaders, block_list, block_rows>,
                                     plain_kernel_list<row_lengths, length_histogram, longer_rows, flag_above>>;

}  // namespace lacis::kernels

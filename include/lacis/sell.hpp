// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// SELL-C-sigma: slices of C rows, each as wide as its longest row, rows sorted by length within windows of sigma.
#pragma once

#include <cstdint>
#include <span>

#include <lacis/buffer.hpp>
#include <lacis/csr.hpp>
#include <lacis/fwd.hpp>

namespace lacis {

/// A SELL-C-sigma matrix, borrowed. permutation[p] is the matrix row at place p; slice t holds places t * slice_height
/// up to (t + 1) * slice_height. Slot s of the slice's lane l is at slice_offsets[t] + s * slice_height + l; a place
/// uses its first row_lengths[p] slots. Padding, also in the lanes after the last row, is as in ELL and never enters a
/// sum.
template <value Value, index Index> struct sell_view {
  /// Type of the values.
  using value_type = Value;
  /// Type of the indices.
  using index_type = Index;

  std::int64_t rows = 0;               ///< number of rows
  std::int64_t cols = 0;               ///< number of columns
  std::int64_t entries = 0;            ///< stored: explicit zeros count, padding and fill do not
  std::int64_t slice_height = 1;       ///< C
  std::int64_t sort_window = 1;        ///< sigma: 1, or a multiple of C
  std::span<const Index> permutation;  ///< rows
  std::span<const Index> row_lengths;  ///< rows, by place
  std::span<const std::int64_t> slice_offsets =
      detail::no_offsets<std::int64_t>;  ///< slices + 1, from 0 to the number of slots
  std::span<const Index> columns;        ///< slots
  values_view<Value> values;             ///< slots, or one when iso

  /// Stored entries: explicit zeros count, padding does not.
  [[nodiscard]] std::int64_t nnz() const { return entries; }
  /// The number of slices: rows / C, rounded up.
  [[nodiscard]] std::int64_t slices() const { return static_cast<std::int64_t>(slice_offsets.size()) - 1; }
  /// Itself: functions take whatever has a view().
  [[nodiscard]] sell_view view() const { return *this; }
};

/// A SELL-C-sigma matrix, owned.
template <value Value, index Index> struct sell_matrix {
  /// Type of the values.
  using value_type = Value;
  /// Type of the indices.
  using index_type = Index;

  std::int64_t rows = 0;          ///< number of rows
  std::int64_t cols = 0;          ///< number of columns
  std::int64_t entries = 0;       ///< stored: explicit zeros count, padding and fill do not
  std::int64_t slice_height = 1;  ///< C
  std::int64_t sort_window = 1;   ///< sigma: 1, or a multiple of C
  buffer<Index> permutation;      ///< rows: the matrix row at each place
  buffer<Index> row_lengths;      ///< rows, by place
  buffer<std::int64_t> slice_offsets = buffer<std::int64_t>(1, 0);  ///< slices + 1, from 0 to the number of slots
  buffer<Index> columns;                                            ///< slots
  values_array<Value> values;                                       ///< slots, or one when iso

  /// Stored entries: explicit zeros count, padding does not.
  [[nodiscard]] std::int64_t nnz() const { return entries; }
  /// The arrays, borrowed; valid while the matrix lives and is not assigned to.
  [[nodiscard]] sell_view<Value, Index> view() const& {
    return {rows,        cols,        entries,       slice_height, sort_window,
            permutation, row_lengths, slice_offsets, columns,      values.view()};
  }
  /// A view of a temporary would outlive it: give the matrix a name.
  void view() const&& = delete;
  /// Whether sizes, arrays and values are equal, as they are stored: NaN differs from itself, -0 equals +0.
  [[nodiscard]] friend bool operator==(const sell_matrix&, const sell_matrix&) = default;
};

}  // namespace lacis

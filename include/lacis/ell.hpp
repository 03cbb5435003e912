// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// ELLPACK: every row has the same number of slots, stored column by column of slots.
#pragma once

#include <cstdint>
#include <span>

#include <lacis/buffer.hpp>
#include <lacis/fwd.hpp>
#include <lacis/values.hpp>

namespace lacis {

/// An ELL matrix, borrowed. Slot s of row i is at s * rows + i; a row uses its first row_lengths[i] slots. The slots
/// after them are padding: they hold the row's last column (0 in an empty row) and the value 0, and never enter a sum.
template <value Value, index Index> struct ell_view {
  /// Type of the values.
  using value_type = Value;
  /// Type of the indices.
  using index_type = Index;

  std::int64_t rows = 0;               ///< number of rows
  std::int64_t cols = 0;               ///< number of columns
  std::int64_t width = 0;              ///< slots in a row
  std::int64_t entries = 0;            ///< the sum of row_lengths
  std::span<const Index> row_lengths;  ///< rows
  std::span<const Index> columns;      ///< width * rows
  values_view<Value> values;           ///< width * rows, or one when iso

  /// Stored entries: explicit zeros count.
  [[nodiscard]] std::int64_t nnz() const { return entries; }
  /// Itself: functions take whatever has a view().
  [[nodiscard]] ell_view view() const { return *this; }
};

/// An ELL matrix, owned.
template <value Value, index Index> struct ell_matrix {
  /// Type of the values.
  using value_type = Value;
  /// Type of the indices.
  using index_type = Index;

  std::int64_t rows = 0;       ///< number of rows
  std::int64_t cols = 0;       ///< number of columns
  std::int64_t width = 0;      ///< slots in a row
  std::int64_t entries = 0;    ///< the sum of row_lengths
  buffer<Index> row_lengths;   ///< rows
  buffer<Index> columns;       ///< width * rows
  values_array<Value> values;  ///< width * rows, or one when iso

  /// Stored entries: explicit zeros count.
  [[nodiscard]] std::int64_t nnz() const { return entries; }
  /// The arrays, borrowed; valid while the matrix lives and is not assigned to.
  [[nodiscard]] ell_view<Value, Index> view() const& {
    return {rows, cols, width, entries, row_lengths, columns, values.view()};
  }
  /// A view of a temporary would outlive it: give the matrix a name.
  void view() const&& = delete;
  /// Whether sizes, arrays and values are equal, as they are stored: NaN differs from itself, -0 equals +0.
  [[nodiscard]] friend bool operator==(const ell_matrix&, const ell_matrix&) = default;
};

}  // namespace lacis

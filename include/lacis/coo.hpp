// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Coordinates: a list of (row, column, value), in any order.
#pragma once

#include <cstdint>
#include <span>

#include <lacis/buffer.hpp>
#include <lacis/fwd.hpp>
#include <lacis/values.hpp>

namespace lacis {

/// A COO matrix, borrowed. Entries may come in any order and may repeat.
template <value Value, index Index> struct coo_view {
  /// Type of the values.
  using value_type = Value;
  /// Type of the indices.
  using index_type = Index;

  std::int64_t rows = 0;               ///< number of rows
  std::int64_t cols = 0;               ///< number of columns
  std::span<const Index> row_indices;  ///< nnz
  std::span<const Index> columns;      ///< nnz
  values_view<Value> values;           ///< nnz, or one when iso

  /// Stored entries: explicit zeros count.
  [[nodiscard]] std::int64_t nnz() const { return static_cast<std::int64_t>(columns.size()); }
  /// Itself: functions take whatever has a view().
  [[nodiscard]] coo_view view() const { return *this; }
};

/// A COO matrix, owned.
template <value Value, index Index> struct coo_matrix {
  /// Type of the values.
  using value_type = Value;
  /// Type of the indices.
  using index_type = Index;

  std::int64_t rows = 0;       ///< number of rows
  std::int64_t cols = 0;       ///< number of columns
  buffer<Index> row_indices;   ///< nnz
  buffer<Index> columns;       ///< nnz
  values_array<Value> values;  ///< nnz, or one when iso

  /// Stored entries: explicit zeros count.
  [[nodiscard]] std::int64_t nnz() const { return columns.size(); }
  /// The arrays, borrowed; valid while the matrix lives and is not assigned to.
  [[nodiscard]] coo_view<Value, Index> view() const& { return {rows, cols, row_indices, columns, values.view()}; }
  /// A view of a temporary would outlive it: give the matrix a name.
  void view() const&& = delete;
  /// Whether sizes, arrays and values are equal, as they are stored: NaN differs from itself, -0 equals +0.
  [[nodiscard]] friend bool operator==(const coo_matrix&, const coo_matrix&) = default;
};

}  // namespace lacis

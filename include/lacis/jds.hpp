// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Jagged diagonals: rows sorted by length, then stored one entry of every row at a time.
#pragma once

#include <cstdint>
#include <span>

#include <lacis/buffer.hpp>
#include <lacis/csr.hpp>
#include <lacis/fwd.hpp>

namespace lacis {

/// A JDS matrix, borrowed. permutation[p] is the matrix row at sorted place p; lengths fall with p, equal lengths keep
/// the order of the matrix. Jagged diagonal d holds entry d of the first (diagonal_offsets[d + 1] -
/// diagonal_offsets[d]) places.
template <value Value, index Index> struct jds_view {
  /// Type of the values.
  using value_type = Value;
  /// Type of the indices.
  using index_type = Index;

  std::int64_t rows = 0;               ///< number of rows
  std::int64_t cols = 0;               ///< number of columns
  std::span<const Index> permutation;  ///< rows
  std::span<const std::int64_t> diagonal_offsets =
      detail::no_offsets<std::int64_t>;  ///< longest row + 1, from 0 to nnz
  std::span<const Index> columns;        ///< nnz
  values_view<Value> values;             ///< nnz, or one when iso

  /// Stored entries: explicit zeros count.
  [[nodiscard]] std::int64_t nnz() const { return static_cast<std::int64_t>(columns.size()); }
  /// Itself: functions take whatever has a view().
  [[nodiscard]] jds_view view() const { return *this; }
};

/// A JDS matrix, owned.
template <value Value, index Index> struct jds_matrix {
  /// Type of the values.
  using value_type = Value;
  /// Type of the indices.
  using index_type = Index;

  std::int64_t rows = 0;                                               ///< number of rows
  std::int64_t cols = 0;                                               ///< number of columns
  buffer<Index> permutation;                                           ///< rows
  buffer<std::int64_t> diagonal_offsets = buffer<std::int64_t>(1, 0);  ///< longest row + 1, from 0 to nnz
  buffer<Index> columns;                                               ///< nnz
  values_array<Value> values;                                          ///< nnz, or one when iso

  /// Stored entries: explicit zeros count.
  [[nodiscard]] std::int64_t nnz() const { return columns.size(); }
  /// The arrays, borrowed; valid while the matrix lives and is not assigned to.
  [[nodiscard]] jds_view<Value, Index> view() const& {
    return {rows, cols, permutation, diagonal_offsets, columns, values.view()};
  }
  /// A view of a temporary would outlive it: give the matrix a name.
  void view() const&& = delete;
  /// Whether sizes, arrays and values are equal, as they are stored: NaN differs from itself, -0 equals +0.
  [[nodiscard]] friend bool operator==(const jds_matrix&, const jds_matrix&) = default;
};

}  // namespace lacis

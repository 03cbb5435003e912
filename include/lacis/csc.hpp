// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Compressed sparse columns: CSR of the transpose, with the sizes of the matrix itself.
#pragma once

#include <cstdint>
#include <span>

#include <lacis/csr.hpp>
#include <lacis/fwd.hpp>

namespace lacis {

/// A CSC matrix, borrowed. Column j owns the entries column_offsets[j] .. column_offsets[j + 1] of `row_indices` and
/// `values`. Offsets may be 32-bit, as in csr_view. Any number of threads may read one view at a time.
template <value Value, index Index, index Offset> struct csc_view {
  /// Type of the values.
  using value_type = Value;
  /// Type of the indices.
  using index_type = Index;
  /// Type of the offsets.
  using offset_type = Offset;

  std::int64_t rows = 0;                                                ///< number of rows
  std::int64_t cols = 0;                                                ///< number of columns
  std::span<const Offset> column_offsets = detail::no_offsets<Offset>;  ///< cols + 1, from 0 to nnz
  std::span<const Index> row_indices;                                   ///< nnz
  values_view<Value> values;                                            ///< nnz, or one when iso

  /// A matrix without rows and columns.
  csc_view() = default;
  /// The arrays as they are; functions check them.
  csc_view(std::int64_t row_count, std::int64_t col_count, std::span<const Offset> offsets,
           std::span<const Index> rows_of_entries, values_view<Value> all_values)
      : rows(row_count), cols(col_count), column_offsets(offsets), row_indices(rows_of_entries), values(all_values) {}
  /// From arrays of any kind: `csc_view a(rows, cols, offsets, row_indices, values)`. Sizes that do not fit are
  /// error(invalid_matrix).
  template <detail::array_of<Offset> Offsets, detail::array_of<Index> Rows, detail::array_of<Value> Values>
  csc_view(std::int64_t row_count, std::int64_t col_count, Offsets&& offsets, Rows&& rows_of_entries,
           Values&& all_values)
      : csc_view(row_count, col_count, std::span<const Offset>(offsets), std::span<const Index>(rows_of_entries),
                 values_view<Value>(std::span<const Value>(all_values))) {
    detail::require_array_sizes(rows, cols, cols, column_offsets.size(), row_indices.size(), values.data.size());
  }

  /// Stored entries: explicit zeros count.
  [[nodiscard]] std::int64_t nnz() const { return static_cast<std::int64_t>(row_indices.size()); }
  /// Itself: functions take whatever has a view().
  [[nodiscard]] csc_view view() const { return *this; }
  /// The entries of column j of a valid matrix: `for (const auto [row, value] : a.column(j))`.
  [[nodiscard]] matrix_row<Value, Index> column(std::int64_t j) const {
    return {row_indices, values, static_cast<std::int64_t>(column_offsets[static_cast<std::size_t>(j)]),
            static_cast<std::int64_t>(column_offsets[static_cast<std::size_t>(j + 1)])};
  }
};
/// Types of a view follow from its arrays.
template <class Offsets, class Rows, class Values>
csc_view(std::int64_t, std::int64_t, const Offsets&, const Rows&, const Values&)
    -> csc_view<std::ranges::range_value_t<Values>, std::ranges::range_value_t<Rows>,
                std::ranges::range_value_t<Offsets>>;

/// A CSC matrix, owned. Any number of threads may read one matrix at a time.
template <value Value, index Index> struct csc_matrix {
  /// Type of the values.
  using value_type = Value;
  /// Type of the indices.
  using index_type = Index;
  /// Type of the offsets.
  using offset_type = std::int64_t;

  std::int64_t rows = 0;                                             ///< number of rows
  std::int64_t cols = 0;                                             ///< number of columns
  buffer<std::int64_t> column_offsets = buffer<std::int64_t>(1, 0);  ///< cols + 1, from 0 to nnz
  buffer<Index> row_indices;                                         ///< nnz
  values_array<Value> values;                                        ///< nnz, or one when iso

  /// Stored entries: explicit zeros count.
  [[nodiscard]] std::int64_t nnz() const { return row_indices.size(); }
  /// The arrays, borrowed; valid while the matrix lives and is not assigned to.
  [[nodiscard]] csc_view<Value, Index> view() const& {
    return {rows, cols, column_offsets, row_indices, values.view()};
  }
  /// A view of a temporary would outlive it: give the matrix a name.
  void view() const&& = delete;
  /// Whether sizes, arrays and values are equal, as they are stored: NaN differs from itself, -0 equals +0.
  [[nodiscard]] friend bool operator==(const csc_matrix&, const csc_matrix&) = default;
  /// The entries of column j of a valid matrix: `for (const auto [row, value] : a.column(j))`.
  [[nodiscard]] matrix_row<Value, Index> column(std::int64_t j) const& { return view().column(j); }
  /// The entries of a temporary would be gone: give the matrix a name.
  void column(std::int64_t j) const&& = delete;
};

}  // namespace lacis

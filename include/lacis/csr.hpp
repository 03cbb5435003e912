// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Compressed sparse rows: the format that every other one is made from and turned into.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <lacis/buffer.hpp>
#include <lacis/export.hpp>
#include <lacis/fwd.hpp>
#include <lacis/matrix_row.hpp>
#include <lacis/values.hpp>

namespace lacis {

namespace detail {

template <index Offset> inline constexpr Offset no_offsets[1] = {0};

/// An array that outlives the expression it stands in, with elements of type T. The concepts come with <span>.
template <class Range, class T>
concept array_of = std::ranges::contiguous_range<Range> && std::ranges::sized_range<Range> &&
                   std::ranges::borrowed_range<Range> && std::same_as<std::ranges::range_value_t<Range>, T>;

/// Throws error(invalid_matrix) where the arrays of a CSR or CSC matrix cannot have these sizes; `ranges` is the number
/// of rows or columns that offsets are needed for.
LACIS_API void require_array_sizes(std::int64_t rows, std::int64_t cols, std::int64_t ranges, std::size_t offsets,
                                   std::size_t indices, std::size_t values);

}  // namespace detail

/// A CSR matrix, borrowed. Row i owns the entries row_offsets[i] .. row_offsets[i + 1] of `columns` and `values`.
/// Rows need not be sorted, columns may repeat; *canonical* rows have strictly ascending columns (structure.hpp).
/// Offsets are 64-bit, or 32-bit as in SciPy, MKL and Eigen: products read either as they are, other functions make a
/// 64-bit copy of the offsets alone. Any number of threads may read one view at a time.
template <value Value, index Index, index Offset> struct csr_view {
  /// Type of the values.
  using value_type = Value;
  /// Type of the indices.
  using index_type = Index;
  /// Type of the offsets.
  using offset_type = Offset;

  std::int64_t rows = 0;                                             ///< number of rows
  std::int64_t cols = 0;                                             ///< number of columns
  std::span<const Offset> row_offsets = detail::no_offsets<Offset>;  ///< rows + 1, from 0 to nnz
  std::span<const Index> columns;                                    ///< nnz
  values_view<Value> values;                                         ///< nnz, or one when iso

  /// A matrix without rows and columns.
  csr_view() = default;
  /// The arrays as they are; functions check them.
  csr_view(std::int64_t row_count, std::int64_t col_count, std::span<const Offset> offsets,
           std::span<const Index> column_indices, values_view<Value> all_values)
      : rows(row_count), cols(col_count), row_offsets(offsets), columns(column_indices), values(all_values) {}
  /// From arrays of any kind (std::vector, std::array, std::span): `csr_view a(rows, cols, offsets, columns, values)`.
  /// Sizes that do not fit are error(invalid_matrix).
  template <detail::array_of<Offset> Offsets, detail::array_of<Index> Columns, detail::array_of<Value> Values>
  csr_view(std::int64_t row_count, std::int64_t col_count, Offsets&& offsets, Columns&& column_indices,
           Values&& all_values)
      : csr_view(row_count, col_count, std::span<const Offset>(offsets), std::span<const Index>(column_indices),
                 values_view<Value>(std::span<const Value>(all_values))) {
    detail::require_array_sizes(rows, cols, rows, row_offsets.size(), columns.size(), values.data.size());
  }

  /// Stored entries: explicit zeros count.
  [[nodiscard]] std::int64_t nnz() const { return static_cast<std::int64_t>(columns.size()); }
  /// Itself: functions take whatever has a view().
  [[nodiscard]] csr_view view() const { return *this; }
  /// The entries of row i of a valid matrix: `for (const auto [column, value] : a.row(i))`.
  [[nodiscard]] matrix_row<Value, Index> row(std::int64_t i) const {
    return {columns, values, static_cast<std::int64_t>(row_offsets[static_cast<std::size_t>(i)]),
            static_cast<std::int64_t>(row_offsets[static_cast<std::size_t>(i + 1)])};
  }
};
/// Types of a view follow from its arrays.
template <class Offsets, class Columns, class Values>
csr_view(std::int64_t, std::int64_t, const Offsets&, const Columns&, const Values&)
    -> csr_view<std::ranges::range_value_t<Values>, std::ranges::range_value_t<Columns>,
                std::ranges::range_value_t<Offsets>>;

/// A CSR matrix, owned. Vectors are taken over without a copy when they are moved in:
/// `csr_matrix a{rows, cols, std::move(offsets), std::move(columns), std::move(values)}`. Any number of threads may
/// read one matrix at a time.
template <value Value, index Index> struct csr_matrix {
  /// Type of the values.
  using value_type = Value;
  /// Type of the indices.
  using index_type = Index;
  /// Type of the offsets.
  using offset_type = std::int64_t;

  std::int64_t rows = 0;                                          ///< number of rows
  std::int64_t cols = 0;                                          ///< number of columns
  buffer<std::int64_t> row_offsets = buffer<std::int64_t>(1, 0);  ///< rows + 1, from 0 to nnz
  buffer<Index> columns;                                          ///< nnz
  values_array<Value> values;                                     ///< nnz, or one when iso

  /// Stored entries: explicit zeros count.
  [[nodiscard]] std::int64_t nnz() const { return columns.size(); }
  /// The arrays, borrowed; valid while the matrix lives and is not assigned to.
  [[nodiscard]] csr_view<Value, Index> view() const& {
    csr_view<Value, Index> all;
    all.rows = rows;
    all.cols = cols;
    all.row_offsets = detail::span_of(row_offsets);
    all.columns = detail::span_of(columns);
    all.values = values.view();
    return all;
  }
  /// A view of a temporary would outlive it: give the matrix a name.
  void view() const&& = delete;
  /// Whether sizes, arrays and values are equal, as they are stored: NaN differs from itself, -0 equals +0.
  [[nodiscard]] friend bool operator==(const csr_matrix&, const csr_matrix&) = default;
  /// The entries of row i of a valid matrix: `for (const auto [column, value] : a.row(i))`.
  [[nodiscard]] matrix_row<Value, Index> row(std::int64_t i) const& { return view().row(i); }
  /// The entries of a temporary would be gone: give the matrix a name.
  void row(std::int64_t i) const&& = delete;
};
/// Types of a matrix follow from the vectors that are moved in.
template <value Value, index Index>
csr_matrix(std::int64_t, std::int64_t, std::vector<std::int64_t>&&, std::vector<Index>&&, std::vector<Value>&&)
    -> csr_matrix<Value, Index>;

}  // namespace lacis

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Compressed sparse columns: CSR of the transpose, with the sizes of the matrix itself.
#pragma once

#include <cstdint>
#include <span>

#include <lacis/csr.hpp>

namespace lacis {

/// A CSC matrix, borrowed. Column j owns the entries column_offsets[j] .. column_offsets[j + 1] of `row_indices` and
/// `values`.
template <value Value, index Index = std::int32_t> struct csc_view {
  using value_type = Value;
  using index_type = Index;

  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::span<const std::int64_t> column_offsets = detail::no_rows;  ///< cols + 1, from 0 to nnz
  std::span<const Index> row_indices;                              ///< nnz
  values_view<Value> values;                                       ///< nnz, or one when iso

  [[nodiscard]] std::int64_t nnz() const { return static_cast<std::int64_t>(row_indices.size()); }
  [[nodiscard]] csc_view view() const { return *this; }
};

/// A CSC matrix, owned.
template <value Value, index Index = std::int32_t> struct csc_matrix {
  using value_type = Value;
  using index_type = Index;

  std::int64_t rows = 0;
  std::int64_t cols = 0;
  buffer<std::int64_t> column_offsets = buffer<std::int64_t>(1, 0);
  buffer<Index> row_indices;
  values_array<Value> values;

  [[nodiscard]] std::int64_t nnz() const { return row_indices.size(); }
  [[nodiscard]] csc_view<Value, Index> view() const& {
    return {rows, cols, column_offsets, row_indices, values.view()};
  }
  /// A view of a temporary would outlive it: give the matrix a name.
  void view() const&& = delete;
};

}  // namespace lacis

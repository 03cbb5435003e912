// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Compressed sparse rows: the format that every other one is made from and turned into.
#pragma once

#include <cstdint>
#include <span>

#include <lacis/buffer.hpp>
#include <lacis/types.hpp>
#include <lacis/values.hpp>

namespace lacis {

namespace detail {
inline constexpr std::int64_t no_rows[1] = {0};
}

/// A CSR matrix, borrowed. Row i owns the entries row_offsets[i] .. row_offsets[i + 1] of `columns` and `values`.
/// Rows need not be sorted, columns may repeat; *canonical* rows have strictly ascending columns (structure.hpp).
template <value Value, index Index = std::int32_t> struct csr_view {
  using value_type = Value;
  using index_type = Index;

  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::span<const std::int64_t> row_offsets = detail::no_rows;  ///< rows + 1, from 0 to nnz
  std::span<const Index> columns;                               ///< nnz
  values_view<Value> values;                                    ///< nnz, or one when iso

  [[nodiscard]] std::int64_t nnz() const { return static_cast<std::int64_t>(columns.size()); }
  [[nodiscard]] csr_view view() const { return *this; }
};

/// A CSR matrix, owned. Matrices and views of every format are plain data: threads may share one while none of them
/// changes it.
template <value Value, index Index = std::int32_t> struct csr_matrix {
  using value_type = Value;
  using index_type = Index;

  std::int64_t rows = 0;
  std::int64_t cols = 0;
  buffer<std::int64_t> row_offsets = buffer<std::int64_t>(1, 0);
  buffer<Index> columns;
  values_array<Value> values;

  [[nodiscard]] std::int64_t nnz() const { return columns.size(); }
  [[nodiscard]] csr_view<Value, Index> view() const& { return {rows, cols, row_offsets, columns, values.view()}; }
  /// A view of a temporary would outlive it: give the matrix a name.
  void view() const&& = delete;
};

}  // namespace lacis

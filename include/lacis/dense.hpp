// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A dense matrix, borrowed, in any layout with constant strides.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#include <lacis/export.hpp>

namespace lacis {

namespace detail {
/// Throws error(invalid_argument) when rows * cols elements do not fit `size`.
LACIS_API void require_dense(std::int64_t size, std::int64_t rows, std::int64_t cols);
}  // namespace detail

/// Element (i, j) is data[i * row_stride + j * col_stride]. Products are fastest where rows are contiguous.
template <class T> struct dense_view {
  /// Element (0, 0); borrowed.
  T* data = nullptr;
  /// Number of rows.
  std::int64_t rows = 0;
  /// Number of columns.
  std::int64_t cols = 0;
  /// Elements from one row to the next.
  std::int64_t row_stride = 0;
  /// Elements from one column to the next.
  std::int64_t col_stride = 0;

  /// Element (i, j); not checked.
  [[nodiscard]] T& operator()(std::int64_t i, std::int64_t j) const { return data[i * row_stride + j * col_stride]; }
  /// The same elements, to be read only.
  operator dense_view<const T>() const
    requires(!std::is_const_v<T>)
  {
    return {data, rows, cols, row_stride, col_stride};
  }
};

/// Row after row, as in C and NumPy.
template <class T> [[nodiscard]] dense_view<T> row_major(std::span<T> data, std::int64_t rows, std::int64_t cols) {
  detail::require_dense(static_cast<std::int64_t>(data.size()), rows, cols);
  return {data.data(), rows, cols, cols, 1};
}
/// Column after column, as in Fortran and BLAS.
template <class T> [[nodiscard]] dense_view<T> column_major(std::span<T> data, std::int64_t rows, std::int64_t cols) {
  detail::require_dense(static_cast<std::int64_t>(data.size()), rows, cols);
  return {data.data(), rows, cols, 1, rows};
}

}  // namespace lacis

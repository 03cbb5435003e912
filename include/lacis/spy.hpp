// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The raster of a spy plot: how many entries of a matrix fall into each cell of a coarse grid.
#pragma once

#include <cstdint>
#include <vector>

#include <lacis/any_csr.hpp>
#include <lacis/csr.hpp>
#include <lacis/export.hpp>
#include <lacis/wide_offsets.hpp>

namespace lacis {

/// Counts of entries in width x height cells. Cell (x, y) covers the matrix rows first_row(y) .. first_row(y + 1) and
/// columns first_col(x) .. first_col(x + 1), the last ones excluded; it covers at least one of each.
struct spy_raster {
  std::int64_t rows = 0;             ///< of the matrix
  std::int64_t cols = 0;             ///< of the matrix
  std::int64_t width = 0;            ///< cells per row of cells
  std::int64_t height = 0;           ///< rows of cells
  std::vector<std::int64_t> counts;  ///< one per cell, row by row from the top

  /// Entries in cell (x, y); x and y are not checked.
  [[nodiscard]] std::int64_t count(std::int64_t x, std::int64_t y) const {
    return counts[static_cast<std::size_t>(y * width + x)];
  }
  /// The first matrix row of cells (x, y); rows for y = height.
  [[nodiscard]] LACIS_API std::int64_t first_row(std::int64_t y) const;
  /// The first matrix column of cells (x, y); cols for x = width.
  [[nodiscard]] LACIS_API std::int64_t first_col(std::int64_t x) const;
  /// The count of a cell over the number of matrix positions that it covers.
  [[nodiscard]] LACIS_API double density(std::int64_t x, std::int64_t y) const;
  /// The largest density of a cell; 0 without entries.
  [[nodiscard]] LACIS_API double densest() const;
};

namespace detail {
template <class Value, class Index>
LACIS_API spy_raster spy(const csr_view<Value, Index>& a, std::int64_t width, std::int64_t height);
}

/// Counts the entries of a matrix on a grid of at most width x height cells: never more cells than rows or columns, and
/// none without rows or columns. Rows need not be sorted; a matrix that is not valid is error(invalid_matrix). O(nnz),
/// parallel over rows of cells; the same for any number of threads.
template <class Matrix> [[nodiscard]] spy_raster spy(const Matrix& a, std::int64_t width, std::int64_t height) {
  return detail::spy(detail::wide(a).view(), width, height);
}
/// The same for a matrix whose types are known at run time.
[[nodiscard]] LACIS_API spy_raster spy(const any_csr& matrix, std::int64_t width, std::int64_t height);

}  // namespace lacis

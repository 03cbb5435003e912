// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A matrix seen from far away: how many entries fall into each cell of a coarse grid.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lacis/types.hpp>

namespace lacis::plot {

/// Counts of entries in width x height cells, row by row from the top. Cell (x, y) covers the matrix rows from
/// edge(y, rows, height) to edge(y + 1, rows, height), and columns likewise; it covers at least one of each.
struct raster {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t width = 0;
  std::int64_t height = 0;
  std::vector<std::int64_t> counts;

  [[nodiscard]] std::int64_t count(std::int64_t x, std::int64_t y) const {
    return counts[static_cast<std::size_t>(y * width + x)];
  }
  /// The share of the places in a cell that hold an entry; the mean of its places where values were summed.
  [[nodiscard]] double density(std::int64_t x, std::int64_t y) const;
  /// The largest density of any cell; 0 without entries.
  [[nodiscard]] double densest() const;
};

/// The first of `size` elements that falls into cell `cell` of `cells`.
[[nodiscard]] std::int64_t edge(std::int64_t cell, std::int64_t size, std::int64_t cells);

/// Counts the entries of a CSR matrix on a grid of at most width x height cells: never more cells than rows or columns.
/// O(nnz), parallel over rows of cells.
template <index Index>
[[nodiscard]] raster spy_raster(std::int64_t rows, std::int64_t cols, std::span<const std::int64_t> row_offsets,
                                std::span<const Index> columns, std::int64_t width, std::int64_t height);

/// The same with the sums of values instead of counts: `values` are integers from 0 on, one per entry.
[[nodiscard]] raster sum_raster(std::int64_t rows, std::int64_t cols, std::span<const std::int64_t> row_offsets,
                                std::span<const std::int32_t> columns, std::span<const double> values,
                                std::int64_t width, std::int64_t height);

/// How densities become shades: logarithmic from densest / range, which is still well seen, up to densest.
struct tone {
  double densest = 1;
  double range = 10;

  /// 0 for an empty cell, 1 for the densest.
  [[nodiscard]] double shade(double density) const;
};

/// The range from the sparsest cell with an entry to the densest, but at least ten and at most a thousand: noise is not
/// drawn as contrast, and a thousandth of the darkest is seen.
[[nodiscard]] tone tone_of(const raster& picture);

/// The shade of every cell, row by row.
[[nodiscard]] std::vector<float> shades(const raster& picture);

}  // namespace lacis::plot

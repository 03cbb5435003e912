// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Counting entries into the cells of a grid.
#include "plot/raster.hpp"

#include <algorithm>
#include <cmath>

namespace lacis::plot {
namespace {

__extension__ typedef unsigned __int128 wide;

/// floor(i * cells / size) for 0 <= i < size and cells <= size, by one multiplication where that is exact.
class cell_of {
 public:
  cell_of(std::int64_t size, std::int64_t cells)
      : size_(static_cast<std::uint64_t>(size)),
        cells_(static_cast<std::uint64_t>(cells)),
        // The reciprocal is rounded up by less than 1: i times that stays below 2^63 / size while i * size < 2^63.
        reciprocal_(static_cast<std::uint64_t>(((wide{cells_} << 63) + size_ - 1) / size_)),
        exact_(size_ <= std::uint64_t{1} << 31) {}

  [[nodiscard]] std::int64_t operator()(std::int64_t i) const {
    const auto wide_i = static_cast<wide>(i);
    return static_cast<std::int64_t>(exact_ ? wide_i * reciprocal_ >> 63 : wide_i * cells_ / size_);
  }

 private:
  std::uint64_t size_;
  std::uint64_t cells_;
  std::uint64_t reciprocal_;
  bool exact_;
};

constexpr std::int64_t parallel_entries = 1 << 18;

}  // namespace

std::int64_t edge(std::int64_t cell, std::int64_t size, std::int64_t cells) {
  return static_cast<std::int64_t>((static_cast<wide>(cell) * static_cast<wide>(size) + static_cast<wide>(cells) - 1) /
                                   static_cast<wide>(cells));
}

double raster::density(std::int64_t x, std::int64_t y) const {
  const std::int64_t tall = edge(y + 1, rows, height) - edge(y, rows, height);
  const std::int64_t broad = edge(x + 1, cols, width) - edge(x, cols, width);
  return static_cast<double>(count(x, y)) / (static_cast<double>(tall) * static_cast<double>(broad));
}

double raster::densest() const {
  double most = 0;
  for (std::int64_t y = 0; y < height; ++y)
    for (std::int64_t x = 0; x < width; ++x) most = std::max(most, density(x, y));
  return most;
}

namespace {

/// add(count, k) for every entry k, on the count of its cell.
template <index Index, class Add>
raster filled(std::int64_t rows, std::int64_t cols, std::span<const std::int64_t> row_offsets,
              std::span<const Index> columns, std::int64_t width, std::int64_t height, const Add& add) {
  raster picture{rows, cols, std::min(width, cols), std::min(height, rows), {}};
  if (picture.width <= 0 || picture.height <= 0) return {rows, cols, 0, 0, {}};
  picture.counts.resize(static_cast<std::size_t>(picture.width * picture.height));
  const cell_of column_cell(cols, picture.width);
  [[maybe_unused]] const bool large = static_cast<std::int64_t>(columns.size()) >= parallel_entries;
#pragma omp parallel for schedule(dynamic) if (large)
  for (std::int64_t y = 0; y < picture.height; ++y) {
    std::int64_t* const line = picture.counts.data() + y * picture.width;
    const std::int64_t first = row_offsets[static_cast<std::size_t>(edge(y, rows, picture.height))];
    const std::int64_t last = row_offsets[static_cast<std::size_t>(edge(y + 1, rows, picture.height))];
    for (std::int64_t k = first; k < last; ++k) add(line[column_cell(columns[static_cast<std::size_t>(k)])], k);
  }
  return picture;
}

}  // namespace

template <index Index>
raster spy_raster(std::int64_t rows, std::int64_t cols, std::span<const std::int64_t> row_offsets,
                  std::span<const Index> columns, std::int64_t width, std::int64_t height) {
  return filled(rows, cols, row_offsets, columns, width, height, [](std::int64_t& count, std::int64_t) { ++count; });
}

raster sum_raster(std::int64_t rows, std::int64_t cols, std::span<const std::int64_t> row_offsets,
                  std::span<const std::int32_t> columns, std::span<const double> values, std::int64_t width,
                  std::int64_t height) {
  return filled(rows, cols, row_offsets, columns, width, height, [&](std::int64_t& count, std::int64_t k) {
    count += static_cast<std::int64_t>(values[static_cast<std::size_t>(k)]);
  });
}

template raster spy_raster(std::int64_t, std::int64_t, std::span<const std::int64_t>, std::span<const std::int32_t>,
                           std::int64_t, std::int64_t);
template raster spy_raster(std::int64_t, std::int64_t, std::span<const std::int64_t>, std::span<const std::int64_t>,
                           std::int64_t, std::int64_t);

double tone::shade(double density) const {
  return density > 0 ? std::log1p(range * density / densest) / std::log1p(range) : 0;
}

tone tone_of(const raster& picture) {
  const double densest = picture.densest();
  if (densest <= 0) return {densest, 10};
  double sparsest = densest;
  for (std::int64_t y = 0; y < picture.height; ++y)
    for (std::int64_t x = 0; x < picture.width; ++x)
      if (picture.count(x, y) > 0) sparsest = std::min(sparsest, picture.density(x, y));
  return {densest, std::clamp(densest / sparsest, 10.0, 1000.0)};
}

std::vector<float> shades(const raster& picture) {
  const tone scale = tone_of(picture);
  std::vector<float> all(picture.counts.size());
  for (std::int64_t y = 0; y < picture.height; ++y)
    for (std::int64_t x = 0; x < picture.width; ++x)
      all[static_cast<std::size_t>(y * picture.width + x)] = static_cast<float>(scale.shade(picture.density(x, y)));
  return all;
}

}  // namespace lacis::plot

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Counting entries into the cells of a grid.
#include "structure/spy.hpp"

#include <algorithm>
#include <atomic>
#include <variant>

#include "base/checked.hpp"
#include "base/instantiate.hpp"
#include "base/interruption.hpp"
#include "base/parallel.hpp"
#include "formats/order_rows.hpp"

namespace lacis {
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

/// The first of `size` rows or columns that falls into cell `cell` of `cells`.
std::int64_t edge(std::int64_t cell, std::int64_t size, std::int64_t cells) {
  return static_cast<std::int64_t>((static_cast<wide>(cell) * static_cast<wide>(size) + static_cast<wide>(cells) - 1) /
                                   static_cast<wide>(cells));
}

/// add(count, k) for every entry k, on the count of its cell. A thread takes one row of cells after the other.
template <class Value, class Index, class Add>
spy_raster filled(const csr_view<Value, Index>& a, std::int64_t width, std::int64_t height, const Add& add) {
  detail::require_inside(a);
  spy_raster picture{a.rows, a.cols, std::min(width, a.cols), std::min(height, a.rows), {}};
  if (picture.width <= 0 || picture.height <= 0) return {a.rows, a.cols, 0, 0, {}};
  picture.counts.resize(
      static_cast<std::size_t>(detail::checked_multiply(picture.width, picture.height, "the cells of a raster")));
  const cell_of column_cell(a.cols, picture.width);
  std::atomic<std::int64_t> next{0};
  const detail::stop_check stop;
  detail::on_threads(detail::threads_for(a.nnz()), [&](int, int) {
    for (std::int64_t y = next++; y < picture.height; y = next++) {
      stop();
      std::int64_t* const line = picture.counts.data() + y * picture.width;
      const std::int64_t first = a.row_offsets[static_cast<std::size_t>(picture.first_row(y))];
      const std::int64_t last = a.row_offsets[static_cast<std::size_t>(picture.first_row(y + 1))];
      for (std::int64_t k = first; k < last; ++k) add(line[column_cell(a.columns[static_cast<std::size_t>(k)])], k);
    }
  });
  return picture;
}

}  // namespace

std::int64_t spy_raster::first_row(std::int64_t y) const { return edge(y, rows, height); }
std::int64_t spy_raster::first_col(std::int64_t x) const { return edge(x, cols, width); }

double spy_raster::density(std::int64_t x, std::int64_t y) const {
  const std::int64_t tall = first_row(y + 1) - first_row(y);
  const std::int64_t broad = first_col(x + 1) - first_col(x);
  return static_cast<double>(count(x, y)) / (static_cast<double>(tall) * static_cast<double>(broad));
}

double spy_raster::densest() const {
  double most = 0;
  for (std::int64_t y = 0; y < height; ++y)
    for (std::int64_t x = 0; x < width; ++x) most = std::max(most, density(x, y));
  return most;
}

namespace detail {

template <class Value, class Index>
spy_raster spy(const csr_view<Value, Index>& a, std::int64_t width, std::int64_t height) {
  return filled(a, width, height, [](std::int64_t& count, std::int64_t) { ++count; });
}

spy_raster sum_raster(const csr_view<double, std::int32_t>& a, std::int64_t width, std::int64_t height) {
  return filled(a, width, height,
                [&](std::int64_t& count, std::int64_t k) { count += static_cast<std::int64_t>(a.values[k]); });
}

#define LACIS_SPY(Value, Index) \
  template LACIS_API spy_raster spy(const csr_view<Value, Index>&, std::int64_t, std::int64_t);
LACIS_FOR_EACH_TYPE(LACIS_SPY)

}  // namespace detail

spy_raster spy(const any_csr& matrix, std::int64_t width, std::int64_t height) {
  return std::visit([&](const auto& a) { return detail::spy(a.view(), width, height); }, matrix);
}

}  // namespace lacis

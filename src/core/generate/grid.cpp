// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// @poisson2d, @poisson3d, @stencil27: finite differences on a square or a cube, numbered line by line.
#include <limits>

#include "base/checked.hpp"
#include "generate/generator.hpp"

namespace lacis::detail {
namespace {

/// A cell of a grid of n x n x depth cells and how far it may go in each direction.
struct cell {
  cell(std::int64_t number, std::int64_t n, std::int64_t depth) : left(number % n > 0), right(number % n < n - 1) {
    const std::int64_t line = number / n;
    front = line % n > 0;
    back = line % n < n - 1;
    below = line / n > 0;
    above = line / n < depth - 1;
  }
  bool left, right, front, back, below, above;
};

/// A cell and those that share a face with it.
struct face_neighbours {
  std::int64_t n;
  std::int64_t depth;

  [[nodiscard]] std::int64_t length(std::int64_t i) const {
    const cell c(i, n, depth);
    return 1 + c.left + c.right + c.front + c.back + c.below + c.above;
  }
  template <index Index> void write(std::int64_t i, Index* out) const {
    const cell c(i, n, depth);
    if (c.below) *out++ = static_cast<Index>(i - n * n);
    if (c.front) *out++ = static_cast<Index>(i - n);
    if (c.left) *out++ = static_cast<Index>(i - 1);
    *out++ = static_cast<Index>(i);
    if (c.right) *out++ = static_cast<Index>(i + 1);
    if (c.back) *out++ = static_cast<Index>(i + n);
    if (c.above) *out++ = static_cast<Index>(i + n * n);
  }
};

/// A cell and those that share a face, an edge or a corner with it.
struct all_neighbours {
  std::int64_t n;
  std::int64_t depth;

  [[nodiscard]] std::int64_t length(std::int64_t i) const {
    const cell c(i, n, depth);
    return std::int64_t{1 + c.left + c.right} * (1 + c.front + c.back) * (1 + c.below + c.above);
  }
  template <index Index> void write(std::int64_t i, Index* out) const {
    const cell c(i, n, depth);
    for (std::int64_t plane = c.below ? i - n * n : i; plane <= (c.above ? i + n * n : i); plane += n * n)
      for (std::int64_t line = c.front ? plane - n : plane; line <= (c.back ? plane + n : plane); line += n)
        for (std::int64_t j = c.left ? line - 1 : line; j <= (c.right ? line + 1 : line); ++j)
          *out++ = static_cast<Index>(j);
  }
};

/// The grid's length, when its cells and their `most_in_row` entries each fit 64 bits.
template <int Dimensions> std::int64_t read_length(const argument_reader& arguments, std::int64_t most_in_row) {
  const std::int64_t n = arguments.whole(0, "N", 1, std::numeric_limits<std::int64_t>::max());
  std::int64_t cells = n;
  for (int d = 1; d < Dimensions; ++d) cells = checked_multiply(cells, n, arguments.naming("rows"));
  static_cast<void>(checked_multiply(cells, most_in_row, arguments.naming("entries")));
  return n;
}

template <int Dimensions, class Neighbours, std::int64_t Diagonal> struct grid {
  static matrix_size size(const argument_reader& arguments) {
    const std::int64_t n = read_length<Dimensions>(arguments, Diagonal + 1);
    const std::int64_t cells = Dimensions == 2 ? n * n : n * n * n;
    return {cells, cells};
  }
  template <index Index>
  static made_places<Index> make(const argument_reader& arguments, std::uint64_t, row_range rows,
                                 const progress& report) {
    const std::int64_t n = read_length<Dimensions>(arguments, Diagonal + 1);
    const matrix_size cells = size(arguments);
    const Neighbours neighbours{n, Dimensions == 2 ? 1 : n};
    return {build_rows<Index>(rows, cells.cols, neighbours, report), {natural_values::laplacian, Diagonal, true}};
  }
};

using poisson2d = grid<2, face_neighbours, 4>;
using poisson3d = grid<3, face_neighbours, 6>;
using stencil27 = grid<3, all_neighbours, 26>;

}  // namespace

constinit const generator poisson2d_generator{
    {"poisson2d", "N", "Poisson's equation on N x N cells, 5 points: 4 and -1"},
    1,
    1,
    poisson2d::size,
    poisson2d::make<std::int32_t>,
    poisson2d::make<std::int64_t>};

constinit const generator poisson3d_generator{
    {"poisson3d", "N", "Poisson's equation on N x N x N cells, 7 points: 6 and -1"},
    1,
    1,
    poisson3d::size,
    poisson3d::make<std::int32_t>,
    poisson3d::make<std::int64_t>};

constinit const generator stencil27_generator{
    {"stencil27", "N", "N x N x N cells and all their neighbours, 27 points: 26 and -1"},
    1,
    1,
    stencil27::size,
    stencil27::make<std::int32_t>,
    stencil27::make<std::int64_t>};

}  // namespace lacis::detail

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// @mesh3d: an unstructured tetrahedral mesh of a cube, as the matrix of its edges.
#include <algorithm>
#include <limits>
#include <optional>

#include "base/checked.hpp"
#include "generate/generator.hpp"
#include "generate/random.hpp"

namespace lacis::detail {
namespace {

constexpr std::int64_t most_in_row = 27;  // 6 edges along the axes, 12 diagonals, 8 centres and the vertex itself

/// A vertex of the mesh: the corner (x, y, z) of the grid of cells, or the centre of cell (x, y, z).
struct vertex {
  std::int64_t x, y, z;
  bool centre;
};

/// N^3 corners and (N - 1)^3 cells. Each square between cells has one diagonal, chosen at random, and each cell is cut
/// into the 12 tetrahedra that its centre spans with the halves of its squares. Vertices are numbered along lines in x,
/// each cell's centre after the cell's first corner, so neighbours have near numbers where the grid has.
class mesh {
 public:
  mesh(std::int64_t n, std::uint64_t seed)
      : n_(n), line_(2 * n - 1), plane_((n - 1) * line_ + n), faces_(seed, purpose::faces) {}

  [[nodiscard]] std::int64_t number(const vertex& v) const {
    if (v.z == n_ - 1) return v.z * plane_ + v.y * n_ + v.x;
    const std::int64_t line = v.z * plane_ + v.y * line_;
    return v.y == n_ - 1 ? line + v.x : line + 2 * v.x + v.centre;
  }

  [[nodiscard]] vertex locate(std::int64_t i) const {
    const std::int64_t z = i / plane_;
    const std::int64_t in_plane = i % plane_;
    if (z == n_ - 1) return {in_plane % n_, in_plane / n_, z, false};
    const std::int64_t y = in_plane / line_;
    const std::int64_t in_line = in_plane % line_;
    if (y == n_ - 1) return {in_line, y, z, false};
    return {in_line / 2, y, z, in_line % 2 == 1};
  }

  /// visit(w) for the vertex itself and all that share an edge with it, in order of their numbers.
  template <class Visit> void visit_neighbours(const vertex& v, Visit&& visit) const {
    if (v.centre) {
      for (const std::int64_t dz : {0, 1})
        for (const std::int64_t dy : {0, 1}) {
          visit(vertex{v.x, v.y + dy, v.z + dz, false});
          if (dy + dz == 0) visit(v);
          visit(vertex{v.x + 1, v.y + dy, v.z + dz, false});
        }
      return;
    }
    for (std::int64_t z = std::max<std::int64_t>(0, v.z - 1); z <= std::min(n_ - 1, v.z + 1); ++z)
      for (std::int64_t y = std::max<std::int64_t>(0, v.y - 1); y <= std::min(n_ - 1, v.y + 1); ++y) {
        const bool cells = z <= v.z && z < n_ - 1 && y <= v.y && y < n_ - 1;
        for (std::int64_t x = std::max<std::int64_t>(0, v.x - 1); x <= std::min(n_ - 1, v.x + 1); ++x) {
          if (joined(v, x, y, z)) visit(vertex{x, y, z, false});
          if (cells && x <= v.x && x < n_ - 1) visit(vertex{x, y, z, true});
        }
      }
  }

 private:
  /// Whether corner v is corner (x, y, z), or an edge joins them.
  [[nodiscard]] bool joined(const vertex& v, std::int64_t x, std::int64_t y, std::int64_t z) const {
    const int moved = (x != v.x) + (y != v.y) + (z != v.z);
    if (moved != 2) return moved < 2;
    const std::uint64_t across = x == v.x ? 0 : y == v.y ? 1 : 2;
    const bool rising = x == v.x ? (y > v.y) == (z > v.z) : (x > v.x) == (y == v.y ? z > v.z : y > v.y);
    const auto face = static_cast<std::uint64_t>((std::min(z, v.z) * n_ + std::min(y, v.y)) * n_ + std::min(x, v.x));
    return ((faces_(3 * face + across) >> 63) != 0) == rising;
  }

  std::int64_t n_;
  std::int64_t line_;   // vertices on a line that has cells
  std::int64_t plane_;  // vertices on a plane that has cells
  random_words faces_;
};

class mesh_rows {
 public:
  mesh_rows(std::int64_t n, std::uint64_t seed) : mesh_(n, seed) {}
  mesh_rows(std::int64_t n, std::uint64_t seed, const bijection& order) : mesh_(n, seed), order_(order) {}

  [[nodiscard]] std::int64_t length(std::int64_t i) const {
    std::int64_t count = 0;
    mesh_.visit_neighbours(at(i), [&](const vertex&) { ++count; });
    return count;
  }
  template <index Index> void write(std::int64_t i, Index* out) const {
    Index* end = out;
    mesh_.visit_neighbours(at(i), [&](const vertex& v) {
      *end++ = static_cast<Index>(order_ ? (*order_)(mesh_.number(v)) : mesh_.number(v));
    });
    if (order_) std::sort(out, end);
  }

 private:
  [[nodiscard]] vertex at(std::int64_t i) const { return mesh_.locate(order_ ? order_->inverse(i) : i); }

  mesh mesh_;
  std::optional<bijection> order_;
};

struct shape {
  std::int64_t n;
  std::int64_t vertices;
  bool shuffled;
};

shape read(const argument_reader& arguments) {
  shape s{};
  s.n = arguments.whole(0, "N", 1, std::numeric_limits<std::int64_t>::max());
  const auto cube = [&](std::int64_t length) {
    const std::string what = arguments.naming("rows");
    return checked_multiply(checked_multiply(length, length, what), length, what);
  };
  s.vertices = checked_add(cube(s.n), cube(s.n - 1), arguments.naming("rows"));
  s.shuffled = arguments.flag(1, "shuffled");
  static_cast<void>(checked_multiply(s.vertices, most_in_row, arguments.naming("entries")));
  return s;
}

matrix_size size(const argument_reader& arguments) {
  const shape s = read(arguments);
  return {s.vertices, s.vertices};
}

template <index Index>
made_places<Index> make(const argument_reader& arguments, std::uint64_t seed, row_range rows, const progress& report) {
  const shape s = read(arguments);
  const mesh_rows source =
      s.shuffled ? mesh_rows(s.n, seed, {s.vertices, random_words(seed, purpose::permutation)}) : mesh_rows(s.n, seed);
  return {build_rows<Index>(rows, s.vertices, source, report), {natural_values::laplacian, 0, true}};
}

}  // namespace

constinit const generator mesh3d_generator{
    {"mesh3d", "N[,shuffled]",
     "edges of an unstructured tetrahedral mesh with N^3 + (N-1)^3 vertices: degree + 1 and -1; or numbered at random"},
    1,
    2,
    size,
    make<std::int32_t>,
    make<std::int64_t>};

}  // namespace lacis::detail

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// An elastic plate of springs, held on its left edge and pulled on its right one: multigrid that knows its rigid
// motions.
#include <cstdio>
#include <vector>

#include <lacis/lacis.hpp>

constexpr std::int64_t width = 80;  // points in a row; two displacements each
constexpr std::int64_t points = width * width;

/// Adds a spring between two points, in the direction (dx, dy).
template <class Inserter> void spring(Inserter& put, std::int64_t one, std::int64_t other, double dx, double dy) {
  const double direction[] = {dx, dy};
  for (int r = 0; r < 2; ++r)
    for (int c = 0; c < 2; ++c) {
      const double k = direction[r] * direction[c] / (dx * dx + dy * dy);
      put(2 * one + r, 2 * one + c, k);
      put(2 * other + r, 2 * other + c, k);
      put(2 * one + r, 2 * other + c, -k);
      put(2 * other + r, 2 * one + c, -k);
    }
}

int main() {
  lacis::builder<double> plate(2 * points, 2 * points);
  auto put = plate.inserter();
  std::vector<double> motions(6 * points, 0.0);  // along x, along y, a rotation: one vector after the other
  std::vector<double> force(2 * points, 0.0);
  for (std::int64_t i = 0; i < points; ++i) {
    const std::int64_t x = i % width;
    const std::int64_t y = i / width;
    if (x + 1 < width) spring(put, i, i + 1, 1, 0);
    if (y + 1 < width) spring(put, i, i + width, 0, 1);
    if (x + 1 < width && y + 1 < width) spring(put, i, i + width + 1, 1, 1);
    if (x > 0 && y + 1 < width) spring(put, i, i + width - 1, -1, 1);
    if (x == 0) put(2 * i, 2 * i, 4.0), put(2 * i + 1, 2 * i + 1, 4.0);
    if (x == width - 1) force[2 * i] = 1;
    motions[2 * i] = motions[2 * points + 2 * i + 1] = 1;
    motions[4 * points + 2 * i] = -static_cast<double>(y);
    motions[4 * points + 2 * i + 1] = static_cast<double>(x);
  }
  const auto stiffness = plate.build();

  lacis::preconditioner_options options{.kind = lacis::preconditioner_kind::amg};
  options.multigrid.block = 2;                  // rows per point
  options.multigrid.near_null_space = motions;  // three vectors, one after the other
  const auto elastic = lacis::make_preconditioner(stiffness, options);

  std::vector<double> moved(2 * points);
  const auto report = lacis::cg(lacis::multiply_inspect(stiffness), force, moved, {.preconditioner = elastic});
  std::printf("%s after %lld iterations; the middle of the pulled edge moves by %.3f\n",
              report.converged() ? "solved" : "NOT solved", static_cast<long long>(report.iterations),
              moved[2 * (width / 2 * width + width - 1)]);
  return report.converged() ? 0 : 1;
}

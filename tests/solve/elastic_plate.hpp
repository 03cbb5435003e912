// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A plate of springs, for the tests of multigrid.
#pragma once

#include <cstdint>
#include <vector>

#include <lacis/builder.hpp>
#include <lacis/csr.hpp>

namespace lacis::test {

/// Neighbours along edges and diagonals of a square grid, joined by springs; the left side is held. Two rows per node.
inline csr_matrix<double> springs(std::int64_t n) {
  builder<double> all(2 * n * n, 2 * n * n);
  auto put = all.inserter();
  const auto spring = [&](std::int64_t one, std::int64_t other, double dx, double dy) {
    const double direction[] = {dx, dy};
    const double stiffness = 1 / (dx * dx + dy * dy);
    for (int r = 0; r < 2; ++r)
      for (int c = 0; c < 2; ++c) {
        const double value = stiffness * direction[r] * direction[c];
        put(2 * one + r, 2 * one + c, value);
        put(2 * other + r, 2 * other + c, value);
        put(2 * one + r, 2 * other + c, -value);
        put(2 * other + r, 2 * one + c, -value);
      }
  };
  for (std::int64_t y = 0; y < n; ++y)
    for (std::int64_t x = 0; x < n; ++x) {
      const std::int64_t here = y * n + x;
      if (x + 1 < n) spring(here, here + 1, 1, 0);
      if (y + 1 < n) spring(here, here + n, 0, 1);
      if (x + 1 < n && y + 1 < n) spring(here, here + n + 1, 1, 1);
      if (x > 0 && y + 1 < n) spring(here, here + n - 1, -1, 1);
      if (x == 0)
        for (int r = 0; r < 2; ++r) put(2 * here + r, 2 * here + r, 4);
    }
  return all.build();
}

/// Both translations and the rotation of that grid.
inline std::vector<double> rigid_motions(std::int64_t n) {
  const std::int64_t rows = 2 * n * n;
  std::vector<double> all(static_cast<std::size_t>(3 * rows), 0);
  for (std::int64_t i = 0; i < n * n; ++i) {
    all[static_cast<std::size_t>(2 * i)] = 1;
    all[static_cast<std::size_t>(rows + 2 * i + 1)] = 1;
    all[static_cast<std::size_t>(2 * rows + 2 * i)] = -static_cast<double>(i / n);
    all[static_cast<std::size_t>(2 * rows + 2 * i + 1)] = static_cast<double>(i % n);
  }
  return all;
}

}  // namespace lacis::test

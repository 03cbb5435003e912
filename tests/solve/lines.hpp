// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A grid whose lines are coupled more than its columns, for the tests of multigrid.
#pragma once

#include <cmath>
#include <cstdint>

#include <lacis/builder.hpp>
#include <lacis/csr.hpp>

namespace lacis::test {

/// `lines` lines of n cells: `along` couples neighbours in a line, `across` cells of neighbouring lines. `next` couples
/// each with the cell after that one across. The sum of a row is zero, or what a wall takes at the ends of a line.
inline csr_matrix<double> lines(std::int64_t n, std::int64_t lines, double along, double across, double next = 0) {
  builder<double> all(n * lines, n * lines);
  auto put = all.inserter();
  const auto couple = [&](std::int64_t i, std::int64_t j, double value) {
    for (const std::int64_t k : {i, j}) {
      put(k, i + j - k, value);
      put(k, k, -value);
    }
  };
  for (std::int64_t l = 0; l < lines; ++l)
    for (std::int64_t c = 0; c < n; ++c) {
      const std::int64_t i = l * n + c;
      put(i, i, c == 0 || c + 1 == n ? std::abs(along) : 0);
      if (c + 1 < n) couple(i, i + 1, along);
      if (l + 1 < lines) couple(i, i + n, across);
      if (next != 0 && l + 2 < lines) couple(i, i + 2 * n, next);
    }
  return all.build();
}

}  // namespace lacis::test

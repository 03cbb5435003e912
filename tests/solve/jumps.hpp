// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Diffusion through two materials, for the tests of multigrid.
#pragma once

#include <cstdint>

#include <lacis/builder.hpp>
#include <lacis/csr.hpp>

namespace lacis::test {

/// n x n cells in blocks of 8 x 8, each of conductivity 1 or `high` as a hash says; fluxes by harmonic means, zero all
/// round.
inline csr_matrix<double> jumps(std::int64_t n, double high) {
  const auto conductivity = [&](std::int64_t i, std::int64_t j) {
    const auto block = static_cast<std::uint64_t>(i / 8 * 7919 + j / 8 + 1);
    return (block * 0x9e3779b97f4a7c15U) >> 63 != 0 ? high : 1.0;
  };
  builder<double> all(n * n, n * n);
  auto put = all.inserter();
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      const double here = conductivity(i, j);
      const std::int64_t neighbours[4][2] = {{i - 1, j}, {i + 1, j}, {i, j - 1}, {i, j + 1}};
      for (const auto& [k, l] : neighbours) {
        const bool is_inside = k >= 0 && k < n && l >= 0 && l < n;
        const double there = is_inside ? conductivity(k, l) : here;
        const double flux = is_inside ? 2 * (here * there) / (here + there) : 2 * here;
        put(i * n + j, i * n + j, flux);
        if (is_inside) put(i * n + j, k * n + l, -flux);
      }
    }
  return all.build();
}

}  // namespace lacis::test

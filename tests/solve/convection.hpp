// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A matrix that is not symmetric, for the tests of multigrid.
#pragma once

#include <cstdint>
#include <string>

#include <lacis/csr.hpp>
#include <lacis/generate.hpp>

namespace lacis::test {

/// Diffusion on n x n cells, and a wind along the rows that upwind differences follow.
inline csr_matrix<double> convection(std::int64_t n, double wind) {
  auto a = generate<double, std::int32_t>("@poisson2d:" + std::to_string(n));
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) {
      if (a.columns[k] == i) a.values.data[k] += wind;
      if (a.columns[k] == i - 1) a.values.data[k] -= wind;
    }
  return a;
}

}  // namespace lacis::test

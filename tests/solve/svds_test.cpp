// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Singular values that are known in closed form, within the bound that the residual gives.
#include <cmath>
#include <gtest/gtest.h>

#include <lacis/eigs.hpp>
#include <lacis/error.hpp>
#include <lacis/structure.hpp>

#include "solve/spectra.hpp"

namespace lacis::test {
namespace {

TEST(Svds, ASingularValueAndItsVectorsFitTheMatrix) {
  // B^T B of the n x (n + 1) difference matrix is the path, B B^T the line: singular values are 2 sin of the angles.
  const std::int64_t n = 120;
  std::vector<std::vector<std::pair<int, double>>> rows;
  for (int i = 0; i < n; ++i) rows.push_back({{i, -1.0}, {i + 1, 1.0}});
  csr_matrix<double> wide = from_entries<double>(n, rows);
  wide.cols = n + 1;
  const csr_matrix<double> tall = transpose(wide);
  auto values = line_values(n);
  for (const csr_matrix<double>* a : {static_cast<const csr_matrix<double>*>(&wide), &tall}) {
    const auto found = svds(multiply_inspect(*a, {.transpose = true}), 4);
    EXPECT_TRUE(found.converged()) << found.reason;
    ASSERT_EQ(found.values.size(), 4U);
    for (std::size_t k = 0; k < 4; ++k) {
      const double expected = std::sqrt(values[values.size() - 1 - k]);
      EXPECT_NEAR(found.values[k], expected, found.residuals[k] + rounding<double>(2, 1));
      EXPECT_LE(found.residuals[k], 1e-8 * found.values[k]);
      const double* const u = found.left.data() + static_cast<std::int64_t>(k) * a->rows;
      const double* const v = found.right.data() + static_cast<std::int64_t>(k) * a->cols;
      double off = 0;
      for (std::int64_t i = 0; i < a->rows; ++i) {
        double sum = -found.values[k] * u[i];
        for (std::int64_t e = a->row_offsets[i]; e < a->row_offsets[i + 1]; ++e) sum += a->values[e] * v[a->columns[e]];
        off += sum * sum;
      }
      EXPECT_LE(std::sqrt(off), found.residuals[k] + rounding<double>(2, n));
    }
  }
  EXPECT_THROW(static_cast<void>(svds(multiply_inspect(wide, {.transpose = true}), n + 1)), error);
}

TEST(Svds, ARankOneMatrixHasOneSingularValue) {
  std::vector<std::vector<std::pair<int, double>>> rows(70);
  for (auto& row : rows)
    for (int j = 0; j < 70; ++j) row.emplace_back(j, 1.0);
  const auto plan = multiply_inspect(from_entries<double>(70, rows), {.transpose = true});
  const auto one = svds(plan, 1);
  EXPECT_TRUE(one.converged()) << one.reason;
  EXPECT_NEAR(one.values[0], 70, one.residuals[0] + rounding<double>(70, 1));
}

}  // namespace
}  // namespace lacis::test

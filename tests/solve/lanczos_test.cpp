// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Lanczos with two vectors per step: copies of eigenvalues, start vectors, and what the iteration knows of residuals.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

#include <lacis/eigs.hpp>

#include "solve/spectra.hpp"

namespace lacis::test {
namespace {

std::vector<double> counted(std::size_t size) {
  std::vector<double> all(size);
  for (std::size_t i = 0; i < size; ++i) all[i] = static_cast<double>(i);
  return all;
}

eigen_options<double> largest() {
  eigen_options<double> options;
  options.part = eigen_part::largest;
  options.method = eigen_method::lanczos;
  return options;
}

void expect_values(const eigen_result<double>& found, const std::vector<double>& expected) {
  ASSERT_TRUE(found.converged()) << found.reason;
  ASSERT_EQ(found.values.size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k)
    EXPECT_LE(std::fabs(found.values[k] - expected[k]), found.residuals[k] + 1e-12 * expected.back()) << k;
}

TEST(Lanczos, FindsAsManyCopiesAsAStepHasVectorsAndOneMore) {
  std::vector<double> entries = counted(300);
  entries[20] = entries[150] = 350;
  entries[70] = entries[71] = entries[299] = 400;
  expect_values(eigs(multiply_inspect(diagonal(entries)), 6, largest()), {298, 350, 350, 400, 400, 400});
}

TEST(Lanczos, DoesNotSearchWhereNoValueIsThereTwice) {
  const auto a = diagonal(counted(300));
  const auto found = eigs(multiply_inspect(a), 4, largest());
  expect_values(found, {296, 297, 298, 299});
  // The estimate rises where a search begins, since the next vectors are arbitrary then.
  EXPECT_TRUE(std::is_sorted(found.history.rbegin(), found.history.rend()));
}

TEST(Lanczos, StartVectorsWithoutAnEigenvectorHideNothing) {
  const auto a = diagonal(counted(300));
  // In the second round the second is the first: what is left of it is a multiple of the first, however often it loses
  // its part along that.
  for (const std::size_t period : {3, 2}) {
    std::vector<double> start(600, 1.0);
    for (std::size_t i = 0; i < 300; i += 2) start[i] = 0.5;
    for (std::size_t i = 300; i < 600; i += period) start[i] = 0.5;
    start[299] = start[599] = 0;
    auto options = largest();
    options.start = {start.data(), 300, 2, 1, 300};
    expect_values(eigs(multiply_inspect(a), 3, options), {297, 298, 299});
  }
}

TEST(Lanczos, HoldsAsManyVectorsAsDocumented) {
  const auto a = diagonal(counted(400));
  for (const auto& [pairs, vectors] : {std::pair{3, 25}, {7, 30}, {10, 42}, {20, 52}, {40, 82}}) {
    auto options = largest();
    const auto found = eigs(multiply_inspect(a), pairs, options);
    options.vectors = vectors;
    EXPECT_EQ(found.hash, eigs(multiply_inspect(a), pairs, options).hash) << pairs;
    options.vectors = vectors + 2;
    EXPECT_NE(found.hash, eigs(multiply_inspect(a), pairs, options).hash) << pairs;
  }
}

TEST(Lanczos, EstimatesAreTheResiduals) {
  const auto a = diagonal(counted(300));  // no copies: a search leaves out what was next
  for (const double tolerance : {1e-4, 1e-6}) {
    auto options = largest();
    options.tolerance = tolerance;
    const auto found = eigs(multiply_inspect(a), 4, options);
    ASSERT_TRUE(found.converged()) << found.reason;
    double most = 0;
    for (std::size_t k = 0; k < 4; ++k) most = std::max(most, found.residuals[k] / found.values[k]);
    EXPECT_NEAR(found.history.back(), most, 1e-12) << tolerance;
  }
}

}  // namespace
}  // namespace lacis::test

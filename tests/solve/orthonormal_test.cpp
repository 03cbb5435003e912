// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Blocks of vectors are orthonormal, and small matrices have their singular values, whatever they were made from.
#include "solve/eigen/orthonormal.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "solve/systems.hpp"

namespace lacis::test {
namespace {

/// Vectors that lie in the space of the basis but for a billionth: what the first projection leaves of them is a small
/// difference of large numbers, and has to be projected again.
TEST(Orthonormal, WhatIsNearlyInTheSpaceOfTheBasisBecomesOrthogonalToIt) {
  const auto a = make_operator(multiply_inspect(laplacian("@poisson2d:30")));
  const eigen_options<double> options;
  solver::pencil<double> pencil(*a, options);
  solver::vector_pool<double> pool(pencil);
  solver::orthonormaliser<double> orthonormalise(pencil, pool);
  solver::with_images<double> basis;
  basis.vectors = pool.take(5);
  for (std::size_t j = 0; j < 5; ++j) pencil.fill(basis.vectors[j], j);
  ASSERT_TRUE(orthonormalise({}, basis));
  ASSERT_EQ(basis.size(), 5U);
  for (const double beside : {1.0, 1e-5, 1e-9}) {
    solver::with_images<double> w;
    w.vectors = pool.take(3);
    for (std::size_t j = 0; j < 3; ++j) {
      pencil.fill(w.vectors[j], 10 + j);
      pencil.ops().scale(beside, w.vectors[j]);
      for (std::size_t i = 0; i < 5; ++i)
        pencil.ops().axpy(1.0 / static_cast<double>(1 + i + j), basis.vectors[i], w.vectors[j]);
    }
    ASSERT_TRUE(orthonormalise(basis, w));
    ASSERT_EQ(w.size(), 3U) << beside;
    const double rounding = 16 * std::numeric_limits<double>::epsilon();
    const auto across = pencil.gram(basis.vectors, w.vectors);
    for (const double one : across.elements()) EXPECT_LE(std::fabs(one), rounding);
    const auto gram = pencil.gram(w.vectors, w.vectors);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(gram(i, j), i == j ? 1 : 0, rounding) << beside;
  }
}

TEST(SmallMatrix, SmallSingularValuesAreAccurate) {
  // A rotation times powers of two times a reflection.
  const std::size_t n = 9;
  solver::small_matrix<std::complex<double>> a(n, n);
  std::vector<double> values;
  for (std::size_t k = 0; k < n; ++k) values.push_back(k + 1 == n ? 0 : std::ldexp(1.0, -5 * static_cast<int>(k)));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const double angle = 2 * std::numbers::pi * static_cast<double>(i * j % n) / static_cast<double>(n);
      a(i, j) = std::polar(values[j] / std::sqrt(static_cast<double>(n)), angle);  // columns of the Fourier matrix
    }
  const auto found = solver::svd_of(a);
  const double rounding = 64 * std::numeric_limits<double>::epsilon();
  for (std::size_t k = 0; k < n; ++k) EXPECT_NEAR(found.values[k], values[k], rounding * values[k]) << k;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      std::complex<double> sum = 0;
      std::complex<double> left = 0;
      std::complex<double> right = 0;
      for (std::size_t k = 0; k < n; ++k) {
        sum += found.left(i, k) * found.values[k] * std::conj(found.right(j, k));
        left += std::conj(found.left(k, i)) * found.left(k, j);
        right += std::conj(found.right(k, i)) * found.right(k, j);
      }
      EXPECT_NEAR(std::abs(sum - a(i, j)), 0, rounding);
      EXPECT_NEAR(std::abs(left), i == j ? 1 : 0, rounding) << i << ' ' << j;
      EXPECT_NEAR(std::abs(right), i == j ? 1 : 0, rounding);
    }
}

}  // namespace
}  // namespace lacis::test

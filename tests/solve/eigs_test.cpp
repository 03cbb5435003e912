// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Eigenvalues that are known in closed form, within the bound that the residual gives: a Hermitian matrix has an
// eigenvalue within |A x - w x| of w. The residual itself is computed anew, in plain loops.
#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <numbers>
#include <numeric>

#include <lacis/eigs.hpp>
#include <lacis/error.hpp>
#include <lacis/precondition.hpp>

#include "solve/spectra.hpp"
#include "solve/systems.hpp"

namespace lacis::test {
namespace {

/// Sums of one value of each.
std::vector<double> sums_of(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> all;
  for (const double x : a)
    for (const double y : b) all.push_back(x + y);
  std::ranges::sort(all);
  return all;
}
std::vector<double> grid_values(std::int64_t n, int dimensions) {
  auto all = line_values(n);
  for (int d = 1; d < dimensions; ++d) all = sums_of(all, line_values(n));
  return all;
}

/// The lowest or highest of ascending values.
std::vector<double> part_of(const std::vector<double>& all, std::int64_t count, eigen_part part) {
  const auto low = part == eigen_part::smallest ? count : part == eigen_part::both ? count / 2 : 0;
  std::vector<double> some(all.begin(), all.begin() + low);
  some.insert(some.end(), all.end() - (count - low), all.end());
  return some;
}

/// Every pair is what the result says, and the values are those expected, one by one.
template <class T>
void expect_pairs(const csr_matrix<T>& a, const eigen_result<T>& found, const std::vector<double>& expected,
                  double tolerance, const std::string& name) {
  ASSERT_EQ(found.values.size(), expected.size()) << name << ": " << found.reason;
  EXPECT_TRUE(found.converged()) << name << ": " << found.reason;
  const double norm = std::max(std::fabs(expected.front()), std::fabs(expected.back())) + 8;
  const auto n = static_cast<std::size_t>(a.rows);
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const T* const x = found.vectors.data() + k * n;
    double residual = 0;
    double length = 0;
    for (std::size_t i = 0; i < n; ++i) {
      std::complex<double> r = -found.values[k] * std::complex<double>(x[i]);
      for (std::int64_t e = a.row_offsets[static_cast<std::int64_t>(i)];
           e < a.row_offsets[static_cast<std::int64_t>(i) + 1]; ++e)
        r += std::complex<double>(a.values[e]) * std::complex<double>(x[a.columns[e]]);
      residual += std::norm(r);
      length += std::norm(std::complex<double>(x[i]));
    }
    EXPECT_NEAR(std::sqrt(residual), found.residuals[k], rounding<T>(norm, a.rows)) << name << ' ' << k;
    EXPECT_NEAR(std::sqrt(length), 1, rounding<T>(1, a.rows)) << name << ' ' << k;
    EXPECT_TRUE(found.is_converged[k]) << name << ' ' << k;
    EXPECT_LE(found.residuals[k], std::max(tolerance * std::fabs(found.values[k]),
                                           10 * double{std::numeric_limits<real_of<T>>::epsilon()} * norm))
        << name << ' ' << k;
    EXPECT_NEAR(found.values[k], expected[k], found.residuals[k] + rounding<T>(norm, 1)) << name << ' ' << k;
    for (std::size_t other = 0; other < k; ++other) {
      std::complex<double> product = 0;
      for (std::size_t i = 0; i < n; ++i)
        product += std::conj(std::complex<double>(x[i])) *
                   std::complex<double>(found.vectors[static_cast<std::int64_t>(other * n + i)]);
      // Vectors of one eigenvalue are orthogonal by construction, others up to their residuals.
      const double gap = std::fabs(found.values[k] - found.values[other]);
      const double leak = (found.residuals[k] + found.residuals[other]) / std::max(gap, 1e-300);
      EXPECT_LE(std::abs(product), std::max(rounding<T>(1, a.rows), std::min(1e-3, leak)))
          << name << ' ' << k << ' ' << other;
    }
  }
}

TEST(Eigs, LaplaciansHaveTheirKnownEigenvalues) {
  for (const auto& [spec, n, dimensions] : {std::tuple{"@poisson3d:9", 9, 3}, std::tuple{"@poisson2d:30", 30, 2}}) {
    const auto a = laplacian(spec);
    const auto all = grid_values(n, dimensions);
    const auto plan = multiply_inspect(a);
    for (const std::int64_t pairs : {1, 3, 6}) {
      for (const auto part : {eigen_part::smallest, eigen_part::largest, eigen_part::both}) {
        const std::string name = std::string(spec) + ' ' + std::string(name_of(part)) + ' ' + std::to_string(pairs);
        expect_pairs(a, eigs(plan, pairs, with<double>(part, eigen_method::lanczos)), part_of(all, pairs, part), 1e-8,
                     name + " lanczos");
        if (part != eigen_part::both)
          expect_pairs(a, eigs(plan, pairs, with<double>(part, eigen_method::lobpcg)), part_of(all, pairs, part), 1e-8,
                       name + " lobpcg");
      }
    }
  }
}

TEST(Eigs, LargestMagnitudeTakesBothSigns) {
  std::vector<double> entries(200);
  std::iota(entries.begin(), entries.end(), -101.0);  // -101 .. 98
  const auto a = diagonal(entries);
  expect_pairs(a, eigs(multiply_inspect(a), 5, with<double>(eigen_part::largest_magnitude, eigen_method::lanczos)),
               {-101, -100, -99, -98, 98}, 1e-8, "magnitude");
}

TEST(Eigs, IntegersOnADiagonalAreExact) {
  std::vector<double> entries;
  for (int i = 0; i < 40; ++i) entries.push_back((i * 17) % 40 - 10);
  auto expected = entries;
  std::ranges::sort(expected);
  for (const std::int64_t pairs : {1, 7, 39, 40})
    for (const auto method : {eigen_method::lanczos, eigen_method::lobpcg}) {
      const auto found = eigs(multiply_inspect(diagonal(entries)), pairs, with<double>(eigen_part::smallest, method));
      EXPECT_TRUE(found.converged());
      EXPECT_EQ(found.values, part_of(expected, pairs, eigen_part::smallest));
      EXPECT_EQ(found.residuals, std::vector<double>(static_cast<std::size_t>(pairs), 0.0));
    }
}

TEST(Eigs, TinyMatricesHaveAllTheirEigenvalues) {
  for (const std::int64_t n : {1, 2, 3, 5, 17})
    for (const auto method : {eigen_method::lanczos, eigen_method::lobpcg}) {
      const auto a = line<double>(n);
      expect_pairs(a, eigs(multiply_inspect(a), n, with<double>(eigen_part::largest, method)), line_values(n), 1e-8,
                   std::to_string(n));
    }
}

TEST(Eigs, AsManyPairsAsRowsOfAMiddlingMatrix) {
  const auto a = line<double>(90);
  expect_pairs(a, eigs(multiply_inspect(a), 90), line_values(90), 1e-8, "all");
}

template <class T> void expect_line_of_type(double tolerance) {
  T upper = T(-1);
  if constexpr (is_complex<T>) upper = std::polar(real_of<T>(1), real_of<T>(2));
  const auto a = line<T>(150, upper);
  const auto plan = multiply_inspect(a);
  const auto all = line_values(150);
  for (const auto method : {eigen_method::lanczos, eigen_method::lobpcg})
    for (const auto part : {eigen_part::smallest, eigen_part::largest})
      expect_pairs(a, eigs(plan, 4, with<T>(part, method, tolerance)), part_of(all, 4, part), tolerance,
                   std::string(name_of(method)) + ' ' + std::string(name_of(part)));
}

TEST(Eigs, EveryType) {
  expect_line_of_type<double>(1e-8);
  expect_line_of_type<std::complex<double>>(1e-8);
  expect_line_of_type<float>(1e-3);
  expect_line_of_type<std::complex<float>>(1e-3);
}

TEST(Eigs, AnEigenvalueOfZeroIsFound) {
  auto a = line<double>(120);  // a path: the ends have one neighbour
  a.values.data[0] = 1;
  a.values.data[a.nnz() - 1] = 1;
  std::vector<double> expected;
  for (int j = 0; j < 3; ++j) {
    const double half = std::sin(std::numbers::pi * j / 240);
    expected.push_back(4 * half * half);
  }
  for (const auto method : {eigen_method::lanczos, eigen_method::lobpcg}) {
    const auto found = eigs(multiply_inspect(a), 3, with<double>(eigen_part::smallest, method));
    expect_pairs(a, found, expected, 1e-8, "path");
  }
}

TEST(Eigs, CopiesOfAnEigenvalueAreFound) {
  std::vector<double> entries(300);
  for (std::size_t i = 0; i < entries.size(); ++i) entries[i] = static_cast<double>(i % 10);  // thirty of each
  const auto a = diagonal(entries);
  for (const auto method : {eigen_method::lanczos, eigen_method::lobpcg})
    expect_pairs(a, eigs(multiply_inspect(a), 7, with<double>(eigen_part::largest, method)),
                 std::vector<double>(7, 9.0), 1e-8, std::string(name_of(method)));
  const auto one = diagonal(std::vector<double>(100, 3.0));
  expect_pairs(one, eigs(multiply_inspect(one), 5, with<double>(eigen_part::largest, eigen_method::lanczos)),
               std::vector<double>(5, 3.0), 1e-8, "multiples of the identity");
}

TEST(Eigs, APreconditionerSparesSteps) {
  const auto a = laplacian("@poisson2d:40");
  const auto plan = multiply_inspect(a);
  const auto m = make_preconditioner(a, {.kind = preconditioner_kind::ic0});
  auto options = with<double>(eigen_part::smallest, eigen_method::lobpcg);
  const auto without = eigs(plan, 5, options);
  options.preconditioner = m;
  const auto found = eigs(plan, 5, options);
  const auto expected = part_of(grid_values(40, 2), 5, eigen_part::smallest);
  expect_pairs(a, found, expected, 1e-8, "ic0");
  EXPECT_LT(found.iterations * 2, without.iterations);
}

TEST(Eigs, ADiagonalBScalesTheProblem) {
  // A = diag(i d_i), B = diag(d_i) has the eigenvalues i; a line in between makes it less simple.
  const std::int64_t n = 130;
  std::vector<double> weights;
  std::vector<double> entries;
  for (std::int64_t i = 0; i < n; ++i) {
    weights.push_back(static_cast<double>(1 + i % 4));
    entries.push_back(weights.back() * static_cast<double>(i + 1));
  }
  const auto plan_b = multiply_inspect(diagonal(weights));
  const auto b = make_operator(plan_b);
  auto options = with<double>(eigen_part::smallest, eigen_method::lobpcg);
  options.b = b;
  const auto found = eigs(multiply_inspect(diagonal(entries)), 4, options);
  EXPECT_TRUE(found.converged()) << found.reason;
  for (std::size_t k = 0; k < 4; ++k) {
    // |B^-1/2 r| <= |r|, as no weight is below 1, and |x|_B = 1.
    EXPECT_NEAR(found.values[k], static_cast<double>(k + 1), found.residuals[k] + rounding<double>(500, 1));
    double square = 0;
    for (std::int64_t i = 0; i < n; ++i)
      square += weights[static_cast<std::size_t>(i)] * std::pow(found.vectors[static_cast<std::int64_t>(k) * n + i], 2);
    EXPECT_NEAR(square, 1, rounding<double>(1, n));
  }
  // The same in the whole space.
  const auto small_b = make_operator(multiply_inspect(diagonal({4, 1, 16})));
  options.b = small_b;
  const auto all = eigs(multiply_inspect(diagonal({4, 2, 48})), 3, options);
  EXPECT_EQ(all.values, (std::vector<double>{1, 2, 3}));
  const auto negative = make_operator(multiply_inspect(diagonal({4, -1, 16})));
  options.b = negative;
  EXPECT_EQ(eigs(multiply_inspect(diagonal({4, 2, 48})), 3, options).outcome, solve_outcome::broke_down);
}

TEST(Eigs, BitsDoNotDependOnThreads) {
  const auto a = laplacian("@poisson3d:22");
  const auto m = make_preconditioner(a, {.kind = preconditioner_kind::jacobi});
  for (const auto method : {eigen_method::lanczos, eigen_method::lobpcg}) {
    std::vector<eigen_result<double>> all;
    for (const int threads : {1, 2, 3, 7}) {
      auto options = with<double>(eigen_part::smallest, method, 1e-6);
      options.max_iterations = method == eigen_method::lobpcg ? 12 : 60;
      if (method == eigen_method::lobpcg) options.preconditioner = m;
      all.push_back(eigs(multiply_inspect(a, {.threads = threads}), 3, options));
      EXPECT_EQ(all.back().values.size(), 3U);
      EXPECT_EQ(all.back().hash, all.front().hash) << name_of(method) << ' ' << threads;
      EXPECT_EQ(all.back().values, all.front().values);
    }
  }
}

TEST(Eigs, WhatHasNotConvergedIsSaid) {
  const auto a = laplacian("@poisson2d:40");
  for (const auto method : {eigen_method::lanczos, eigen_method::lobpcg}) {
    auto options = with<double>(eigen_part::smallest, method);
    options.max_iterations = 30;
    const auto found = eigs(multiply_inspect(a), 6, options);
    EXPECT_EQ(found.outcome, solve_outcome::max_iterations);
    EXPECT_EQ(found.iterations, 30);
    ASSERT_EQ(found.values.size(), 6U);
    for (std::size_t k = 0; k < 6; ++k)
      EXPECT_EQ(found.is_converged[k], found.residuals[k] <= 1e-8 * found.values[k]) << k;
    EXPECT_FALSE(found.is_converged[5]);
    // The best pairs so far are upper bounds, and near enough to be of use.
    EXPECT_GT(found.values[0], grid_values(40, 2)[0]);
    EXPECT_LT(found.values[0], 1);
  }
}

TEST(Eigs, ALooseToleranceIsNotTakenForAMatrixThatIsNotHermitian) {
  const auto a = laplacian("@poisson2d:20");
  for (const auto part : {eigen_part::both, eigen_part::smallest, eigen_part::largest})
    for (const double tolerance : {1e-1, 1e-2, 1e-3, 1e-5}) {
      const auto found = eigs(multiply_inspect(a), 3, with<double>(part, eigen_method::lanczos, tolerance));
      EXPECT_TRUE(found.converged()) << found.reason;
      for (std::size_t k = 0; k < 3; ++k) EXPECT_LE(found.residuals[k], tolerance * found.values[k]);
    }
}

TEST(Eigs, AnAbsoluteToleranceSuffices) {
  const auto plan = multiply_inspect(laplacian("@poisson2d:30"));
  for (const auto method : {eigen_method::lanczos, eigen_method::lobpcg}) {
    auto options = with<double>(eigen_part::smallest, method, 0);
    options.absolute_tolerance = 1e-4;
    const auto found = eigs(plan, 3, options);
    EXPECT_TRUE(found.converged()) << found.reason;
    for (const double one : found.residuals) EXPECT_LE(one, 1e-4);
    EXPECT_LT(found.iterations, eigs(plan, 3, with<double>(eigen_part::smallest, method)).iterations);
    options.absolute_tolerance = -1;
    EXPECT_THROW(static_cast<void>(eigs(plan, 3, options)), error);
  }
}

TEST(Eigs, AnUnattainableToleranceIsNotReached) {
  const auto a = laplacian("@poisson2d:20");
  auto options = with<double>(eigen_part::smallest, eigen_method::lobpcg, 0);
  options.max_iterations = 400;
  const auto found = eigs(multiply_inspect(a), 3, options);
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_EQ(found.is_converged[k], found.residuals[k] <= 10 * std::numeric_limits<double>::epsilon() * 8) << k;
}

TEST(Eigs, TheMonitorSeesEveryIterationAndStops) {
  const auto a = laplacian("@poisson2d:40");
  for (const auto method : {eigen_method::lanczos, eigen_method::lobpcg}) {
    auto options = with<double>(eigen_part::smallest, method);
    std::int64_t calls = 0;
    options.monitor = [&](const eigen_progress& now) {
      EXPECT_EQ(now.iteration, ++calls);
      return calls < 40;
    };
    const auto found = eigs(multiply_inspect(a), 2, options);
    EXPECT_EQ(found.outcome, solve_outcome::stopped);
    EXPECT_EQ(calls, 40);
    EXPECT_EQ(found.values.size(), 2U);
    options.monitor = [](const eigen_progress&) -> bool { throw std::runtime_error("enough"); };
    EXPECT_THROW(static_cast<void>(eigs(multiply_inspect(a), 2, options)), std::runtime_error);
  }
}

TEST(Eigs, TheScaleOfAMatrixDoesNotMatter) {
  for (const std::int64_t n : {30, 100}) {  // found at once, and with restarts
    const auto a = line<double>(n);
    for (const auto method : {eigen_method::lanczos, eigen_method::lobpcg}) {
      const auto options = with<double>(eigen_part::smallest, method);
      const auto expected = eigs(multiply_inspect(a), 3, options);
      ASSERT_TRUE(expected.converged()) << expected.reason;
      for (const int exponent : {-1060, -1000, -548, -530, 512, 1020}) {
        auto scaled = a;
        for (double& one : scaled.values.data) one = std::ldexp(one, exponent);
        const auto found = eigs(multiply_inspect(scaled), 3, options);
        const std::string name = std::string(name_of(method)) + ' ' + std::to_string(exponent);
        ASSERT_TRUE(found.converged()) << name << ' ' << found.reason;
        for (std::size_t k = 0; k < 3; ++k)
          EXPECT_EQ(found.values[k], std::ldexp(expected.values[k], exponent)) << name << ' ' << k;
        EXPECT_EQ(found.hash, expected.hash) << name;
      }
    }
  }
  auto single = line<float>(100);
  for (float& one : single.values.data) one *= 0x1p-140F;
  const auto found = eigs(multiply_inspect(single), 3, with<float>(eigen_part::largest, eigen_method::lanczos, 1e-4));
  EXPECT_TRUE(found.converged()) << found.reason;
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(std::ldexp(found.values[k], 140), line_values(100)[97 + k], 1e-3);
}

TEST(Eigs, AnAbsoluteToleranceIsThatOfTheGivenMatrix) {
  auto a = line<double>(300);
  for (double& one : a.values.data) one = std::ldexp(one, -900);
  auto options = with<double>(eigen_part::smallest, eigen_method::lanczos, 0);
  options.absolute_tolerance = std::ldexp(1e-3, -900);
  const auto found = eigs(multiply_inspect(a), 3, options);
  EXPECT_TRUE(found.converged()) << found.reason;
  for (const double one : found.residuals) EXPECT_LE(one, options.absolute_tolerance);
}

TEST(Eigs, AnEigenvalueAboveTheRangeOfNumbersIsNotConverged) {
  const auto a = from_entries<double>(2, {{{0, 1.7e308}, {1, 1.7e308}}, {{0, 1.7e308}, {1, 1.7e308}}});
  const auto found = eigs(multiply_inspect(a), 1, with<double>(eigen_part::largest, eigen_method::lanczos));
  EXPECT_EQ(found.outcome, solve_outcome::out_of_range) << found.reason;
}

}  // namespace
}  // namespace lacis::test

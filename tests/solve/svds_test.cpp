// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Singular values that are known in closed form, within the bound that the residual gives.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include <lacis/eigs.hpp>
#include <lacis/error.hpp>
#include <lacis/generate.hpp>
#include <lacis/structure.hpp>

#include "solve/spectra.hpp"
#include "support/matrices.hpp"

namespace lacis::test {
namespace {

/// The n x (n + 1) difference matrix: B B^T is the line, so singular values are 2 sin of the angles.
template <class T> csr_matrix<T> differences(std::int64_t n, T factor = T(1)) {
  std::vector<std::vector<std::pair<int, T>>> rows;
  for (int i = 0; i < n; ++i) rows.push_back({{i, -factor}, {i + 1, factor}});
  csr_matrix<T> wide = from_entries<T>(n, rows);
  wide.cols = n + 1;
  return wide;
}

template <class T> plan_options with_adjoint() {
  plan_options how;
  how.transpose = !is_complex<T>;
  how.conjugate_transpose = is_complex<T>;
  return how;
}

/// |A x - s y|, in plain loops.
template <class T> double distance(const csr_matrix<T>& a, const T* x, double s, const T* y) {
  double off = 0;
  for (std::int64_t i = 0; i < a.rows; ++i) {
    std::complex<double> sum = -s * std::complex<double>(y[i]);
    for (std::int64_t e = a.row_offsets[i]; e < a.row_offsets[i + 1]; ++e)
      sum += std::complex<double>(a.values[e]) * std::complex<double>(x[a.columns[e]]);
    off += std::norm(sum);
  }
  return std::sqrt(off);
}

/// Every triplet is what the result says, the values are those expected, the largest first.
template <class T>
void expect_triplets(const csr_matrix<T>& a, const singular_result<T>& found, const std::vector<double>& expected,
                     double norm, const std::string& name) {
  EXPECT_TRUE(found.converged()) << name << ": " << found.reason;
  ASSERT_EQ(found.values.size(), expected.size()) << name;
  const auto adjoint = is_complex<T> ? conjugate_transpose(a) : transpose(a);
  const std::int64_t most = std::max(a.rows, a.cols);
  for (std::size_t k = 0; k < expected.size(); ++k) {
    EXPECT_NEAR(found.values[k], expected[k], found.residuals[k] + rounding<T>(norm, 1)) << name << ' ' << k;
    EXPECT_TRUE(found.is_converged[k]) << name;
    const T* const u = found.left.data() + static_cast<std::int64_t>(k) * a.rows;
    const T* const v = found.right.data() + static_cast<std::int64_t>(k) * a.cols;
    EXPECT_NEAR(std::hypot(distance(a, v, found.values[k], u), distance(adjoint, u, found.values[k], v)),
                found.residuals[k], rounding<T>(norm, most))
        << name;
    for (std::size_t other = 0; other <= k; ++other) {
      const auto inner = [&](const T* x, const buffer<T>& all, std::int64_t size) {
        std::complex<double> sum = 0;
        for (std::int64_t i = 0; i < size; ++i)
          sum += std::conj(std::complex<double>(x[i])) *
                 std::complex<double>(all[static_cast<std::int64_t>(other) * size + i]);
        return std::abs(sum);
      };
      const double leak = std::max(rounding<T>(1, most), 1e3 * found.residuals[k] / norm);
      EXPECT_NEAR(inner(u, found.left, a.rows), other == k ? 1 : 0, leak) << name << ' ' << k << ' ' << other;
      EXPECT_NEAR(inner(v, found.right, a.cols), other == k ? 1 : 0, leak) << name << ' ' << k << ' ' << other;
    }
  }
}

template <class T> void expect_differences(std::int64_t n, double tolerance, T factor) {
  const csr_matrix<T> wide = differences<T>(n, factor);
  const csr_matrix<T> tall = transpose(wide);
  auto values = line_values(n);
  for (double& one : values) one = std::sqrt(one);
  std::ranges::reverse(values);
  for (const csr_matrix<T>* a : {&wide, &tall})
    for (const auto method : {singular_method::normal, singular_method::bidiagonal})
      for (const auto part : {eigen_part::largest, eigen_part::smallest}) {
        const auto first = part == eigen_part::largest ? values.begin() : values.end() - 4;
        const std::string name = std::string(name_of(method)) + ' ' + std::string(name_of(part));
        singular_options<T> options;
        options.part = part;
        options.method = method;
        options.tolerance = tolerance;
        const auto found = svds(multiply_inspect(*a, with_adjoint<T>()), 4, options);
        EXPECT_EQ(found.method, method);
        expect_triplets(*a, found, std::vector<double>(first, first + 4), 2, name);
      }
}

TEST(Svds, EveryMethodFindsKnownSingularValues) {
  for (const std::int64_t n : {30, 120}) {  // found at once, and with restarts
    expect_differences<double>(n, 1e-8, 1);
    expect_differences<std::complex<double>>(n, 1e-8, {0.6, -0.8});
  }
  expect_differences<float>(70, 1e-3F, 1);
}

TEST(Svds, SmallSingularValuesAreNotSquared) {
  std::vector<std::vector<std::pair<int, double>>> rows;
  for (int i = 0; i < 90; ++i) rows.push_back({{i, i == 0 ? 0x1p-35 : static_cast<double>(i)}});
  const auto a = from_entries<double>(90, rows);
  const auto plan = multiply_inspect(a, {.transpose = true});
  singular_options<double> options;
  options.part = eigen_part::smallest;
  const auto found = svds(plan, 2, options);
  EXPECT_EQ(found.method, singular_method::bidiagonal);
  expect_triplets(a, found, {1, 0x1p-35}, 90, "bidiagonal");
  EXPECT_NEAR(found.values[1], 0x1p-35, rounding<double>(90, 1));
  // Its square is below the rounding errors of A^H A, which are half of the digits here.
  options.method = singular_method::normal;
  const auto squared = svds(plan, 2, options);
  EXPECT_GT(squared.residuals[1], rounding<double>(90, 90));
}

TEST(Svds, CopiesAreFound) {
  std::vector<std::vector<std::pair<int, double>>> rows;
  for (int i = 0; i < 200; ++i) rows.push_back({{i, 1.0 + i % 10}});  // twenty of each
  const auto a = from_entries<double>(200, rows);
  const auto plan = multiply_inspect(a, {.transpose = true});
  for (const auto method : {singular_method::normal, singular_method::bidiagonal})
    for (const auto part : {eigen_part::largest, eigen_part::smallest}) {
      singular_options<double> options;
      options.part = part;
      options.method = method;
      const double value = part == eigen_part::largest ? 10 : 1;
      expect_triplets(a, svds(plan, 5, options), std::vector<double>(5, value), 10, std::string(name_of(method)));
    }
}

/// Every look for a copy goes on from another vector, and leaves out a part of the residuals that were there: true ones
/// are longer than estimated.
TEST(Svds, TrueResidualsDecideWhenTheToleranceIsLoose) {
  std::int64_t searches = 0;
  for (const char* spec : {"@poisson2d:12", "@poisson3d:5", "@poisson2d:20"}) {
    const auto plan = multiply_inspect(generate<double, std::int32_t>(spec), {.transpose = true});
    for (const auto part : {eigen_part::largest, eigen_part::smallest})
      for (const std::int64_t count : {1, 2, 3, 5, 8})
        for (const double tolerance : {0.3, 0.1, 0.03, 0.01, 1e-3}) {
          singular_options<double> options;
          options.part = part;
          options.method = singular_method::bidiagonal;
          options.tolerance = tolerance;
          options.vectors = count + 2 + searches++ % 5;
          options.max_iterations = 20000;
          const auto found = svds(plan, count, options);
          EXPECT_TRUE(found.converged()) << spec << ' ' << count << ' ' << tolerance << ' ' << found.reason;
          for (std::size_t k = 0; k < found.values.size(); ++k)
            EXPECT_LE(found.residuals[k], tolerance * found.values[k]) << spec << ' ' << count << ' ' << tolerance;
        }
  }
}

TEST(Svds, BitsDoNotDependOnThreadsAndTheMonitorStops) {
  const auto a = generate<double>("@banded:20000,5", {.values = generated_values::random});
  for (const auto method : {singular_method::normal, singular_method::bidiagonal}) {
    singular_options<double> options;
    options.method = method;
    options.max_iterations = 40;
    std::vector<std::uint64_t> hashes;
    for (const int threads : {1, 2, 3}) {
      const auto found = svds(multiply_inspect(a, {.threads = threads, .transpose = true}), 2, options);
      EXPECT_EQ(found.iterations, 40);
      EXPECT_EQ(found.outcome, solve_outcome::max_iterations);
      EXPECT_EQ(found.values.size(), 2U);
      hashes.push_back(found.hash);
    }
    EXPECT_EQ(hashes, std::vector<std::uint64_t>(3, hashes[0]));
    std::int64_t calls = 0;
    options.monitor = [&](const eigen_progress& now) {
      EXPECT_EQ(now.iteration, ++calls);
      return calls < 17;
    };
    const auto stopped = svds(multiply_inspect(a, {.transpose = true}), 2, options);
    EXPECT_EQ(stopped.outcome, solve_outcome::stopped);
    EXPECT_EQ(stopped.iterations, 17);
    EXPECT_EQ(stopped.values.size(), 2U);
  }
}

TEST(Svds, WhatCannotBeIsRefused) {
  const auto plan = multiply_inspect(differences<double>(100), {.transpose = true});
  const auto refused = [&](std::int64_t count, auto&& change) {
    singular_options<double> options;
    change(options);
    EXPECT_THROW(static_cast<void>(svds(plan, count, options)), error);
  };
  const std::vector<double> start(101, 1.0);
  refused(101, [](auto&) {});
  refused(0, [](auto&) {});
  refused(2, [](auto& options) { options.part = eigen_part::both; });
  for (const auto method : {singular_method::normal, singular_method::bidiagonal}) {
    refused(2, [&](auto& options) { options.method = method, options.vectors = 3; });
    refused(2, [&](auto& options) { options.method = method, options.tolerance = -1; });
    refused(2, [&](auto& options) { options.method = method, options.start = {start.data(), 101, 1, 1, 101}; });
  }
  auto broken = differences<double>(100);
  broken.values.data[7] = std::numeric_limits<double>::quiet_NaN();
  for (const auto method : {singular_method::normal, singular_method::bidiagonal}) {
    singular_options<double> options;
    options.method = method;
    const auto found = svds(multiply_inspect(broken, {.transpose = true}), 2, options);
    EXPECT_EQ(found.outcome, solve_outcome::broke_down);
    for (const bool one : found.is_converged) EXPECT_FALSE(one);
  }
}

TEST(Svds, VectorsAreOrthonormalAlsoWhereTheRankIsLower) {
  // Sums of three outer products, for a tall matrix and a wide one, found at once and with restarts.
  for (const auto& [n, m] : {std::pair{50, 40}, {40, 50}, {300, 200}, {200, 300}}) {
    const auto x = full_numbers<double>(3 * (n + m));
    std::vector<std::vector<std::pair<int, double>>> rows(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < m; ++j) {
        double sum = 0;
        for (int k = 0; k < 3; ++k)
          sum +=
              std::pow(0.01, k) * x[static_cast<std::size_t>(3 * i + k)] * x[static_cast<std::size_t>(3 * (n + j) + k)];
        rows[static_cast<std::size_t>(i)].emplace_back(j, sum);
      }
    auto a = from_entries<double>(n, rows);
    a.cols = m;
    const double norm = norm_frobenius(a);
    const auto plan = multiply_inspect(a, {.transpose = true});
    for (const auto method : {singular_method::normal, singular_method::bidiagonal})
      for (const std::int64_t count : {3, 4, 7}) {
        const auto found = svds(plan, count, {.method = method, .tolerance = 0});
        const std::string name = std::string(name_of(method)) + ' ' + std::to_string(n) + ' ' + std::to_string(count);
        ASSERT_EQ(found.values.size(), static_cast<std::size_t>(count)) << name;
        for (std::size_t k = 3; k < found.values.size(); ++k)
          EXPECT_LE(found.values[k], rounding<double>(norm, n + m)) << name;
        for (std::size_t k = 0; k < found.values.size(); ++k) {
          if (k == 1 || k == 2) continue;
          EXPECT_LE(found.residuals[k], rounding<double>(norm, n + m)) << name << ' ' << k;
        }
        const auto expect_orthonormal = [&](const buffer<double>& all, std::int64_t size) {
          for (std::int64_t j = 0; j < count; ++j)
            for (std::int64_t k = 0; k <= j; ++k) {
              double sum = 0;
              for (std::int64_t i = 0; i < size; ++i) sum += all[j * size + i] * all[k * size + i];
              EXPECT_NEAR(sum, j == k ? 1 : 0, rounding<double>(1, size)) << name << ' ' << j << ' ' << k;
            }
        };
        expect_orthonormal(found.left, n);
        expect_orthonormal(found.right, m);
      }
  }
}

TEST(Svds, TheScaleOfAMatrixDoesNotMatter) {
  const auto a = differences<double>(120);
  for (const auto method : {singular_method::normal, singular_method::bidiagonal})
    for (const auto part : {eigen_part::largest, eigen_part::smallest}) {
      const singular_options<double> options{.part = part, .method = method, .tolerance = 1e-6};
      const auto expected = svds(multiply_inspect(a, {.transpose = true}), 3, options);
      ASSERT_TRUE(expected.converged()) << expected.reason;
      for (const int exponent : {-1000, -540, 530, 1020}) {
        auto scaled = a;
        for (double& one : scaled.values.data) one = std::ldexp(one, exponent);
        const auto found = svds(multiply_inspect(scaled, {.transpose = true}), 3, options);
        ASSERT_TRUE(found.converged()) << exponent << ' ' << found.reason;
        for (std::size_t k = 0; k < 3; ++k) {
          EXPECT_EQ(found.values[k], std::ldexp(expected.values[k], exponent)) << exponent << ' ' << k;
          EXPECT_EQ(found.residuals[k], std::ldexp(expected.residuals[k], exponent)) << exponent << ' ' << k;
        }
        EXPECT_EQ(found.hash, expected.hash) << exponent;
      }
    }
}

TEST(Svds, ARankOneMatrixHasOneSingularValue) {
  std::vector<std::vector<std::pair<int, double>>> rows(70);
  for (auto& row : rows)
    for (int j = 0; j < 70; ++j) row.emplace_back(j, 1.0);
  const auto plan = multiply_inspect(from_entries<double>(70, rows), {.transpose = true});
  for (const auto method : {singular_method::normal, singular_method::bidiagonal}) {
    const auto one = svds(plan, 1, {.method = method});
    EXPECT_TRUE(one.converged()) << one.reason;
    EXPECT_NEAR(one.values[0], 70, one.residuals[0] + rounding<double>(70, 1));
  }
}

}  // namespace
}  // namespace lacis::test

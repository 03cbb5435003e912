// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Systems at the ends of the range, and with numbers that are none: solved, or reported as what they are.
#include <cmath>
#include <gtest/gtest.h>

#include <lacis/hash.hpp>
#include <lacis/precondition.hpp>
#include <lacis/solve_auto.hpp>
#include <lacis/solve_direct.hpp>

#include "solve/systems.hpp"
#include "support/errors.hpp"

namespace lacis::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class T> csr_matrix<T> times(csr_matrix<T> a, int exponent) {
  for (T& value : a.values.data) value = std::ldexp(value, exponent);
  return a;
}
template <class T> std::vector<T> times(std::vector<T> b, int exponent) {
  for (T& value : b) value = std::ldexp(value, exponent);
  return b;
}

template <class T>
solve_report solve_with(solve_method method, const csr_matrix<T>& a, const std::vector<T>& b, std::vector<T>& x,
                        solve_options options = {}, std::optional<preconditioner_kind> kind = {}) {
  std::unique_ptr<preconditioner<T>> m;
  if (kind) m = make_preconditioner(a, {.kind = *kind});
  x.assign(static_cast<std::size_t>(a.cols), T(0));
  return solve<T>(method, *make_operator(multiply_inspect(a, {.transpose = true})), b, x, options, m.get());
}

/// Powers of two change no digit: every scale gives the bits of the unscaled system.
TEST(Range, EveryMethodAndPreconditionerGivesTheSameDigitsAtEveryScale) {
  const auto a = laplacian("@poisson2d:9");
  const auto b = right_side<double>(a.rows);
  for (std::size_t i = 0; i < solve_methods; ++i)
    for (std::size_t k = 0; k <= preconditioner_kinds; ++k) {
      const auto method = static_cast<solve_method>(i);
      std::optional<preconditioner_kind> kind;
      if (k > 0) kind = static_cast<preconditioner_kind>(k - 1);
      if (kind && traits_of(method).least_squares) continue;
      std::vector<double> expected;
      const auto first = solve_with(method, a, b, expected, {}, kind);
      ASSERT_TRUE(first.converged()) << name_of(method) << ": " << first.reason;
      for (const auto& [of_a, of_b] :
           {std::pair{0, 1000}, {0, -1040}, {-1000, 0}, {1000, 0}, {-1000, -1000}, {1000, 1000}, {-500, 400}}) {
        std::vector<double> x;
        const auto report = solve_with(method, times(a, of_a), times(b, of_b), x, {}, kind);
        EXPECT_TRUE(report.converged()) << name_of(method) << (kind ? name_of(*kind) : "") << ' ' << of_a << ' ' << of_b
                                        << ": " << report.reason;
        if (of_b > -1000) {  // below, b has lost digits
          EXPECT_EQ(solution_hash(x), solution_hash(times(expected, of_b - of_a)))
              << name_of(method) << (kind ? name_of(*kind) : "") << ' ' << of_a << ' ' << of_b;
        }
      }
    }
}

TEST(Range, ASolutionThatTheTypeCannotHoldIsReported) {
  const auto a = laplacian("@poisson2d:5");
  const auto b = right_side<double>(a.rows);
  for (std::size_t i = 0; i < solve_methods; ++i) {
    const auto method = static_cast<solve_method>(i);
    std::vector<double> x;
    const auto above = solve_with(method, times(a, -600), times(b, 600), x);
    EXPECT_EQ(above.outcome, solve_outcome::out_of_range) << name_of(method) << ": " << above.reason;
    EXPECT_EQ(x, std::vector<double>(x.size(), 0.0));
    const auto below = solve_with(method, times(a, 600), times(b, -600), x);
    EXPECT_EQ(below.outcome, solve_outcome::out_of_range) << name_of(method) << ": " << below.reason;
  }
}

TEST(Range, NumbersThatAreNoneAreReported) {
  for (const double bad : {nan, infinity, -infinity})
    for (std::size_t i = 0; i < solve_methods; ++i) {
      const auto method = static_cast<solve_method>(i);
      auto a = laplacian("@poisson2d:5");
      auto b = right_side<double>(a.rows);
      std::vector<double> x;
      a.values.data[3] = bad;
      const auto report = solve_with(method, a, b, x);
      EXPECT_EQ(report.outcome, solve_outcome::broke_down) << name_of(method);
      EXPECT_EQ(x, std::vector<double>(x.size(), 0.0)) << name_of(method);
      expect_error(errc::invalid_matrix, "not finite, in row 1 and column 0",
                   [&] { static_cast<void>(solve_auto(a, std::span<const double>(b), std::span<double>(x))); });
      b[2] = bad;
      expect_error(errc::invalid_argument, "b has elements that are not finite",
                   [&] { static_cast<void>(solve_with(method, laplacian("@poisson2d:5"), b, x)); });
    }
}

/// b - A x is zero in this arithmetic, and yet x is not that close to a solution.
TEST(Range, AResidualThatRoundingHidesIsNoSuccess) {
  const auto third = from_rows<float, std::int32_t>(1, 1, entries::integers,
                                                    [](std::int64_t) { return std::vector<std::int64_t>{0}; });
  auto a = third;
  a.values.data[0] = 3;
  std::vector<float> x;
  const auto report = solve_with<float>(solve_method::cg, a, {1.0F}, x, {.tolerance = 1e-9});
  EXPECT_FALSE(report.converged());
  EXPECT_NEAR(report.true_residual, 3e-8, 1e-9);
  EXPECT_NE(report.reason.find("rounding errors"), std::string::npos);
  EXPECT_TRUE(solve_with<float>(solve_method::cg, a, {1.0F}, x, {.tolerance = 1e-6}).converged());
}

TEST(Range, MixedPrecisionTakesMatricesThatFloatCannotHold) {
  const auto a = laplacian("@poisson2d:9");
  const auto b = right_side<double>(a.rows);
  for (const auto& [of_a, of_b] : {std::pair{-700, 0}, {700, 0}, {0, -560}, {0, 990}, {-300, 300}}) {
    auto_options options;
    options.mixed = true;
    options.method = solve_method::cg;
    std::vector<double> x(b.size(), 0.0);
    const auto scaled_b = times(b, of_b);
    const auto report = solve_auto(times(a, of_a), std::span<const double>(scaled_b), std::span<double>(x), options);
    EXPECT_TRUE(report.result().converged()) << of_a << ' ' << of_b << ": " << report.result().reason;
    EXPECT_LE(residual_of(a, b, times(x, of_a - of_b)), 1.01e-8);
  }
}

/// gmres keeps no more directions than there are unknowns: a million of them once took terabytes.
TEST(Range, AHugeRestartTakesNoMemory) {
  const auto a = laplacian("@poisson2d:5");
  std::vector<double> x;
  for (const solve_method method : {solve_method::gmres, solve_method::fgmres})
    EXPECT_TRUE(solve_with(method, a, right_side<double>(a.rows), x, {.restart = 1000000}).converged());
}

TEST(Range, ASingularMatrixLeavesXFinite) {
  const auto zero = from_rows<double, std::int32_t>(4, 4, entries::integers,
                                                    [](std::int64_t i) { return std::vector<std::int64_t>{i}; });
  auto a = zero;
  for (double& value : a.values.data) value = 0;
  for (std::size_t i = 0; i < solve_methods; ++i) {
    std::vector<double> x;
    const auto report = solve_with<double>(static_cast<solve_method>(i), a, {1, 2, 3, 4}, x);
    // Least squares: every x is as good as zero.
    EXPECT_EQ(report.converged(), all_method_traits[i].least_squares) << report.reason;
    EXPECT_TRUE(std::isfinite(report.true_residual));
    EXPECT_EQ(x, std::vector<double>(4, 0.0));
  }
}

}  // namespace
}  // namespace lacis::test

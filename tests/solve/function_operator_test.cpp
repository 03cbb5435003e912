// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Operators without a matrix: functions that solvers call.
#include <gtest/gtest.h>
#include <stdexcept>

#include <lacis/hash.hpp>
#include <lacis/precondition.hpp>
#include <lacis/solve.hpp>

#include "solve/systems.hpp"
#include "support/errors.hpp"

namespace lacis::test {
namespace {

template <class T> void expect_the_bits_of_a_plan() {
  const auto a = generate<T>("@poisson2d:12");
  const auto plan = multiply_inspect(a, {.transpose = true, .conjugate_transpose = true});
  const auto op = make_operator<T>(
      a.rows, a.cols, [&](std::span<const T> x, std::span<T> y) { multiply(plan, x, y); },
      [&](std::span<const T> x, std::span<T> y) { multiply(conjugate_transposed(plan), x, y); });
  const auto m = make_preconditioner(a);
  const auto b = right_side<T>(a.rows);
  for (std::size_t i = 0; i < solve_methods; ++i) {
    const auto method = static_cast<solve_method>(i);
    method_options<T> options{.tolerance = 1e-4};
    if (!traits_of(method).least_squares) options.preconditioner = m;
    std::vector<T> expected(b.size());
    std::vector<T> x(b.size());
    const auto by_plan = solve(method, plan, b, expected, options);
    const auto by_function = solve(method, *op, b, x, options);
    EXPECT_TRUE(by_function.converged()) << by_function.reason;
    EXPECT_EQ(by_function.history, by_plan.history) << name_of(method);
    EXPECT_EQ(solution_hash(x), solution_hash(expected)) << name_of(method);
  }
}

TEST(FunctionOperator, HasTheBitsOfAPlan) {
  expect_the_bits_of_a_plan<float>();
  expect_the_bits_of_a_plan<double>();
  expect_the_bits_of_a_plan<std::complex<float>>();
  expect_the_bits_of_a_plan<std::complex<double>>();
}

/// y = 2 x after first(), which may throw; it is its own adjoint.
std::unique_ptr<linear_operator<double>> twice(std::int64_t n, const std::function<void()>& first = [] {}) {
  const auto apply = [first](std::span<const double> x, std::span<double> y) {
    first();
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = 2 * x[i];
  };
  return make_operator<double>(n, n, apply, apply);
}

TEST(FunctionOperator, SolvesWithoutAMatrix) {
  const std::vector<double> b = {2, 4, 6};
  std::vector<double> x(3);
  EXPECT_TRUE(cg(*twice(3), b, x).converged());
  EXPECT_EQ(x, (std::vector<double>{1, 2, 3}));
  // A preconditioner may be a function too.
  const auto half = make_operator<double>(3, 3, [](std::span<const double> r, std::span<double> z) {
    for (std::size_t i = 0; i < r.size(); ++i) z[i] = r[i] / 2;
  });
  std::vector<double> again(3);
  EXPECT_TRUE(gmres(*twice(3), b, again, {.preconditioner = half}).converged());
  EXPECT_EQ(again, x);
}

TEST(FunctionOperator, LetsExceptionsThroughUnchanged) {
  const std::vector<double> b(5, 1.0);
  for (std::size_t i = 0; i < solve_methods; ++i) {
    const auto method = static_cast<solve_method>(i);
    SCOPED_TRACE(name_of(method));
    std::vector<double> x(5);
    const auto op = twice(5, [] { throw std::length_error("of the caller"); });
    try {
      static_cast<void>(solve(method, *op, b, x));
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::length_error& problem) {
      EXPECT_STREQ(problem.what(), "of the caller");
    }
    for (const errc code : {errc::bad_input, errc::invalid_matrix, errc::io}) {
      const auto failing = twice(5, [code] { throw error(code, "of the caller"); });
      expect_error(code, "of the caller", [&] { static_cast<void>(solve(method, *failing, b, x)); });
    }
  }
}

TEST(FunctionOperator, MayFailLaterAndBeUsedAgain) {
  const auto a = laplacian("@poisson2d:12");
  const auto plan = multiply_inspect(a);
  int calls = 0;
  const auto op = make_operator<double>(a.rows, a.cols, [&](std::span<const double> x, std::span<double> y) {
    if (++calls == 8) throw std::domain_error("the eighth");
    multiply(plan, x, y);
  });
  const auto b = right_side<double>(a.rows);
  std::vector<double> x(b.size());
  EXPECT_THROW(static_cast<void>(cg(*op, b, x)), std::domain_error);
  std::fill(x.begin(), x.end(), 0.0);
  EXPECT_TRUE(cg(*op, b, x).converged());
  std::vector<double> expected(b.size());
  EXPECT_TRUE(cg(plan, b, expected).converged());
  EXPECT_EQ(solution_hash(x), solution_hash(expected));
}

TEST(FunctionOperator, RefusesWhatDoesNotFit) {
  const std::vector<double> b(4, 1.0);
  std::vector<double> x(4);
  EXPECT_EQ(code_of([&] { static_cast<void>(cg(*twice(3), b, x)); }), errc::invalid_argument);
  expect_error(errc::invalid_argument, "-1", [] { static_cast<void>(twice(-1)); });
  expect_error(errc::invalid_argument, "y = A x", [] { static_cast<void>(make_operator<double>(2, 2, nullptr)); });
  const auto without_adjoint = make_operator<double>(4, 4, [](std::span<const double> from, std::span<double> to) {
    std::copy(from.begin(), from.end(), to.begin());
  });
  expect_error(errc::unsupported, "second function", [&] { static_cast<void>(lsqr(*without_adjoint, b, x)); });
  const auto wide = make_operator<double>(4, 5, [](auto, auto) {});
  EXPECT_EQ(code_of([&] { static_cast<void>(lsqr(*wide, b, x)); }), errc::invalid_argument);
}

}  // namespace
}  // namespace lacis::test

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Short calls of solvers: cg(plan, b, x, {...}) and solve(A, b, x) have the bits of the long ones.
#include <gtest/gtest.h>
#include <memory>

#include <lacis/hash.hpp>
#include <lacis/precondition.hpp>
#include <lacis/solve_auto.hpp>

#include "solve/systems.hpp"
#include "support/errors.hpp"

namespace lacis::test {
namespace {

template <class A, class T>
solve_report by_name(solve_method method, const A& a, const std::vector<T>& b, std::vector<T>& x,
                     const method_options<T>& options) {
  switch (method) {
#define LACIS_CALL(name, ...) \
  case solve_method::name:    \
    return name(a, b, x, options);
    LACIS_FOR_EACH_SOLVE_METHOD(LACIS_CALL)
#undef LACIS_CALL
  }
  return {};
}

template <class T, class Index> void expect_the_bits_of_long_calls() {
  const auto a = generate<T, Index>("@poisson2d:12");
  const auto plan = multiply_inspect(a, {.transpose = true, .conjugate_transpose = true});
  const auto op = make_operator(plan);
  const auto m = make_preconditioner(a, {.kind = preconditioner_kind::ssor});
  const auto b = right_side<T>(a.rows);
  for (std::size_t i = 0; i < solve_methods; ++i) {
    const auto method = static_cast<solve_method>(i);
    for (const bool preconditioned : {false, true}) {
      if (preconditioned && traits_of(method).least_squares) continue;
      SCOPED_TRACE(std::string(name_of(method)) + (preconditioned ? " with ssor" : ""));
      const solve_options options{.tolerance = 1e-4, .restart = 20};
      std::vector<T> expected(b.size());
      const auto long_call = solve<T>(method, *op, b, expected, options, preconditioned ? m.get() : nullptr);
      EXPECT_TRUE(long_call.converged()) << long_call.reason;
      method_options<T> short_options = options;
      if (preconditioned) short_options.preconditioner = m;
      const auto expect_same = [&](auto&& call) {
        std::vector<T> x(b.size());
        const solve_report report = call(x);
        EXPECT_EQ(report.history, long_call.history);
        EXPECT_EQ(solution_hash(x), solution_hash(expected));
      };
      expect_same([&](auto& x) { return by_name(method, plan, b, x, short_options); });
      expect_same([&](auto& x) { return by_name(method, *op, b, x, short_options); });
      expect_same([&](auto& x) { return solve(method, plan, b, x, short_options); });
      expect_same([&](auto& x) { return solve(method, *op, b, x, short_options); });
    }
  }
}

TEST(ShortCalls, HaveTheBitsOfLongOnes) {
  expect_the_bits_of_long_calls<float, std::int32_t>();
  expect_the_bits_of_long_calls<double, std::int32_t>();
  expect_the_bits_of_long_calls<double, std::int64_t>();
  expect_the_bits_of_long_calls<std::complex<float>, std::int32_t>();
  expect_the_bits_of_long_calls<std::complex<double>, std::int64_t>();
}

/// One system for the tests below.
struct ShortCall : testing::Test {
  csr_matrix<double> a = laplacian("@poisson2d:12");
  plan<double> p = multiply_inspect(a);
  std::vector<double> b = right_side<double>(a.rows);
  std::vector<double> x = std::vector<double>(b.size());
  std::uint64_t expected = hash_of_solution();

  std::uint64_t hash_of_solution() {
    std::vector<double> solution(b.size());
    EXPECT_TRUE(solve<double>(solve_method::cg, *make_operator(p), b, solution).converged());
    return solution_hash(solution);
  }
};

TEST_F(ShortCall, TakesEveryContiguousRange) {
  EXPECT_TRUE(cg(p, std::span<const double>(b), std::span<double>(x)).converged());
  EXPECT_EQ(solution_hash(x), expected);
  const buffer<double> right{std::span<const double>(b)};
  buffer<double> solution(a.rows, 0.0);
  EXPECT_TRUE(cg(p, right, solution).converged());
  EXPECT_EQ(solution_hash(solution), expected);
  const auto op = make_operator(p);
  std::vector<double> another(b.size());
  const std::span<const double> b_span(b);
  const std::span<double> x_span(another);
  EXPECT_TRUE(solve(solve_method::cg, *op, b_span, x_span, {.max_iterations = 500}).converged());
  EXPECT_EQ(solution_hash(another), expected);
}

TEST_F(ShortCall, TakesOptionsWithAndWithoutAPreconditioner) {
  const auto m = make_preconditioner(a);
  const std::shared_ptr<linear_operator<double>> shared = make_preconditioner(a);
  std::vector<double> with(b.size());
  const auto report = solve<double>(solve_method::cg, *make_operator(p), b, with, {.tolerance = 1e-6}, m.get());
  const auto expect_same = [&](const solve_report& other) {
    EXPECT_EQ(other.history, report.history);
    EXPECT_EQ(solution_hash(x), solution_hash(with));
    std::fill(x.begin(), x.end(), 0.0);
  };
  expect_same(cg(p, b, x, {.tolerance = 1e-6, .preconditioner = m}));
  expect_same(cg(p, b, x, {.tolerance = 1e-6, .preconditioner = *m}));
  expect_same(cg(p, b, x, {.tolerance = 1e-6, .preconditioner = m.get()}));
  expect_same(cg(p, b, x, {.tolerance = 1e-6, .preconditioner = shared}));
  expect_same(solve(solve_method::cg, p, b, x, {.tolerance = 1e-6, .preconditioner = m}));
  const std::span<const double> b_span(b);
  const std::span<double> x_span(x);
  expect_same(solve(solve_method::cg, *make_operator(p), b_span, x_span, {.tolerance = 1e-6, .preconditioner = m}));
  EXPECT_TRUE(cg(p, b, x, {.preconditioner = nullptr}).converged());
  EXPECT_EQ(solution_hash(x), expected);
  const solve_options plain{.max_iterations = 500};
  std::fill(x.begin(), x.end(), 0.0);
  EXPECT_TRUE(cg(p, b, x, plain).converged());
  EXPECT_EQ(solution_hash(x), expected);
}

TEST_F(ShortCall, HasTheDefaultsOfSolveOptions) {
  const solve_options by_default;
  const solve_options converted = method_options<double>{};
  EXPECT_EQ(converted.tolerance, by_default.tolerance);
  EXPECT_EQ(converted.max_iterations, by_default.max_iterations);
  EXPECT_EQ(converted.restart, by_default.restart);
  EXPECT_EQ(converted.checkpoint, by_default.checkpoint);
  EXPECT_EQ(converted.checkpoint_every, by_default.checkpoint_every);
  EXPECT_EQ(converted.keep_checkpoint, by_default.keep_checkpoint);
  EXPECT_EQ(converted.smallest_eigenvalue, by_default.smallest_eigenvalue);
  EXPECT_EQ(converted.largest_eigenvalue, by_default.largest_eigenvalue);
  EXPECT_FALSE(converted.monitor);
  solve_options changed{1e-3, 7, 9, [](const solve_progress&) { return false; }, "there", 5, true, 0.5, 2};
  const method_options<float> there = changed;
  const solve_options back = there;
  EXPECT_EQ(there.preconditioner.get(), nullptr);
  EXPECT_EQ(back.tolerance, 1e-3);
  EXPECT_EQ(back.max_iterations, 7);
  EXPECT_EQ(back.restart, 9);
  EXPECT_TRUE(back.monitor);
  EXPECT_EQ(back.checkpoint, "there");
  EXPECT_EQ(back.checkpoint_every, 5);
  EXPECT_TRUE(back.keep_checkpoint);
  EXPECT_EQ(back.smallest_eigenvalue, 0.5);
  EXPECT_EQ(back.largest_eigenvalue, 2);
}

TEST_F(ShortCall, RefusesVectorsThatDoNotFit) {
  std::vector<double> longer(b.size() + 1);
  EXPECT_EQ(code_of([&] { static_cast<void>(cg(p, longer, x)); }), errc::invalid_argument);
  EXPECT_EQ(code_of([&] { static_cast<void>(cg(p, b, longer)); }), errc::invalid_argument);
  EXPECT_EQ(code_of([&] { static_cast<void>(solve(a, b, longer)); }), errc::invalid_argument);
  EXPECT_EQ(code_of([&] { static_cast<void>(solve(p, longer, x)); }), errc::invalid_argument);
  const auto other = make_preconditioner(laplacian("@poisson2d:5"));
  EXPECT_EQ(code_of([&] { static_cast<void>(cg(p, b, x, {.preconditioner = other})); }), errc::invalid_argument);
}

TEST_F(ShortCall, OfLsqrNamesTheOptionThatThePlanLacks) {
  expect_error(errc::invalid_argument, "plan_options.transpose", [&] { static_cast<void>(lsqr(p, b, x)); });
  const auto complex = generate<std::complex<double>>("@poisson2d:12");
  const auto right = right_side<std::complex<double>>(complex.rows);
  std::vector<std::complex<double>> solution(right.size());
  expect_error(errc::invalid_argument, "plan_options.conjugate_transpose",
               [&] { static_cast<void>(lsqr(multiply_inspect(complex, {.transpose = true}), right, solution)); });
  // Of a real matrix the conjugate transpose is the transpose.
  std::vector<double> other(b.size());
  EXPECT_TRUE(lsqr(multiply_inspect(a, {.transpose = true}), b, x).converged());
  EXPECT_TRUE(lsqr(multiply_inspect(a, {.conjugate_transpose = true}), b, other).converged());
  EXPECT_EQ(solution_hash(x), solution_hash(other));
}

template <class T> void expect_chosen_alike(const csr_matrix<T>& a) {
  const auto b = right_side<T>(a.rows);
  const auto_options options{.solve = {.tolerance = 1e-4}};
  std::vector<T> expected(static_cast<std::size_t>(a.cols));
  const auto long_call = solve_auto(a, std::span<const T>(b), std::span<T>(expected), options);
  const auto expect_same = [&](auto&& call) {
    std::vector<T> x(expected.size());
    const auto_report report = call(x);
    EXPECT_EQ(name_of(report.attempts.back().choice), name_of(long_call.attempts.back().choice));
    EXPECT_EQ(report.attempts.size(), long_call.attempts.size());
    EXPECT_EQ(report.result().history, long_call.result().history);
    EXPECT_EQ(solution_hash(x), solution_hash(expected));
  };
  expect_same([&](auto& x) { return solve(a, b, x, options); });
  expect_same([&](auto& x) { return solve(convert<csc_matrix<T>>(a), b, x, options); });
  expect_same([&](auto& x) { return solve(multiply_inspect(a), b, x, options); });
  expect_same([&](auto& x) { return solve(multiply_inspect(a, {.transpose = true}), b, x, options); });
}

TEST(ShortCalls, WithoutAMethodChooseAsSolveAuto) {
  expect_chosen_alike(generate<float>("@poisson2d:15"));
  expect_chosen_alike(generate<std::complex<double>>("@poisson2d:15"));
  expect_chosen_alike(dominant<double>(700, 5));
  expect_chosen_alike(dominant<std::complex<float>>(300, 5));
  expect_chosen_alike(extract(laplacian("@poisson2d:12"), 0, 144, 0, 100));  // least squares
}

TEST_F(ShortCall, WithoutAMethodTakesAPlanInEveryLayoutAndOrdering) {
  std::vector<double> by_matrix(b.size());
  EXPECT_TRUE(solve(a, b, by_matrix).result().converged());
  for (const auto layout : plan_layouts) {
    std::fill(x.begin(), x.end(), 0.0);
    EXPECT_TRUE(solve(multiply_inspect(a, {.layout = layout}), b, x).result().converged());
    EXPECT_EQ(solution_hash(x), solution_hash(by_matrix)) << name_of(layout);
  }
  const auto reordered = multiply_inspect(a, {.reorder = reordering::rcm});
  std::vector<double> b_there(b.size());
  for (std::size_t k = 0; k < b.size(); ++k) b_there[k] = b[static_cast<std::size_t>(reordered.permutation()[k])];
  std::vector<double> x_there(b.size());
  EXPECT_TRUE(solve(reordered, b_there, x_there).result().converged());
  for (std::size_t k = 0; k < b.size(); ++k) x[static_cast<std::size_t>(reordered.permutation()[k])] = x_there[k];
  EXPECT_LE(residual_of(a, b, x), 1.01e-8);
}

TEST_F(ShortCall, OnADeviceHasTheSameBitsAndNeedsAMethod) {
  const auto there = multiply_inspect(a, {.device = devices::simt()});
  EXPECT_TRUE(cg(there, b, x).converged());
  EXPECT_EQ(solution_hash(x), expected);
  expect_error(errc::unsupported, "cannot be read back", [&] { static_cast<void>(solve(there, b, x)); });
  expect_error(errc::invalid_argument, "auto_options.device",
               [&] { static_cast<void>(solve(p, b, x, {.device = devices::simt()})); });
}

}  // namespace
}  // namespace lacis::test

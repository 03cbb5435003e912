// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What is found out about a matrix, what is chosen for it, and ways around: single precision, sparse LU.
#include <algorithm>
#include <cmath>
#include <complex>
#include <gtest/gtest.h>
#include <limits>

#include <lacis/hash.hpp>
#include <lacis/multiply.hpp>
#include <lacis/solve_auto.hpp>
#include <lacis/solve_direct.hpp>

#include "solve/convection.hpp"
#include "solve/systems.hpp"
#include "solve/turns.hpp"
#include "support/errors.hpp"

namespace lacis::test {
namespace {

using enum solve_method;

template <class T>
auto_report choose_and_solve(const csr_matrix<T>& a, std::vector<T>& x, const auto_options& options = {}) {
  const auto b = right_side<T>(a.rows);
  x.assign(static_cast<std::size_t>(a.cols), T(0));
  return solve_auto(a, std::span<const T>(b), std::span<T>(x), options);
}

/// Ones in the columns that are given for each row.
template <class Columns> csr_matrix<double> of_ones(std::int64_t n, Columns&& columns) {
  auto a = from_rows<double, std::int32_t>(n, n, entries::integers, columns);
  std::fill(a.values.data.begin(), a.values.data.end(), 1.0);
  return a;
}

TEST(Choose, FindsOutWhatTheMatrixIs) {
  const auto a = laplacian("@poisson2d:20");
  std::vector<double> x;
  const auto definite = choose_and_solve(a, x).facts;
  EXPECT_TRUE(definite.square && definite.hermitian && definite.full_diagonal && definite.positive_diagonal);
  EXPECT_TRUE(definite.dominant);
  EXPECT_FALSE(definite.indefinite);
  EXPECT_EQ(definite.diagonal_spread, 1);
  const auto indefinite = choose_and_solve(shifted(a, -2), x).facts;
  EXPECT_TRUE(indefinite.hermitian && indefinite.indefinite);
  EXPECT_FALSE(indefinite.dominant);
  const auto general = choose_and_solve(dominant<double>(300, 4), x).facts;
  EXPECT_FALSE(general.hermitian);
  EXPECT_TRUE(general.dominant);
  EXPECT_GT(general.diagonal_spread, 1);
}

TEST(Choose, TakesTheMethodThatTheFactsAskFor) {
  system_facts facts{.square = true, .hermitian = true, .full_diagonal = true, .positive_diagonal = true};
  EXPECT_EQ(name_of(choices_for(facts).front()), "cg");
  facts.diagonal_spread = 1e6;
  EXPECT_EQ(name_of(choices_for(facts).front()), "cg with jacobi");
  facts.indefinite = true;
  EXPECT_EQ(name_of(choices_for(facts).front()), "minres");
  facts.hermitian = false;
  EXPECT_EQ(name_of(choices_for(facts).front()), "bicgstab with ilu0");
  facts.dominated_rows = 0.5;
  const solver_choice a_few = choices_for(facts).front();
  EXPECT_EQ(name_of(a_few), "bicgstab with jacobi");
  EXPECT_EQ(name_of(choices_for(facts)[1]), "bicgstab with ilu0");
  facts.dominated_rows = 0.95;
  EXPECT_EQ(name_of(choices_for(facts).front()), "bicgstab with jacobi");
  EXPECT_GT(choices_for(facts).front().share, a_few.share);
  EXPECT_EQ(name_of(choices_for(facts)[2]), "bicgstab with amg");
  facts.full_diagonal = false;
  for (const solver_choice& choice : choices_for(facts)) EXPECT_FALSE(choice.preconditioner) << name_of(choice);
  EXPECT_EQ(choices_for({.square = false, .full_diagonal = false}).size(), 1u);
  EXPECT_EQ(choices_for({.square = false, .full_diagonal = false}).front().method, lsqr);
}

TEST(Choose, GoesOnToWhatWorks) {
  // A cyclic shift: nothing is on the diagonal, and the residual of gmres stays until all rows were seen.
  const std::int64_t n = 3000;
  const auto a = of_ones(n, [&](std::int64_t i) { return std::vector<std::int64_t>{(i + 1) % n}; });
  std::vector<double> x;
  const auto report = choose_and_solve(a, x);
  EXPECT_TRUE(report.result().converged());
  EXPECT_GT(report.attempts.size(), 1u);
  EXPECT_LE(residual_of(a, right_side<double>(n), x), 1e-8);
}

TEST(Choose, ExpectsDigitsToComeMoreSlowly) {
  std::vector<double> history;
  for (int k = 1; k <= 128; ++k) history.push_back(1.0 / (static_cast<double>(k) * k));
  // 2^-14 after 128 and 2^-12 after 64: 2^-16 comes 64 or 128 iterations later.
  EXPECT_NEAR(solver::iterations_left(history, std::ldexp(1.0, -16)), std::sqrt(64.0 * 128.0), 1e-9);
  // 2^-18 comes 128 or 384 iterations later.
  EXPECT_NEAR(solver::iterations_left(history, std::ldexp(1.0, -18)), std::sqrt(128.0 * 384.0), 1e-9);
  EXPECT_EQ(solver::iterations_left(history, 1e-3), 0);
  EXPECT_EQ(solver::iterations_left({}, 1e-3), std::numeric_limits<double>::infinity());
  EXPECT_EQ(solver::iterations_left(std::vector<double>(50, 0.5), 1e-3), std::numeric_limits<double>::infinity());
}

TEST(Choose, LeavesConjugateGradientsThatSlowDown) {
  // Half of the digits are there after the first turn, the others would take 1000 iterations.
  const auto a = laplacian("@poisson2d:700");
  std::vector<double> b(static_cast<std::size_t>(a.rows));
  multiply(a, right_side<double>(a.rows), b);
  std::vector<double> x(b.size());
  const auto report = solve_auto(a, std::span<const double>(b), std::span<double>(x), {});
  ASSERT_EQ(report.attempts.size(), 2U);
  EXPECT_EQ(report.attempts[0].report.iterations, 150);
  EXPECT_EQ(report.attempts[1].choice.preconditioner, preconditioner_kind::amg);
  EXPECT_TRUE(report.attempts[1].report.converged());
}

TEST(Choose, LeavesConjugateGradientsEarlierWhereTheMatrixIsReadFromMemory) {
  // More than 64 MiB: a third of the iterations says enough.
  const auto real = laplacian("@poisson2d:850");
  csr_matrix<std::complex<double>, std::int32_t> a{real.rows, real.cols, real.row_offsets, real.columns,
                                                   values_array<std::complex<double>>(real.nnz())};
  for (std::int64_t k = 0; k < real.nnz(); ++k) a.values.data[k] = real.values[k];
  std::vector<std::complex<double>> x;
  const auto report = choose_and_solve(a, x, {.solve = {.tolerance = 1e-4}});
  ASSERT_EQ(report.attempts.size(), 2U);
  EXPECT_EQ(report.attempts[0].report.iterations, 50);
  EXPECT_EQ(report.attempts[1].choice.preconditioner, preconditioner_kind::amg);
  EXPECT_TRUE(report.attempts[1].report.converged());
}

TEST(Choose, TriesMultigridBeforeFactorsForLargeFlows) {
  const auto methods_for = [](std::int64_t n) {
    auto a = convection(n, 1);
    // The diagonal outweighs every other row.
    for (std::int64_t i = 0; i < a.rows; i += 2)
      for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
        if (a.columns[k] == i) a.values.data[k] -= 1e-6;
    std::vector<double> x;
    std::vector<std::string> names;
    for (const solve_attempt& one : choose_and_solve(a, x).attempts) names.push_back(name_of(one.choice));
    return names;
  };
  const std::vector<std::string> large = methods_for(540);
  EXPECT_EQ(std::count(large.begin(), large.end(), "bicgstab with ilu0"), 0);
  EXPECT_EQ(large.back(), "bicgstab with amg");
  EXPECT_EQ(methods_for(150)[1], "bicgstab with ilu0");
}

TEST(Choose, GivesTheSameBitsOnEveryNumberOfThreads) {
  const auto a = shifted(laplacian("@poisson2d:60"), -0.5);
  std::vector<double> expected;
  const auto alone = choose_and_solve(a, expected, {.threads = 1});
  EXPECT_TRUE(alone.result().converged());
  EXPECT_GT(alone.attempts.size(), 1u);
  for (const int threads : {2, 5}) {
    std::vector<double> x;
    const auto report = choose_and_solve(a, x, {.threads = threads});
    EXPECT_EQ(solution_hash(x), solution_hash(expected)) << threads;
    EXPECT_EQ(report.attempts.size(), alone.attempts.size());
  }
}

TEST(Choose, LeavesAMethodAndGoesOnAsIfItHadNot) {
  // The only one that can: turns change nothing.
  const auto a = laplacian("@poisson2d:60");
  std::vector<double> whole;
  std::vector<double> x;
  const auto asked = choose_and_solve(a, whole, {.method = cg, .no_preconditioner = true});
  const auto chosen = choose_and_solve(a, x, {.no_preconditioner = true});
  ASSERT_EQ(name_of(chosen.attempts.back().choice), "cg");
  EXPECT_EQ(solution_hash(x), solution_hash(whole));
  EXPECT_EQ(chosen.result().history, asked.result().history);
}

TEST(Choose, KeepsTheBestWhereNothingConverges) {
  const auto a = laplacian("@poisson2d:40");
  std::vector<double> x;
  const auto report = choose_and_solve(a, x, {.solve = {.max_iterations = 5}});
  EXPECT_FALSE(report.result().converged());
  for (const solve_attempt& one : report.attempts) EXPECT_GE(one.report.true_residual, report.result().true_residual);
  EXPECT_NEAR(residual_of(a, right_side<double>(a.rows), x), report.result().true_residual, 1e-12);
}

template <class T> void expect_refined(const csr_matrix<T>& a, solve_method method) {
  std::vector<T> x;
  const auto report = choose_and_solve(a, x, {.method = method, .mixed = true});
  EXPECT_TRUE(report.result().converged()) << report.result().reason;
  EXPECT_LE(residual_of(a, right_side<T>(a.rows), x), 1.001e-8);
  EXPECT_EQ(static_cast<std::int64_t>(report.result().history.size()), report.result().iterations);
}

TEST(Refinement, ReachesWhatHalfTheDigitsCannot) {
  expect_refined(laplacian("@poisson2d:40"), cg);
  expect_refined(dominant<double>(500, 5), bicgstab);
  expect_refined(dominant<std::complex<double>>(500, 5), gmres);
  std::vector<double> x;
  const auto tiny =
      choose_and_solve(laplacian("@poisson2d:20"), x, {.solve = {.tolerance = 1e-14}, .method = cg, .mixed = true});
  EXPECT_TRUE(tiny.result().converged()) << tiny.result().reason;
}

TEST(Refinement, SaysWhenTheMatrixIsTooMuchForIt) {
  auto a = laplacian("@poisson2d:20");
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      a.values.data[k] *=
          std::ldexp(1.0, static_cast<int>(i % 40)) * std::ldexp(1.0, static_cast<int>(a.columns[k] % 40));
  std::vector<double> x;
  const auto report = choose_and_solve(
      a, x, {.solve = {.max_iterations = 500}, .method = cg, .no_preconditioner = true, .mixed = true});
  EXPECT_FALSE(report.result().converged());
  EXPECT_LE(report.result().true_residual, 1.0);
}

TEST(Refinement, RefusesWhatItCannotDo) {
  auto wide = laplacian("@poisson2d:5");
  csr_matrix<float> narrow{wide.rows, wide.cols, wide.row_offsets, wide.columns, values_array<float>(wide.nnz())};
  for (std::int64_t k = 0; k < wide.nnz(); ++k) narrow.values.data[k] = static_cast<float>(wide.values[k]);
  std::vector<float> x;
  EXPECT_EQ(code_of([&] { static_cast<void>(choose_and_solve(narrow, x, {.mixed = true})); }), errc::invalid_argument);
}

template <class T> void expect_direct(const csr_matrix<T>& a, const char* by) {
  std::vector<T> x;
  // A correction ends where rounding x does: about a digit of each term of a row.
  const double digits = 100 * static_cast<double>(std::numeric_limits<real_of<T>>::epsilon());
  const auto report = choose_and_solve(a, x, {.solve = {.tolerance = digits}, .direct = true});
  EXPECT_TRUE(report.result().converged()) << report.result().reason;
  EXPECT_NE(report.result().reason.find(by), std::string::npos) << report.result().reason;
  EXPECT_LE(residual_of(a, right_side<T>(a.rows), x), 2 * digits);
}

TEST(Direct, SolvesEveryType) {
  if (!has_direct_solver()) GTEST_SKIP() << "built without KLU";
  expect_direct(laplacian("@poisson2d:30"), has_cholmod() ? "CHOLMOD" : "KLU");
  expect_direct(shifted(laplacian("@poisson2d:30"), -2.05), "KLU");
  expect_direct(dominant<double>(300, 4), "KLU");
  expect_direct(dominant<std::complex<double>>(300, 4), "KLU");
  expect_direct(dominant<std::complex<float>>(300, 4), "KLU");
}

TEST(Direct, NamesASingularMatrix) {
  if (!has_direct_solver()) GTEST_SKIP() << "built without KLU";
  const auto a = of_ones(3, [](std::int64_t) { return std::vector<std::int64_t>{0, 1, 2}; });
  std::vector<double> x;
  const auto report = choose_and_solve(a, x, {.direct = true});
  EXPECT_EQ(report.result().outcome, solve_outcome::broke_down);
  EXPECT_NE(report.result().reason.find("singular"), std::string::npos);
}

}  // namespace
}  // namespace lacis::test

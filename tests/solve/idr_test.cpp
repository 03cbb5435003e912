// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Induced dimension reduction: it solves what bicgstab solves, ends where theory says, and has the same bits
// everywhere.
#include <filesystem>
#include <gtest/gtest.h>
#include <optional>

#include <lacis/hash.hpp>
#include <lacis/precondition.hpp>
#include <lacis/solve.hpp>

#include "solve/convection.hpp"
#include "solve/systems.hpp"

namespace lacis::test {
namespace {

template <class T>
solve_report expect_solved(const csr_matrix<T>& a, double tolerance, std::optional<preconditioner_kind> kind = {}) {
  const auto b = right_side<T>(a.rows);
  std::unique_ptr<preconditioner<T>> m;
  if (kind) m = make_preconditioner(a, {.kind = *kind});
  const auto plan = multiply_inspect(a);
  const method_options<T> options{.tolerance = tolerance, .preconditioner = m};
  std::vector<T> x(b.size());
  EXPECT_TRUE(bicgstab(plan, b, x, options).converged());
  std::fill(x.begin(), x.end(), T(0));
  const solve_report report = idr(plan, b, x, options);
  EXPECT_TRUE(report.converged()) << report.reason;
  EXPECT_LE(residual_of(a, b, x), 1.1 * tolerance);
  EXPECT_EQ(report.history.size(), static_cast<std::size_t>(report.iterations));
  return report;
}

TEST(Idr, SolvesTheUnsymmetricSystemsThatBicgstabSolves) {
  expect_solved(dominant<double>(700, 5), 1e-10);
  expect_solved(dominant<float>(300, 4), 1e-5);
  expect_solved(dominant<std::complex<float>>(300, 4), 1e-5);
  expect_solved(dominant<std::complex<double>>(300, 4), 1e-10);
  for (const double wind : {0.1, 1.0, 10.0}) {
    const auto windy = convection(40, wind);
    const auto plain = expect_solved(windy, 1e-9);
    EXPECT_LT(expect_solved(windy, 1e-9, preconditioner_kind::ilu0).iterations, plain.iterations / 2) << wind;
    EXPECT_LT(expect_solved(windy, 1e-9, preconditioner_kind::amg).iterations, plain.iterations / 2) << wind;
  }
}

/// n + n / s products in exact arithmetic; one of the recurrences broken takes more.
TEST(Idr, EndsAfterTheProductsThatTheDimensionAllows) {
  for (const std::int64_t n : {1, 2, 3, 4, 5, 8, 20, 40}) {
    const auto a = dominant<double>(n, 5);
    const auto b = right_side<double>(n);
    std::vector<double> x(b.size());
    const auto report = idr(multiply_inspect(a), b, x, {.tolerance = 1e-8});
    EXPECT_TRUE(report.converged()) << n << ": " << report.reason;
    EXPECT_LE(report.iterations, n + (n + 3) / 4) << n;
  }
}

TEST(Idr, NeedsFewerProductsThanBicgstab) {
  const auto a = convection(60, 0.2);
  const auto b = right_side<double>(a.rows);
  const auto plan = multiply_inspect(a);
  std::vector<double> x(b.size());
  std::vector<double> y(b.size());
  EXPECT_LT(idr(plan, b, x).iterations, 2 * bicgstab(plan, b, y).iterations);
}

TEST(Idr, ItsResidualIsThatOfTheSystemAlsoWithAPreconditioner) {
  const auto a = convection(30, 1);
  const auto b = right_side<double>(a.rows);
  const auto plan = multiply_inspect(a);
  for (const bool preconditioned : {false, true}) {
    const auto m = make_preconditioner(a, {.kind = preconditioner_kind::ilu0});
    for (const std::int64_t most : {1, 2, 3, 4, 5, 6, 12}) {
      method_options<double> options{.max_iterations = most};
      if (preconditioned) options.preconditioner = m;
      std::vector<double> x(b.size());
      const auto report = idr(plan, b, x, options);
      EXPECT_EQ(report.iterations, most);
      EXPECT_NEAR(report.history.back() / residual_of(a, b, x), 1, 1e-10) << most;
    }
  }
}

TEST(Idr, HasTheSameBitsOnEveryNumberOfThreads) {
  const auto a = convection(100, 0.5);  // 10000 rows: several blocks of a dot product
  const auto b = right_side<double>(a.rows);
  const auto solved = [&](int threads) {
    std::vector<double> x(b.size());
    const auto m = make_preconditioner(a, {.kind = preconditioner_kind::spai0, .threads = threads});
    const auto report = idr(multiply_inspect(a, {.threads = threads}), b, x, {.preconditioner = m});
    EXPECT_TRUE(report.converged());
    return std::pair{report.history, solution_hash(x)};
  };
  const auto expected = solved(1);
  for (const int threads : {2, 3, 7}) EXPECT_EQ(solved(threads), expected) << threads;
}

TEST(Idr, HasTheSameBitsOnADevice) {
  const auto a = convection(15, 0.5);
  const auto b = right_side<double>(a.rows);
  std::vector<double> expected(b.size());
  std::vector<double> x(b.size());
  const auto here = idr(multiply_inspect(a), b, expected, {.max_iterations = 23});
  const auto there = idr(multiply_inspect(a, {.device = devices::simt()}), b, x, {.max_iterations = 23});
  EXPECT_EQ(there.history, here.history);
  EXPECT_EQ(solution_hash(x), solution_hash(expected));
}

TEST(Idr, GoesOnToTheSameBitsFromACheckpointAnywhereInItsCycle) {
  const auto directory = std::filesystem::temp_directory_path() / "lacis_idr_checkpoint";
  const auto a = convection(20, 1);
  const auto b = right_side<double>(a.rows);
  const auto plan = multiply_inspect(a);
  const auto m = make_preconditioner(a, {.kind = preconditioner_kind::jacobi});
  std::vector<double> expected(b.size());
  const auto whole = idr(plan, b, expected, {.preconditioner = m});
  ASSERT_TRUE(whole.converged());
  for (std::int64_t stop = 1; stop <= 11; ++stop) {
    std::filesystem::remove_all(directory);
    method_options<double> options{.checkpoint = directory.string(), .checkpoint_every = 1, .preconditioner = m};
    options.monitor = [&](const solve_progress& now) { return now.iteration != stop + 1; };
    std::vector<double> x(b.size());
    EXPECT_EQ(idr(plan, b, x, options).outcome, solve_outcome::stopped);
    options.monitor = {};
    std::fill(x.begin(), x.end(), 0.0);
    const auto rest = idr(plan, b, x, options);
    EXPECT_EQ(rest.resumed_at, stop);
    EXPECT_EQ(rest.history, whole.history) << stop;
    EXPECT_EQ(solution_hash(x), solution_hash(expected)) << stop;
  }
  std::filesystem::remove_all(directory);
}

TEST(Idr, TakesAPreconditionerThatIsNoLinearMap) {
  const auto a = convection(60, 1);
  const auto b = right_side<double>(a.rows);
  const auto m = make_preconditioner(
      a, {.kind = preconditioner_kind::amg, .multigrid = {.cycle = multigrid_cycle::k, .coarsest_rows = 20}});
  std::vector<double> x(b.size());
  const auto report = idr(multiply_inspect(a), b, x, {.preconditioner = m});
  EXPECT_TRUE(report.converged()) << report.reason;
  EXPECT_LE(residual_of(a, b, x), 1.01e-8);
}

}  // namespace
}  // namespace lacis::test

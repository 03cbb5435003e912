// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Batches of small systems: every x and every report has the bits of a single solution.
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <gtest/gtest.h>
#include <memory>
#include <random>

#include <lacis/batch.hpp>
#include <lacis/generate.hpp>
#include <lacis/multiply.hpp>
#include <lacis/plan.hpp>
#include <lacis/precondition.hpp>

#include "solve/batch_systems.hpp"
#include "support/errors.hpp"

namespace lacis::test {
namespace {

/// What solve() says of one system; an error of its numbers is a breakdown with x = 0.
template <class T>
system_report single(const batch<T>& all, std::int64_t s, const batch_options& options, std::vector<T>& x) {
  x = all.start(s);
  try {
    const auto a = all.matrix(s);
    const auto plan = multiply_inspect(a);
    std::unique_ptr<preconditioner<T>> m;
    if (options.preconditioner == batch_preconditioner::jacobi) m = make_preconditioner(a);
    const auto one = solve<T>(options.method == batch_method::cg ? solve_method::cg : solve_method::bicgstab,
                              *make_operator(plan), all.right_side(s), x,
                              {.tolerance = options.tolerance, .max_iterations = options.max_iterations}, m.get());
    return {one.outcome, one.iterations, one.residual, one.true_residual, one.converged() ? "" : one.reason};
  } catch (const error& problem) {
    std::fill(x.begin(), x.end(), T(0));
    return {solve_outcome::broke_down, 0, 0, 1, std::string(problem.what()) + "; x is set to zero"};
  }
}

struct outcomes {
  std::array<std::int64_t, 6> count{};
  std::int64_t alone = 0;
  std::int64_t systems = 0;
};

template <class T> void expect_single_solutions(const batch<T>& all, const batch_options& options, outcomes& seen) {
  std::vector<T> x = all.x;
  const batch_report report = solve_batch(all.pattern, all.values, all.b, x, options);
  ASSERT_EQ(report.systems.size(), static_cast<std::size_t>(all.systems));
  seen.alone += report.alone;
  seen.systems += all.systems;
  for (std::int64_t s = 0; s < all.systems; ++s) {
    std::vector<T> expected;
    const system_report one = single(all, s, options, expected);
    const system_report& found = report.systems[static_cast<std::size_t>(s)];
    ++seen.count[static_cast<std::size_t>(found.outcome)];
    ASSERT_EQ(found.outcome, one.outcome) << found.reason << " / " << one.reason << " in system " << s;
    ASSERT_EQ(found.iterations, one.iterations) << s;
    ASSERT_TRUE(same_number(found.residual, one.residual)) << s << " " << found.residual << " " << one.residual;
    ASSERT_TRUE(same_number(found.true_residual, one.true_residual)) << s;
    ASSERT_EQ(found.reason, one.reason) << s;
    ASSERT_TRUE(same_bits<T>(all.part(x, s), expected)) << "system " << s << " of " << all.pattern.rows << " rows";
  }
}

template <class T> void expect_single_solutions_of_all_kinds(bool ordinary, outcomes& seen) {
  std::uint64_t seed = ordinary ? 1 : 1000;
  for (const std::int64_t n : {1, 2, 3, 7, 31, 32, 33, 63, 64, 65, 100, 129, 200, 300})
    for (const auto method : {batch_method::cg, batch_method::bicgstab})
      for (const auto preconditioner : {batch_preconditioner::none, batch_preconditioner::jacobi}) {
        ++seed;
        const auto all = random_batch<T>(n, 37, seed, ordinary, method == batch_method::cg);
        const double tolerance = std::is_same_v<T, float> ? 1e-4 : seed % 2 == 0 ? 1e-8 : 1e-12;
        SCOPED_TRACE(testing::Message() << n << " rows, " << name_of(method) << ", seed " << seed);
        expect_single_solutions<T>(all,
                                   {.method = method,
                                    .preconditioner = preconditioner,
                                    .tolerance = tolerance,
                                    .max_iterations = seed % 5 == 0 ? 6 : 0},
                                   seen);
        if (testing::Test::HasFatalFailure()) return;
      }
}

TEST(Batch, HasTheBitsOfSingleSolutions) {
  outcomes seen;
  expect_single_solutions_of_all_kinds<double>(true, seen);
  expect_single_solutions_of_all_kinds<float>(true, seen);
  EXPECT_EQ(seen.alone, 0) << "ordinary systems take the common way";
  EXPECT_GT(seen.count[static_cast<std::size_t>(solve_outcome::converged)], seen.systems / 2);
  EXPECT_GT(seen.count[static_cast<std::size_t>(solve_outcome::max_iterations)], 0);
}

TEST(Batch, HasTheBitsOfSingleSolutionsThatFail) {
  outcomes seen;
  expect_single_solutions_of_all_kinds<double>(false, seen);
  expect_single_solutions_of_all_kinds<float>(false, seen);
  EXPECT_GT(seen.alone, 0);
  EXPECT_LT(seen.alone, seen.systems * 3 / 4);
  for (const auto outcome : {solve_outcome::converged, solve_outcome::max_iterations, solve_outcome::broke_down,
                             solve_outcome::out_of_range})
    EXPECT_GT(seen.count[static_cast<std::size_t>(outcome)], 0) << name_of(outcome);
}

TEST(Batch, KeepsTheSignsOfZeros) {
  // Row 1 stands alone, and everything in it is -0: system 0 is solved at the start and waits for the others.
  batch<double> all;
  all.pattern = {3, 3, std::vector<std::int64_t>{0, 2, 3, 5}, std::vector<std::int32_t>{0, 2, 1, 0, 2},
                 std::vector<double>(5, 1.0)};
  all.systems = 3;
  all.values = {4, 1, 4, 1, 4, 4, 1, 2, 1, 5, 7, 2, 3, 2, 6};
  all.b = {6, -0.0, 9, 1, -0.0, 3, 2, -0.0, -1};
  all.x = {1, -0.0, 2, 0, -0.0, 0, -0.0, -0.0, -0.0};
  outcomes seen;
  for (const auto method : {batch_method::cg, batch_method::bicgstab})
    for (const auto preconditioner : {batch_preconditioner::none, batch_preconditioner::jacobi})
      expect_single_solutions<double>(all, {.method = method, .preconditioner = preconditioner}, seen);
  EXPECT_EQ(seen.count[static_cast<std::size_t>(solve_outcome::converged)], seen.systems);
  EXPECT_EQ(seen.alone, 0);
}

TEST(Batch, RestartsAsSingleSolutionsDo) {
  // A tolerance near the precision: the recurrence arrives, the true residual does not.
  outcomes seen;
  for (const std::int64_t n : {40, 150})
    for (const auto method : {batch_method::cg, batch_method::bicgstab})
      expect_single_solutions<double>(random_batch<double>(n, 100, static_cast<std::uint64_t>(n), true, true),
                                      {.method = method, .tolerance = 3e-16}, seen);
  EXPECT_GT(seen.count[static_cast<std::size_t>(solve_outcome::stagnated)], 0);
}

TEST(Batch, SumsBlocksAndChunksInTheirOrder) {
  // More rows than a block of a dot product, and a row longer than a chunk.
  outcomes seen;
  const auto all = random_batch<double>(9001, 9, 5, true, true);
  expect_single_solutions<double>(all, {}, seen);
  EXPECT_EQ(seen.alone, 0);
}

template <class T> std::vector<T> solution_of(const batch<T>& all, const batch_options& options) {
  std::vector<T> x = all.x;
  static_cast<void>(solve_batch(all.pattern, all.values, all.b, x, options));
  return x;
}

TEST(Batch, DoesNotDependOnThreadsInstructionsAndNeighbours) {
  for (std::size_t m = 0; m < batch_methods; ++m) {
    const auto method = static_cast<batch_method>(m);
    SCOPED_TRACE(name_of(method));
    const auto all = random_batch<double>(60, 101, 9, false, m % 2 == 0);
    const auto expected = solution_of(all, {.method = method, .threads = 1, .isa = isa::scalar});
    for (const isa set : supported_isas())
      for (const int threads : {1, 3})
        EXPECT_TRUE(same_bits<double>(solution_of(all, {.method = method, .threads = threads, .isa = set}), expected))
            << name_of(set);
    const auto single_precision = random_batch<float>(60, 50, 9, false, m % 2 == 0);
    const auto expected_there = solution_of(single_precision, {.method = method, .isa = isa::scalar});
    for (const isa set : supported_isas())
      EXPECT_TRUE(same_bits<float>(solution_of(single_precision, {.method = method, .isa = set}), expected_there));
    // Each alone.
    const auto entries = all.pattern.nnz();
    for (std::int64_t s = 0; s < all.systems; ++s) {
      std::vector<double> x = all.start(s);
      static_cast<void>(solve_batch(
          all.pattern,
          std::span(all.values).subspan(static_cast<std::size_t>(s * entries), static_cast<std::size_t>(entries)),
          all.right_side(s), x, {.method = method}));
      ASSERT_TRUE(same_bits<double>(x, all.part(expected, s))) << s;
    }
  }
}

/// Whether a report that says so is right, in long double.
template <class T>
void expect_no_false_success(const batch<T>& all, const std::vector<T>& x, const batch_report& report,
                             double tolerance) {
  for (std::int64_t s = 0; s < all.systems; ++s) {
    const auto solution = all.part(x, s);
    for (const T element : solution) ASSERT_TRUE(std::isfinite(element)) << s;
    if (!report.systems[static_cast<std::size_t>(s)].converged()) continue;
    const auto a = all.matrix(s);
    long double rest = 0;
    long double whole = 0;
    for (std::int64_t i = 0; i < a.rows; ++i) {
      long double r = all.right_side(s)[static_cast<std::size_t>(i)];
      whole += r * r;
      for (const auto [column, value] : a.row(i))
        r -= static_cast<long double>(value) * solution[static_cast<std::size_t>(column)];
      rest += r * r;
    }
    ASSERT_LE(std::sqrt(rest), 2 * tolerance * std::sqrt(whole)) << s;
  }
}

TEST(Batch, BandFactorsSolveWhatTheyCan) {
  for (const auto method : {batch_method::band_lu, batch_method::band_cholesky})
    for (const std::int64_t n : {1, 2, 9, 60, 200})
      for (const bool ordinary : {true, false}) {
        SCOPED_TRACE(testing::Message() << name_of(method) << " of " << n << " rows");
        const auto all = random_batch<double>(n, 50, static_cast<std::uint64_t>(3 * n), ordinary,
                                              method == batch_method::band_cholesky);
        std::vector<double> x = all.x;
        const auto report = solve_batch(all.pattern, all.values, all.b, x, {.method = method, .tolerance = 1e-10});
        EXPECT_EQ(report.alone, 0);
        expect_no_false_success(all, x, report, 1e-10);
        for (std::int64_t s = 0; s < all.systems; ++s) {
          const auto& one = report.systems[static_cast<std::size_t>(s)];
          const kind what = all.kinds[static_cast<std::size_t>(s)];
          if (what == kind::definite || what == kind::zero_right_side ||
              (what == kind::dominant && method == batch_method::band_lu)) {
            EXPECT_TRUE(one.converged()) << s << ": " << one.reason;
          }
          if (what == kind::not_a_number || what == kind::infinite) {
            EXPECT_EQ(one.outcome, solve_outcome::broke_down) << s;
            EXPECT_FALSE(one.reason.empty());
          }
        }
      }
}

TEST(Batch, BandLuPivots) {
  // (0 1; 1 0) needs a swap, its neighbour must not get one; the third is singular.
  const csr_matrix<double> pattern{2, 2, std::vector<std::int64_t>{0, 2, 4}, std::vector<std::int32_t>{0, 1, 0, 1},
                                   std::vector<double>(4)};
  const std::vector<double> values = {0, 1, 1, 0, 2, 0, 0, 4, 1, 2, 2, 4};
  const std::vector<double> b = {3, 5, 2, 8, 1, 1};
  std::vector<double> x(6);
  const auto report = solve_batch(pattern, values, b, x, {.method = batch_method::band_lu});
  EXPECT_EQ(x, (std::vector<double>{5, 3, 1, 2, 0, 0}));
  EXPECT_TRUE(report.systems[0].converged());
  EXPECT_TRUE(report.systems[1].converged());
  EXPECT_EQ(report.systems[2].outcome, solve_outcome::broke_down);
  EXPECT_EQ(report.unsolved(), 1);
}

template <class T> void expect_single_products(std::int64_t rows, std::int64_t systems) {
  const auto pattern = generate<float, std::int32_t>("@uniform:" + std::to_string(rows) + ",40");
  std::mt19937_64 random(3);
  std::uniform_real_distribution<float> number(-1, 1);
  const auto filled = [&](std::int64_t size) {
    std::vector<T> all(static_cast<std::size_t>(size));
    for (T& v : all) v = T(number(random));
    return all;
  };
  const auto values = filled(systems * pattern.nnz());
  const auto x = filled(systems * rows);
  std::vector<T> y(x.size(), T(9));
  multiply_batch(pattern, values, x, y, {.threads = 3});
  for (std::int64_t s = 0; s < systems; ++s) {
    const csr_view<T> a(rows, rows, pattern.row_offsets, pattern.columns,
                        values_view<T>(std::span<const T>(values).subspan(static_cast<std::size_t>(s * pattern.nnz()),
                                                                          static_cast<std::size_t>(pattern.nnz()))));
    std::vector<T> expected(static_cast<std::size_t>(rows));
    multiply(a, std::span<const T>(x).subspan(static_cast<std::size_t>(s * rows), expected.size()), expected);
    ASSERT_TRUE(
        same_bits<T>(std::span<const T>(y).subspan(static_cast<std::size_t>(s * rows), expected.size()), expected));
  }
}

TEST(Batch, ProductsHaveTheBitsOfSingleOnes) {
  expect_single_products<float>(100, 20);
  expect_single_products<double>(100, 20);
  expect_single_products<std::complex<float>>(50, 7);
  expect_single_products<std::complex<double>>(50, 7);
}

TEST(Batch, RefusesArraysThatDoNotFit) {
  const auto a = generate<double, std::int32_t>("@poisson2d:3");
  const auto entries = static_cast<std::size_t>(a.nnz());
  const std::vector<double> values(3 * entries, 1.0);
  std::vector<double> b(27, 1.0);
  std::vector<double> x(27);
  const auto fails = [&](errc code, auto&& call) { EXPECT_EQ(code_of([&] { call(); }), code); };
  const auto solve_with = [&](const auto& v, const auto& right, auto& solution, const batch_options& options = {}) {
    static_cast<void>(solve_batch(a, v, right, solution, options));
  };
  fails(errc::invalid_argument, [&] { solve_with(std::vector<double>(3 * entries + 1), b, x); });
  fails(errc::invalid_argument, [&] { solve_with(std::vector<double>(2 * entries), b, x); });
  fails(errc::invalid_argument, [&] { solve_with(values, std::vector<double>(26), x); });
  std::vector<double> longer(28);
  fails(errc::invalid_argument, [&] { solve_with(values, b, longer); });
  fails(errc::invalid_argument, [&] { solve_with(values, b, b); });
  fails(errc::invalid_argument, [&] { solve_with(values, b, x, {.tolerance = -1}); });
  fails(errc::invalid_argument, [&] { solve_with(values, b, x, {.tolerance = std::nan("")}); });
  fails(errc::invalid_argument, [&] { solve_with(values, b, x, {.threads = -1}); });
  fails(errc::invalid_argument, [&] {
    solve_with(values, b, x, {.method = batch_method::band_lu, .preconditioner = batch_preconditioner::jacobi});
  });
  const csr_matrix<double> no_diagonal{2, 2, std::vector<std::int64_t>{0, 1, 2}, std::vector<std::int32_t>{1, 0},
                                       std::vector<double>(2)};
  std::vector<double> two(2);
  fails(errc::invalid_matrix, [&] {
    static_cast<void>(solve_batch(no_diagonal, std::vector<double>{1, 1}, std::vector<double>{1, 1}, two,
                                  {.preconditioner = batch_preconditioner::jacobi}));
  });
  const csr_matrix<double> wide{1, 2, std::vector<std::int64_t>{0, 1}, std::vector<std::int32_t>{1},
                                std::vector<double>(1)};
  fails(errc::invalid_matrix,
        [&] { static_cast<void>(solve_batch(wide, std::vector<double>{1}, std::vector<double>{1}, two)); });
  const csr_matrix<double> unsorted{2, 2, std::vector<std::int64_t>{0, 2, 2}, std::vector<std::int32_t>{1, 0},
                                    std::vector<double>(2)};
  fails(errc::invalid_matrix,
        [&] { static_cast<void>(solve_batch(unsorted, std::vector<double>{1, 1}, std::vector<double>{1, 1}, two)); });
  std::vector<double> none;
  EXPECT_TRUE(solve_batch(a, none, std::vector<double>{}, none).systems.empty());
}

}  // namespace
}  // namespace lacis::test

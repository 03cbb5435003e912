// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What a report says of x holds for that x: judged in long double, on systems whose residuals cancel.
#include <gtest/gtest.h>

#include <lacis/batch.hpp>
#include <lacis/builder.hpp>
#include <lacis/solve_auto.hpp>
#include <lacis/solve_direct.hpp>

#include "solve/jumps.hpp"
#include "solve/scaled_system.hpp"
#include "solve/systems.hpp"
#include "solve/torture/judge.hpp"
#include "summation/precise.hpp"
#include "support/errors.hpp"

namespace lacis::test {
namespace {

template <class T> double true_residual(const csr_matrix<T>& a, const std::vector<T>& b, const std::vector<T>& x) {
  return static_cast<double>(torture::judge<T>(a, b, x).residual);
}

/// Nothing but rounding of the residual's own norm.
template <class T>
void expect_honest(const solve_report& report, const csr_matrix<T>& a, const std::vector<T>& b, const std::vector<T>& x,
                   double tolerance) {
  const double residual = true_residual(a, b, x);
  if (report.converged()) {
    EXPECT_LE(residual, tolerance * (1 + 1e-6)) << "reported " << report.true_residual << ": " << report.reason;
  }
}

/// Unknowns 0 and n - 1 are joined and hardly grounded: they are large and nearly equal.
csr_matrix<double> pair_of(std::int64_t n, double ground) {
  builder<double> all(n, n);
  {
    auto put = all.inserter();
    for (std::int64_t i = 0; i < n; ++i) put(i, i, i + 1 == n ? 1 + ground : 1.0);
    put(0, n - 1, -1.0);
    put(n - 1, 0, -1.0);
  }
  return all.build();
}

/// A grid without ground, whose unknowns `i` and `j` are joined to each other instead of to the rest.
csr_matrix<double> grid_with_pair(std::int64_t n, std::int64_t i, std::int64_t j, double ground) {
  const auto grid = laplacian("@poisson2d:" + std::to_string(n));
  builder<double> all(grid.rows, grid.cols);
  {
    auto put = all.inserter();
    const auto is_apart = [&](std::int64_t row) { return row == i || row == j; };
    for (std::int64_t row = 0; row < grid.rows; ++row)
      for (std::int64_t k = grid.row_offsets[row]; k < grid.row_offsets[row + 1]; ++k)
        if (!is_apart(row) && !is_apart(grid.columns[k])) put(row, grid.columns[k], grid.values[k]);
    put(i, i, 1.0);
    put(j, j, 1 + ground);
    put(i, j, -1.0);
    put(j, i, -1.0);
  }
  return all.build();
}

TEST(Claims, HoldForPairsThatAreNearlySingular) {
  std::int64_t converged = 0;
  for (const std::int64_t n : {2, 4, 7, 40, 300})
    for (const double ground : {1e-15, 1e-14, 1e-13, 1e-12, 1e-10, 1e-6})
      for (const solve_method method :
           {solve_method::cg, solve_method::minres, solve_method::gmres, solve_method::bicgstab, solve_method::fgmres})
        for (const double start : {0.0, 1e3}) {
          const auto a = pair_of(n, ground);
          std::vector<double> b(static_cast<std::size_t>(n), 0);
          b[0] = 1;
          std::vector<double> x(b.size(), start);
          const auto report = solve<double>(method, *make_operator(multiply_inspect(a)), b, std::span<double>(x));
          expect_honest(report, a, b, x, 1e-8);
          converged += report.converged() ? 1 : 0;
        }
  EXPECT_GT(converged, 50);
}

TEST(Claims, HoldForAWeaklyGroundedPairInAGrid) {
  for (std::int64_t i = 0; i < 100; i += 7)
    for (const std::int64_t apart : {3, 11, 50}) {
      const auto a = grid_with_pair(12, i, (i + apart) % 144, 1e-9);
      std::vector<double> b(144, 0.0);
      b[static_cast<std::size_t>(i)] = 1;
      for (const double tolerance : {1e-8, 3e-8}) {
        std::vector<double> x(b.size(), 0);
        const auto report = solve<double>(solve_method::gmres, *make_operator(multiply_inspect(a)), b,
                                          std::span<double>(x), {.tolerance = tolerance});
        expect_honest(report, a, b, x, tolerance);
      }
    }
}

TEST(Claims, HoldWhereEntriesAreNotKnown) {
  for (const double ground : {1e-15, 1e-13, 1e-12})
    for (const std::int64_t n : {2, 4, 29, 65, 300}) {
      const auto a = pair_of(n, ground);
      const auto plan = multiply_inspect(a);
      const auto op =
          make_operator<double>(n, n, [&](std::span<const double> x, std::span<double> y) { multiply(plan, x, y); });
      std::vector<double> b(static_cast<std::size_t>(n), 0);
      b[0] = 1;
      for (const solve_method method : {solve_method::minres, solve_method::gmres}) {
        std::vector<double> x(b.size(), 0);
        expect_honest(solve<double>(method, *op, b, std::span<double>(x)), a, b, x, 1e-8);
      }
    }
}

TEST(Claims, AnyTwoUnknownsHaveDifferentSignsInSomePattern) {
  for (const std::int64_t n : {1, 2, 3, 5, 64, 65, 300}) {
    const solver::separating_signs signs(n);
    const auto unknowns = static_cast<std::uint64_t>(n);
    for (std::uint64_t i = 0; i < unknowns; ++i)
      for (std::uint64_t j = 0; j < i; ++j) {
        bool differ = false;
        for (int p = 0; p < signs.count(); ++p) differ = differ || signs.of(i, p) != signs.of(j, p);
        EXPECT_TRUE(differ) << i << ' ' << j << " of " << n;
      }
  }
}

TEST(Claims, HoldForBatchesOfPairs) {
  constexpr std::int64_t n = 27;
  std::vector<double> values;
  std::vector<double> b;
  std::vector<csr_matrix<double>> all;
  for (int s = 0; s < 40; ++s) {
    all.push_back(pair_of(n, std::ldexp(1.0, -20 - s)));
    values.insert(values.end(), all.back().values.data.begin(), all.back().values.data.end());
    b.push_back(1);
    b.resize(static_cast<std::size_t>((s + 1) * n), 0);
  }
  for (const batch_method method :
       {batch_method::cg, batch_method::bicgstab, batch_method::band_lu, batch_method::band_cholesky})
    for (const double tolerance : {1e-8, 3e-10}) {
      std::vector<double> x(b.size(), 0);
      const auto found = solve_batch(all[0], values, b, x, {.method = method, .tolerance = tolerance});
      for (std::size_t s = 0; s < all.size(); ++s) {
        const std::vector<double> x_s(x.begin() + static_cast<std::ptrdiff_t>(s * n),
                                      x.begin() + static_cast<std::ptrdiff_t>((s + 1) * n));
        const std::vector<double> b_s(b.begin(), b.begin() + n);
        const double residual = true_residual(all[s], b_s, x_s);
        if (found.systems[s].converged()) {
          EXPECT_LE(residual, tolerance * (1 + 1e-6)) << name_of(method) << ' ' << s;
        }
      }
    }
}

/// The residual that is reported is that of the x that is written, also where a correction is taken back.
TEST(Claims, AreOfTheXThatIsWrittenInMixedPrecision) {
  builder<double> all(4, 4);
  {
    auto put = all.inserter();
    const double diagonal[] = {-0.16561, 0.33986, -1.17119, 1.13398};
    for (std::int64_t i = 0; i < 4; ++i) {
      put(i, i, diagonal[i]);
      if (i > 0) put(i, i - 1, -1.0);
      if (i < 3) put(i, i + 1, -1.0);
    }
  }
  const auto a = all.build();
  for (const solve_method method : {solve_method::chebyshev, solve_method::cg, solve_method::bicgstab})
    for (const preconditioner_kind kind : {preconditioner_kind::ssor, preconditioner_kind::jacobi}) {
      std::vector<double> x(4, 0.0);
      const std::vector<double> b = {1, 1, 1, 1};
      auto_options options;
      options.method = method;
      options.preconditioner = kind;
      options.mixed = true;
      const auto report = solve_auto(a, std::span<const double>(b), std::span<double>(x), options).result();
      EXPECT_NEAR(report.true_residual, true_residual(a, b, x), 1e-6 * (1 + report.true_residual)) << report.reason;
    }
}

template <class T> class ClaimsInSinglePrecision : public testing::Test {};
using single_types = testing::Types<float, std::complex<float>>;
TYPED_TEST_SUITE(ClaimsInSinglePrecision, single_types);

TYPED_TEST(ClaimsInSinglePrecision, TheDefaultToleranceIsReached) {
  using T = TypeParam;
  for (const char* spec : {"@poisson2d:100", "@poisson3d:20", "@stencil27:12"}) {
    const auto a = generate<T, std::int32_t>(spec);
    const std::vector<T> b(static_cast<std::size_t>(a.rows), T(1));
    std::vector<T> x(b.size(), T(0));
    EXPECT_TRUE(cg(multiply_inspect(a), b, x).converged()) << spec;
    x.assign(b.size(), T(0));
    EXPECT_TRUE(solve(a, b, x).result().converged()) << spec;
    if (has_direct_solver()) {
      EXPECT_TRUE(solve_direct(a, std::span<const T>(b), std::span<T>(x)).converged()) << spec;
    }
  }
}

TEST(Claims, NoMethodGoesOnBelowTheRoundingErrorsOfAProduct) {
  const auto a = generate<float, std::int32_t>("@poisson2d:100");
  const std::vector<float> b(static_cast<std::size_t>(a.rows), 1.0F);
  std::vector<float> x(b.size(), 0.0F);
  const auto report = solve(a, b, x, {.solve = {.tolerance = 1e-8}});
  EXPECT_FALSE(report.result().converged());
  EXPECT_NE(report.result().reason.find("rounding errors"), std::string::npos) << report.result().reason;
  std::int64_t iterations = 0;
  for (const solve_attempt& one : report.attempts) iterations += one.report.iterations;
  EXPECT_LE(iterations, 3000);
}

TEST(Claims, LeastSquaresAreCalledByTheirName) {
  const auto a = from_rows<double, std::int32_t>(2, 2, entries::integers,
                                                 [](std::int64_t) { return std::vector<std::int64_t>{}; });
  std::vector<double> x(2, 0.0);
  plan_options how;
  how.transpose = true;
  const auto report = lsqr(multiply_inspect(a, how), std::vector<double>{1, 1}, x);
  EXPECT_TRUE(report.converged());
  EXPECT_EQ(report.true_residual, 1);
  EXPECT_NE(report.reason.find("least-squares solution: |A^H r| / (|A| |r|) is 0"), std::string::npos) << report.reason;
}

/// Long rows too, whose sums have several chunks.
TEST(Claims, BoundsHoldForEveryLengthOfARow) {
  for (const std::int64_t length : {1, 2, 31, 32, 33, 64, 1000, 1024, 1025, 5000}) {
    const auto a = from_rows<double, std::int32_t>(3, length, entries::reals, [&](std::int64_t) {
      std::vector<std::int64_t> columns(static_cast<std::size_t>(length));
      for (std::int64_t j = 0; j < length; ++j) columns[static_cast<std::size_t>(j)] = j;
      return columns;
    });
    const auto op = make_operator(multiply_inspect(a));
    auto& space = op->space();
    const auto x = space.zeros(length), y = space.zeros(3), bound = space.zeros(3), zero = space.zeros(3),
               precise = space.zeros(3);
    space.from_host(full_numbers<double>(length, 5), x);
    op->apply(x, y);
    ASSERT_TRUE(op->bound_rounding(x, bound));
    ASSERT_TRUE(op->precise_residual(zero, x, precise));
    for (std::int64_t i = 0; i < 3; ++i) {
      long double sum = 0;
      for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
        sum += static_cast<long double>(a.values[k]) * static_cast<long double>(x.data()[a.columns[k]]);
      EXPECT_LE(std::fabs(static_cast<double>(static_cast<long double>(y.data()[i]) - sum)), bound.data()[i]) << length;
      EXPECT_NEAR(precise.data()[i], static_cast<double>(-sum), 1e-15 * std::fabs(static_cast<double>(sum)) + 1e-18)
          << length;
    }
  }
}

TEST(Claims, EveryLayoutHasTheSameBoundsAndResiduals) {
  const auto a = laplacian("@poisson2d:40");
  const auto b = right_side<double>(a.rows);
  std::vector<std::uint64_t> hashes;
  for (const plan_layout layout : plan_layouts) {
    const auto op = make_operator(multiply_inspect(a, {.layout = layout}));
    auto& space = op->space();
    const auto x = space.zeros(a.rows), y = space.zeros(a.rows), r = space.zeros(a.rows), right = space.zeros(a.rows);
    space.from_host(full_numbers<double>(a.rows, 5), x);
    space.from_host(b, right);
    ASSERT_TRUE(op->bound_rounding(x, y));
    ASSERT_TRUE(op->precise_residual(right, x, r));
    hashes.push_back(space.hash(y) * 3 + space.hash(r));
  }
  EXPECT_EQ(std::count(hashes.begin(), hashes.end(), hashes[0]), static_cast<std::ptrdiff_t>(hashes.size()));
}

}  // namespace
}  // namespace lacis::test

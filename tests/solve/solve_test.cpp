// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Solvers: they reach what they report, give the same bits everywhere, and say why when they cannot.
#include <gtest/gtest.h>

#include <lacis/hash.hpp>
#include <lacis/precondition.hpp>
#include <lacis/solve.hpp>

#include "solve/systems.hpp"
#include "support/errors.hpp"

namespace lacis::test {
namespace {

template <class T>
solve_report solve_with(solve_method method, const csr_matrix<T>& a, const std::vector<T>& b, std::vector<T>& x,
                        const solve_options& options = {}, const std::type_identity_t<preconditioner<T>>* m = nullptr,
                        plan_options how = {}) {
  how.transpose = how.conjugate_transpose = method == solve_method::lsqr;
  const auto op = make_operator(multiply_inspect(a, how));
  x.resize(static_cast<std::size_t>(a.cols));
  return solve<T>(method, *op, b, x, options, m);
}

/// The methods whose traits `suits` takes.
template <class Suits> std::vector<solve_method> methods_where(Suits&& suits) {
  std::vector<solve_method> all;
  for (std::size_t i = 0; i < solve_methods; ++i)
    if (suits(all_method_traits[i])) all.push_back(static_cast<solve_method>(i));
  return all;
}
std::vector<solve_method> every_method() {
  return methods_where([](const method_traits&) { return true; });
}
std::vector<solve_method> for_any_square_matrix() {
  return methods_where([](const method_traits& method) { return !method.for_hermitian; });
}
std::vector<solve_method> with_preconditioners() {
  return methods_where([](const method_traits& method) { return !method.least_squares; });
}

struct kind_of_system {
  std::string name;
  csr_matrix<double> a;
  std::vector<solve_method> methods;
};

std::vector<kind_of_system> systems() {
  using enum solve_method;
  std::vector<kind_of_system> all;
  all.push_back({"definite", laplacian("@poisson3d:12"), every_method()});
  all.push_back({"indefinite", shifted(laplacian("@poisson2d:12"), -0.9), {minres, gmres}});
  all.push_back({"not symmetric", dominant<double>(700, 5), for_any_square_matrix()});
  return all;
}

TEST(Solve, ReachesTheResidualThatItReports) {
  for (const auto& [name, a, methods] : systems())
    for (const solve_method method : methods) {
      const auto b = right_side<double>(a.rows);
      std::vector<double> x;
      const solve_report report = solve_with(method, a, b, x, {.tolerance = 1e-9, .restart = 200});
      EXPECT_TRUE(report.converged()) << name << ' ' << name_of(method) << ": " << report.reason;
      const double rest = residual_of(a, b, x);
      EXPECT_LE(rest, 1.01e-9) << name << ' ' << name_of(method);
      EXPECT_NEAR(report.true_residual, rest, 1e-12) << name << ' ' << name_of(method);
      EXPECT_EQ(report.history.size(), static_cast<std::size_t>(report.iterations));
    }
}

template <class T> void expect_solved(solve_method method, const csr_matrix<T>& a, double tolerance) {
  const auto b = right_side<T>(a.rows);
  std::vector<T> x;
  const solve_report report = solve_with(method, a, b, x, {.tolerance = tolerance});
  EXPECT_TRUE(report.converged()) << name_of(method) << ": " << report.reason;
  EXPECT_LE(residual_of(a, b, x), 1.1 * tolerance) << name_of(method);
}

TEST(Solve, EveryType) {
  for (const solve_method method : for_any_square_matrix()) {
    expect_solved(method, dominant<float>(300, 4), 1e-5);
    expect_solved(method, dominant<std::complex<float>>(300, 4), 1e-5);
    expect_solved(method, dominant<std::complex<double>>(300, 4), 1e-10);
  }
}

TEST(Solve, HermitianMatricesByTheMethodsForThem) {
  using T = std::complex<double>;
  const auto a = dominant<T>(300, 4);
  const auto h = with_large_diagonal(add(T(1), a, T(1), conjugate_transpose(a)));
  for (const solve_method method : {solve_method::cg, solve_method::minres, solve_method::chebyshev})
    expect_solved(method, h, 1e-10);
}

TEST(Solve, EveryPreconditionerHelpsEveryMethodThatTakesIt) {
  const auto a = laplacian("@poisson3d:12");
  const auto b = right_side<double>(a.rows);
  for (std::size_t kind = 0; kind < preconditioner_kinds; ++kind) {
    const auto m = make_preconditioner(a, {.kind = static_cast<preconditioner_kind>(kind)});
    for (const solve_method method : with_preconditioners()) {
      std::vector<double> x;
      const solve_report with = solve_with(method, a, b, x, {.tolerance = 1e-9}, m.get());
      EXPECT_TRUE(with.converged()) << name_of(method) << ' ' << m->describe() << ": " << with.reason;
      EXPECT_LE(residual_of(a, b, x), 1.01e-9);
      std::vector<double> plain;
      const solve_report without = solve_with(method, a, b, plain, {.tolerance = 1e-9});
      // The diagonal of a Laplacian is constant: what stays near it changes little.
      if (all_preconditioner_traits[kind].on_ranks != rank_work::own_rows) {
        EXPECT_LT(with.iterations, without.iterations) << name_of(method) << ' ' << m->describe();
      }
    }
  }
}

TEST(Solve, HasTheSameBitsOnEveryNumberOfThreadsAndInstructionSet) {
  const auto a = laplacian("@poisson3d:20");  // 8000 rows: several blocks of a dot product
  const auto b = right_side<double>(a.rows);
  for (const solve_method method : every_method()) {
    std::vector<double> expected;
    const auto first = solve_with(method, a, b, expected, {.restart = 20}, nullptr, {.threads = 1, .isa = isa::scalar});
    for (const isa set : supported_isas())
      for (const int threads : {1, 2, 3, 4, 5, 6, 7}) {
        std::vector<double> x;
        const auto report = solve_with(method, a, b, x, {.restart = 20}, nullptr, {.threads = threads, .isa = set});
        EXPECT_EQ(solution_hash(x), solution_hash(expected))
            << name_of(method) << ' ' << name_of(set) << ' ' << threads;
        EXPECT_EQ(report.history, first.history);
      }
  }
}

TEST(Solve, HasTheSameBitsWithEveryLayout) {
  const auto a = laplacian("@poisson2d:90");
  const auto b = right_side<double>(a.rows);
  std::vector<double> expected;
  static_cast<void>(solve_with(solve_method::cg, a, b, expected, {}, nullptr, {.layout = plan_layout::csr}));
  for (const plan_layout layout : plan_layouts) {
    std::vector<double> x;
    static_cast<void>(solve_with(solve_method::cg, a, b, x, {}, nullptr, {.layout = layout}));
    EXPECT_EQ(solution_hash(x), solution_hash(expected)) << name_of(layout);
  }
}

TEST(Solve, HasTheSameBitsOnADevice) {
  using enum solve_method;
  const auto a = laplacian("@poisson2d:12");
  const auto b = right_side<double>(a.rows);
  const plan_options there{.device = {device_kind::simt}};
  for (const solve_method method : {cg, bicgstab, gmres, minres}) {
    std::vector<double> expected;
    std::vector<double> x;
    static_cast<void>(solve_with(method, a, b, expected));
    static_cast<void>(solve_with(method, a, b, x, {}, nullptr, there));
    EXPECT_EQ(solution_hash(x), solution_hash(expected)) << name_of(method);
  }
  for (std::size_t i = 0; i < preconditioner_kinds; ++i) {
    const auto kind = static_cast<preconditioner_kind>(i);
    const auto m = make_preconditioner(a, {.kind = kind, .multigrid = {.narrow = false}});
    const auto m_there = make_preconditioner(a, {.kind = kind, .device = there.device});
    std::vector<double> expected;
    std::vector<double> x;
    static_cast<void>(solve_with(cg, a, b, expected, {}, m.get()));
    static_cast<void>(solve_with(cg, a, b, x, {}, m_there.get(), there));
    EXPECT_EQ(solution_hash(x), solution_hash(expected)) << name_of(kind);
  }
}

TEST(Solve, RightSidesOfEverySizeAreSolvedAlike) {
  const auto a = laplacian("@poisson2d:20");
  const auto b = right_side<double>(a.rows);
  std::vector<double> expected;
  const auto first = solve_with(solve_method::cg, a, b, expected);
  for (const int exponent : {-1000, -600, 600, 1000}) {
    std::vector<double> scaled(b);
    for (double& value : scaled) value = std::ldexp(value, exponent);
    std::vector<double> x;
    const auto report = solve_with(solve_method::cg, a, scaled, x);
    EXPECT_EQ(report.history, first.history) << exponent;
    for (double& value : x) value = std::ldexp(value, -exponent);
    EXPECT_EQ(solution_hash(x), solution_hash(expected)) << exponent;
  }
}

TEST(Solve, GoesOnFromTheXThatItIsGiven) {
  const auto a = laplacian("@poisson2d:20");
  const auto b = right_side<double>(a.rows);
  for (std::size_t method = 0; method < solve_methods; ++method) {
    std::vector<double> x;
    const auto whole = solve_with(static_cast<solve_method>(method), a, b, x);
    const auto again = solve_with(static_cast<solve_method>(method), a, b, x);
    EXPECT_EQ(again.iterations, 0) << name_of(static_cast<solve_method>(method));
    EXPECT_TRUE(again.converged());
    EXPECT_GT(whole.iterations, 5);
  }
  std::vector<double> x(b);
  const auto zero = solve_with(solve_method::cg, a, std::vector<double>(b.size(), 0.0), x);
  EXPECT_TRUE(zero.converged());
  EXPECT_EQ(x, std::vector<double>(b.size(), 0.0));
}

TEST(Solve, NeverReportsSuccessThatTheTrueResidualDenies) {
  // Asked for more digits than a double has.
  const auto a = laplacian("@poisson2d:30");
  const auto b = right_side<double>(a.rows);
  for (std::size_t method = 0; method < solve_methods; ++method) {
    std::vector<double> x;
    const auto report =
        solve_with(static_cast<solve_method>(method), a, b, x, {.tolerance = 1e-18, .max_iterations = 3000});
    EXPECT_FALSE(report.converged()) << name_of(static_cast<solve_method>(method));
    EXPECT_LT(residual_of(a, b, x), 1e-12) << name_of(static_cast<solve_method>(method));
    EXPECT_NE(report.reason, "");
  }
}

TEST(Solve, SaysWhatIsWrongWithTheMatrix) {
  const auto indefinite = shifted(laplacian("@poisson2d:12"), -0.9);
  const auto b = right_side<double>(indefinite.rows);
  std::vector<double> x;
  const auto report = solve_with(solve_method::cg, indefinite, b, x);
  EXPECT_EQ(report.outcome, solve_outcome::broke_down);
  EXPECT_NE(report.reason.find("not positive definite"), std::string::npos) << report.reason;
  const auto few = solve_with(solve_method::gmres, indefinite, b, x, {.max_iterations = 3});
  EXPECT_EQ(few.outcome, solve_outcome::max_iterations);
  EXPECT_EQ(few.iterations, 3);
}

TEST(Solve, SingularConsistentSystemsBySymmetricMethods) {
  // The graph Laplacian of a path: constants are its null space, and the right-hand side sums to zero.
  const std::int64_t n = 100;
  auto a = from_rows<double, std::int32_t>(n, n, entries::integers, [n](std::int64_t i) {
    std::vector<std::int64_t> columns;
    for (std::int64_t j = std::max<std::int64_t>(0, i - 1); j < std::min(n, i + 2); ++j) columns.push_back(j);
    return columns;
  });
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      a.values.data[k] = a.columns[k] != i ? -1 : i == 0 || i == n - 1 ? 1 : 2;
  std::vector<double> b(static_cast<std::size_t>(n), 0.0);
  b[3] = 1;
  b[90] = -1;
  for (const solve_method method : {solve_method::minres, solve_method::cg, solve_method::lsqr}) {
    std::vector<double> x;
    const auto report = solve_with(method, a, b, x);
    EXPECT_TRUE(report.converged()) << name_of(method) << ": " << report.reason;
    EXPECT_LE(residual_of(a, b, x), 1e-8) << name_of(method);
  }
}

TEST(Solve, LeastSquaresHaveAResidualThatIsOrthogonalToTheColumns) {
  const auto a = from_rows<double, std::int32_t>(300, 100, entries::reals,
                                                 [](std::int64_t i) { return random_columns(i, 6, 100, 5); });
  const auto b = right_side<double>(a.rows);
  std::vector<double> x;
  const auto report = solve_with(solve_method::lsqr, a, b, x, {.tolerance = 1e-10});
  EXPECT_TRUE(report.converged()) << report.reason;
  EXPECT_GT(report.true_residual, 0.01);
  std::vector<double> rest(b);
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      rest[static_cast<std::size_t>(i)] -= a.values[k] * x[static_cast<std::size_t>(a.columns[k])];
  const auto t = transpose(a);
  for (std::int64_t j = 0; j < t.rows; ++j) {
    double sum = 0;
    for (std::int64_t k = t.row_offsets[j]; k < t.row_offsets[j + 1]; ++k)
      sum += t.values[k] * rest[static_cast<std::size_t>(t.columns[k])];
    EXPECT_NEAR(sum, 0, 1e-6);
  }
}

TEST(Solve, TheMonitorSeesEveryIterationAndMayStop) {
  const auto a = laplacian("@poisson2d:20");
  const auto b = right_side<double>(a.rows);
  std::vector<double> x;
  std::vector<double> seen;
  solve_options options;
  options.monitor = [&](const solve_progress& now) {
    EXPECT_EQ(now.iteration, static_cast<std::int64_t>(seen.size()) + 1);
    seen.push_back(now.residual);
    return seen.size() < 7;
  };
  const auto report = solve_with(solve_method::cg, a, b, x, options);
  EXPECT_EQ(report.outcome, solve_outcome::stopped);
  EXPECT_EQ(report.iterations, 7);
  EXPECT_EQ(report.history, seen);
}

TEST(Solve, TimesAddUp) {
  const auto a = laplacian("@poisson3d:40");
  const auto b = right_side<double>(a.rows);
  std::vector<double> x;
  const auto report = solve_with(solve_method::cg, a, b, x);
  double sum = 0;
  for (const solve_share& share : report.shares) sum += share.seconds;
  EXPECT_GT(sum, 0.5 * report.seconds);
  EXPECT_LE(sum, report.seconds);
  EXPECT_EQ(report.shares.at(0).calls > 0, true);
}

TEST(Solve, SeveralRightSidesHaveTheBitsOfEachAlone) {
  const auto a = laplacian("@poisson2d:40");
  const auto plan = multiply_inspect(a);
  const std::int64_t n = a.rows;
  constexpr std::int64_t count = 5;
  std::vector<double> b(static_cast<std::size_t>(n * count), 0.0);
  for (std::int64_t j = 0; j < count - 1; ++j)  // the last right-hand side is zero
    for (std::int64_t i = 0; i < n; ++i)
      b[static_cast<std::size_t>(j * n + i)] =
          j == 1 ? (i == 7 ? 1e200 : 0)
                 : std::ldexp(static_cast<double>(1 + (i * (j + 3)) % 17), static_cast<int>(40 * j));
  std::vector<double> x(b.size(), 0.0);
  const auto reports = solve_columns(plan, dense_view<const double>(column_major(std::span<const double>(b), n, count)),
                                     column_major(std::span<double>(x), n, count));
  const auto op = make_operator(plan);
  for (std::int64_t j = 0; j < count; ++j) {
    const auto at = static_cast<std::size_t>(j * n);
    std::vector<double> alone(static_cast<std::size_t>(n), 0.0);
    const auto report = solve<double>(solve_method::cg, *op,
                                      std::span<const double>(b).subspan(at, static_cast<std::size_t>(n)), alone);
    EXPECT_TRUE(reports[static_cast<std::size_t>(j)].converged());
    EXPECT_EQ(reports[static_cast<std::size_t>(j)].history, report.history) << j;
    EXPECT_EQ(solution_hash(alone), solution_hash(std::span<const double>(x).subspan(at, static_cast<std::size_t>(n))))
        << j;
  }
}

TEST(Solve, RefusesWhatDoesNotFit) {
  const auto a = laplacian("@poisson2d:5");
  std::vector<double> x(25);
  const auto code = [&](solve_method method, const csr_matrix<double>& m, std::size_t size,
                        solve_options options = {}) {
    const auto op = make_operator(multiply_inspect(m));
    std::vector<double> b(size, 1.0);
    return code_of([&] { static_cast<void>(solve<double>(method, *op, b, x, options)); });
  };
  EXPECT_EQ(code(solve_method::cg, a, 24), errc::invalid_argument);
  EXPECT_EQ(code(solve_method::gmres, a, 25, {.restart = 0}), errc::invalid_argument);
  EXPECT_EQ(code(solve_method::lsqr, a, 25), errc::invalid_argument);  // the plan holds no transpose
  const auto wide = extract(a, 0, 10, 0, 25);
  EXPECT_EQ(code(solve_method::cg, wide, 10), errc::invalid_argument);
}

}  // namespace
}  // namespace lacis::test

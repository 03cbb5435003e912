// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Cycles and smoothers of multigrid, and methods whose preconditioner is no linear map.
#include <algorithm>
#include <gtest/gtest.h>

#include <lacis/hash.hpp>
#include <lacis/precondition.hpp>
#include <lacis/solve_auto.hpp>

#include "solve/convection.hpp"
#include "solve/jumps.hpp"
#include "solve/multigrid/k_cycle.hpp"
#include "solve/multigrid/rules.hpp"
#include "solve/systems.hpp"
#include "support/errors.hpp"

namespace lacis::test {
namespace {

using enum multigrid_smoother;
constexpr preconditioner_kind amg = preconditioner_kind::amg;
constexpr multigrid_cycle k_cycle = multigrid_cycle::k;

template <class T>
solve_report solve_by(solve_method method, const csr_matrix<T>& a, const linear_operator<T>* m, std::vector<T>& x) {
  x.assign(static_cast<std::size_t>(a.cols), T(0));
  const auto product = multiply_inspect(a);
  return solve<T>(method, *make_operator(product), right_side<T>(a.rows), x, {.tolerance = 1e-8}, m);
}

solve_report solved(const csr_matrix<double>& a, const multigrid_options& options,
                    solve_method method = solve_method::cg) {
  const auto m = make_preconditioner(a, {.kind = amg, .multigrid = options});
  std::vector<double> x;
  return solve_by(method, a, m.get(), x);
}

TEST(MultigridCycle, SmoothersDivideByTheDiagonalOrByWholeRows) {
  auto small = from_rows<double, std::int32_t>(2, 2, entries::integers,
                                               [](std::int64_t) { return std::vector<std::int64_t>{0, 1}; });
  const double values[] = {2, -6, -6, -16};
  for (std::int64_t k = 0; k < 4; ++k) small.values.data[k] = values[k];
  for (const bool hermitian : {true, false}) {
    const auto by = [&](multigrid_smoother smoother) {
      return multigrid::diagonal_of(small.view(), 0, hermitian, smoother).inverse;
    };
    EXPECT_EQ(by(chebyshev)[0], 0.5);
    EXPECT_EQ(by(chebyshev)[1], -0.0625);
    EXPECT_EQ(by(l1_jacobi)[0], 0.125);
    EXPECT_EQ(by(l1_jacobi)[1], 16.0 / 22 / -16);
  }
}

/// What two cycles that give these directions make of A x = b, and how many of them were asked for.
template <class S> struct stepped {
  std::vector<S> x;
  int cycles = 0;
};
template <class S>
stepped<S> steps(const S (&a)[2][2], std::vector<S> b, bool hermitian, std::vector<S> first, std::vector<S> second) {
  const auto space = make_host_space<S>({.threads = 1});
  const auto zeros = [&] { return space->zeros(2); };
  const multigrid::krylov_vectors<S> v{zeros(), zeros(), zeros(), zeros(), zeros()};
  space->from_host(b, v.b);
  stepped<S> made{std::vector<S>(2)};
  multigrid::krylov_steps(
      *space, v, hermitian, [&] { space->from_host(made.cycles++ == 0 ? first : second, v.x); },
      [&](const space_vector<S>& x, const space_vector<S>& y) {
        for (int i = 0; i < 2; ++i) y.data()[i] = a[i][0] * x.data()[0] + a[i][1] * x.data()[1];
      });
  space->to_host(v.x, made.x);
  return made;
}

/// Two directions span the whole space: the solution, exactly, since all numbers are small fractions of two.
TEST(MultigridCycle, TwoStepsSolveTwoEquations) {
  using vector = std::vector<double>;
  const double symmetric[2][2] = {{2, 1}, {1, 2}};
  const auto plain = steps<double>(symmetric, {4, 8}, true, {1, 0}, {0, 1});
  EXPECT_EQ(plain.x, (vector{0, 4}));
  EXPECT_EQ(plain.cycles, 2);
  const double other[2][2] = {{1, 0}, {1, 1}};
  EXPECT_EQ(steps<double>(other, {2, 6}, false, {1, 0}, {0, 1}).x, (vector{2, 4}));
  using complex = std::complex<double>;
  const complex i(0, 1);
  const complex hermitian[2][2] = {{2, i}, {-i, 2}};
  EXPECT_EQ(steps<complex>(hermitian, {4.0 * i, 8}, true, {1, 0}, {0, 1}).x, (std::vector<complex>{0, 4}));
  const complex turned[2][2] = {{1, 0}, {i, 1}};
  EXPECT_EQ(steps<complex>(turned, {2, 4.0 + 2.0 * i}, false, {1, 0}, {0, 1}).x, (std::vector<complex>{2, 4}));
}

TEST(MultigridCycle, TheSecondStepIsLeftOutWhereTheFirstIsEnough) {
  using vector = std::vector<double>;
  const double identity[2][2] = {{1, 0}, {0, 1}};
  for (const bool hermitian : {true, false}) {
    const auto enough = steps<double>(identity, {4, 1}, hermitian, {2, 0}, {0, 1});
    EXPECT_EQ(enough.x, (vector{4, 0}));
    EXPECT_EQ(enough.cycles, 1);
    const auto more = steps<double>(identity, {3, 1}, hermitian, {2, 0}, {0, 1});
    EXPECT_EQ(more.x, (vector{3, 1}));
    EXPECT_EQ(more.cycles, 2);
    // Neither no direction nor the same one again divides by zero.
    EXPECT_EQ(steps<double>(identity, {0, 0}, hermitian, {0, 0}, {0, 0}).x, (vector{0, 0}));
    EXPECT_EQ(steps<double>(identity, {2, 2}, hermitian, {1, 0}, {1, 0}).x, (vector{2, 0}));
  }
}

TEST(MultigridCycle, KTakesFewerIterationsWhereCoefficientsJump) {
  const auto a = jumps(160, 1e5);
  for (const multigrid_smoother smoother : {chebyshev, l1_jacobi}) {
    const auto iterations = [&](multigrid_cycle cycle) {
      const auto found = solved(a, {.cycle = cycle, .smoother = smoother, .coarsest_rows = 20});
      EXPECT_TRUE(found.converged());
      return found.iterations;
    };
    const auto v = iterations(multigrid_cycle::v);
    EXPECT_LE(iterations(multigrid_cycle::w), v);
    EXPECT_LT(iterations(k_cycle), v);
  }
}

TEST(MultigridCycle, BitsDoNotDependOnThreads) {
  const auto a = jumps(120, 1e3);
  const auto windy = convection(90, 3);
  const auto check = [](const csr_matrix<double>& m, const multigrid_options& options, solve_method method) {
    std::vector<double> expected;
    for (const int threads : {1, 2, 3, 7}) {
      const auto nearly_inverse = make_preconditioner(m, {.kind = amg, .threads = threads, .multigrid = options});
      std::vector<double> x(static_cast<std::size_t>(m.rows), 0);
      const auto product = multiply_inspect(m, {.threads = threads});
      const auto found = solve<double>(method, *make_operator(product), right_side<double>(m.rows), x,
                                       {.tolerance = 1e-8}, nearly_inverse.get());
      EXPECT_TRUE(found.converged());
      if (threads == 1) expected = x;
      EXPECT_EQ(solution_hash(x), solution_hash(expected)) << threads << " threads";
    }
  };
  check(a, {.cycle = k_cycle, .coarsest_rows = 20}, solve_method::cg);
  check(a, {.cycle = k_cycle, .coarsest_rows = 20, .narrow = false}, solve_method::fgmres);
  check(a, {.smoother = l1_jacobi, .degree = 3}, solve_method::cg);
  check(windy, {.cycle = k_cycle, .coarsest_rows = 20}, solve_method::fgmres);
  check(windy, {.cycle = k_cycle, .coarsest_rows = 20}, solve_method::bicgstab);
}

TEST(MultigridCycle, EveryTypeTakesKCycles) {
  const auto a = jumps(60, 100);
  const auto check = [&]<class T>(T) {
    const auto typed = cast_values<T>(a);
    const auto m = make_preconditioner(typed, {.kind = amg, .multigrid = {.cycle = k_cycle, .coarsest_rows = 20}});
    std::vector<T> x(static_cast<std::size_t>(a.rows), T(0));
    const auto report = solve<T>(solve_method::cg, *make_operator(multiply_inspect(typed)), right_side<T>(a.rows), x,
                                 {.tolerance = 1e-4}, m.get());
    EXPECT_TRUE(report.converged()) << report.reason;
    EXPECT_LE(report.iterations, 20);
  };
  check(float());
  check(std::complex<float>());
  check(std::complex<double>());
}

TEST(MultigridCycle, FollowsNewValues) {
  const auto a = jumps(60, 100);
  const auto other = jumps(60, 3);
  const multigrid_options options{.cycle = k_cycle, .smoother = l1_jacobi, .coarsest_rows = 20};
  const auto m = make_preconditioner(a, {.kind = amg, .multigrid = options});
  std::vector<double> expected;
  std::vector<double> x;
  static_cast<void>(solve_by(solve_method::cg, a, m.get(), expected));
  m->update_values(other.values.data);
  EXPECT_TRUE(solve_by(solve_method::cg, other, m.get(), x).converged());
  m->update_values(a.values.data);
  static_cast<void>(solve_by(solve_method::cg, a, m.get(), x));
  EXPECT_EQ(x, expected);
}

TEST(MultigridCycle, ReportsSayWhatWasChosen) {
  const auto made = [](const csr_matrix<double>& a, const multigrid_options& options) {
    return make_preconditioner(a, {.kind = amg, .multigrid = options});
  };
  const auto a = laplacian("@poisson2d:50");
  const auto plain = made(a, {});
  EXPECT_EQ(plain->hierarchy()->smoother, chebyshev);
  EXPECT_EQ(plain->hierarchy()->cycle, multigrid_cycle::v);
  EXPECT_FALSE(plain->is_variable());
  EXPECT_NE(plain->describe().find("V-cycle in single precision with Chebyshev"), std::string::npos);
  const auto chosen = made(a, {.cycle = k_cycle, .smoother = l1_jacobi});
  EXPECT_EQ(chosen->hierarchy()->smoother, l1_jacobi);
  EXPECT_TRUE(chosen->is_variable());
  EXPECT_NE(chosen->describe().find("K-cycle in single precision with l1-Jacobi"), std::string::npos);
  // Two vectors more on the only level between the first and the last.
  const auto deep = made(a, {.coarsest_rows = 60});
  ASSERT_EQ(deep->hierarchy()->levels.size(), 3U);
  const std::int64_t middle = deep->hierarchy()->levels[1].rows;
  EXPECT_EQ(made(a, {.cycle = k_cycle, .coarsest_rows = 60})->storage_bytes(), deep->storage_bytes() + 2 * 4 * middle);
  EXPECT_EQ(made(convection(40, 3), {})->hierarchy()->smoother, l1_jacobi);
  expect_error(errc::invalid_argument, "needs a Hermitian matrix",
               [&] { static_cast<void>(made(convection(40, 3), {.smoother = chebyshev})); });
}

TEST(MultigridCycle, MethodsThatNeedALinearMapRefuseK) {
  const auto a = laplacian("@poisson2d:30");
  for (const auto method : {solve_method::gmres, solve_method::minres, solve_method::chebyshev})
    expect_error(errc::invalid_argument, "use fgmres",
                 [&] { static_cast<void>(solved(a, {.cycle = k_cycle}, method)); });
  // Where the method is free, fgmres takes the place of gmres among those that are tried.
  const auto windy = shifted(convection(60, 3), -0.5);
  const auto b = right_side<double>(windy.rows);
  std::vector<double> x(b.size(), 0);
  const auto report = solve_auto(
      windy, std::span<const double>(b), std::span<double>(x),
      {.solve = {.max_iterations = 2}, .preconditioner = amg, .multigrid = {.cycle = k_cycle, .coarsest_rows = 20}});
  const auto tries = [&](solve_method method) {
    return std::any_of(report.attempts.begin(), report.attempts.end(),
                       [&](const solve_attempt& one) { return one.choice.method == method; });
  };
  EXPECT_TRUE(tries(solve_method::fgmres));
  EXPECT_FALSE(tries(solve_method::gmres));
}

/// A cycle, and something of a residual that is shifted further at every call.
class changing_inverse final : public linear_operator<double> {
 public:
  changing_inverse(const linear_operator<double>& cycle, bool is_told) : cycle_(cycle), is_told_(is_told) {}
  [[nodiscard]] std::int64_t rows() const override { return cycle_.rows(); }
  [[nodiscard]] std::int64_t cols() const override { return cycle_.cols(); }
  [[nodiscard]] vector_space<double>& space() const override { return cycle_.space(); }
  [[nodiscard]] bool is_variable() const override { return is_told_; }
  void apply(const vector& x, const vector& y) const override {
    cycle_.apply(x, y);
    ++calls_;
    const double share = 0.1 * space().norm(y) / space().norm(x);
    for (std::int64_t i = 0; i < rows(); ++i) y.data()[i] += share * x.data()[(i + calls_) % rows()];
  }

 private:
  const linear_operator<double>& cycle_;
  bool is_told_;
  mutable std::int64_t calls_ = 0;
};

TEST(MultigridCycle, CgBearsAPreconditionerThatChanges) {
  const auto a = laplacian("@poisson2d:40");
  const auto cycle = make_preconditioner(a, {.kind = amg});
  std::vector<double> x;
  const changing_inverse flexible(*cycle, true);
  const changing_inverse plain(*cycle, false);
  const auto with = solve_by(solve_method::cg, a, &flexible, x);
  EXPECT_TRUE(with.converged());
  EXPECT_LE(residual_of(a, right_side<double>(a.rows), x), 1.01e-8);
  const auto without = solve_by(solve_method::cg, a, &plain, x);
  EXPECT_LT(2 * with.iterations, without.iterations);
}

}  // namespace
}  // namespace lacis::test

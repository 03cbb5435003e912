// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Algebraic multigrid as a preconditioner: few iterations at every size, for every kind of matrix, and what it refuses.
#include <gtest/gtest.h>

#include <lacis/builder.hpp>
#include <lacis/precondition.hpp>
#include <lacis/structure.hpp>
#include <lacis/vector.hpp>

#include "solve/convection.hpp"
#include "solve/elastic_plate.hpp"
#include "solve/systems.hpp"
#include "support/errors.hpp"

namespace lacis::test {
namespace {

constexpr preconditioner_kind amg = preconditioner_kind::amg;

template <class T>
solve_report solve_with(solve_method method, const csr_matrix<T>& a, const std::vector<T>& b, std::vector<T>& x,
                        const solve_options& options, const linear_operator<T>* m = nullptr) {
  x.assign(static_cast<std::size_t>(a.cols), T(0));
  const auto product = multiply_inspect(a);
  return solve<T>(method, *make_operator(product), b, x, options, m);
}

struct outcome {
  solve_report report;
  multigrid_report levels;
  std::vector<double> x;
};

outcome solved(const csr_matrix<double>& a, const multigrid_options& options = {},
               solve_method method = solve_method::cg) {
  const auto m = make_preconditioner(a, {.kind = amg, .multigrid = options});
  outcome all;
  const auto b = right_side<double>(a.rows);
  all.report = solve_with(method, a, b, all.x, {.tolerance = 1e-8}, m.get());
  all.levels = *m->hierarchy();
  return all;
}

TEST(Multigrid, IterationsHardlyGrowWithTheSize) {
  const auto small = solved(laplacian("@poisson3d:16"));
  const auto large = solved(laplacian("@poisson3d:40"));
  EXPECT_TRUE(small.report.converged() && large.report.converged());
  EXPECT_LE(large.report.iterations, small.report.iterations + 2);
  EXPECT_LE(large.levels.operator_complexity, 1.6);
  const auto flat = solved(laplacian("@poisson2d:200"));
  EXPECT_TRUE(flat.report.converged());
  EXPECT_LE(flat.report.iterations, 15);
  EXPECT_LE(flat.levels.operator_complexity, 1.6);
}

/// M^-1 x.
std::vector<double> cycled(const preconditioner<double>& m, const std::vector<double>& x) {
  const auto from = m.space().zeros(m.cols());
  const auto to = m.space().zeros(m.rows());
  m.space().from_host(x, from);
  m.apply(from, to);
  std::vector<double> z(x.size());
  m.space().to_host(to, z);
  return z;
}

/// A and weak connections of its first row to every other one: that has more aggregates than products by known places
/// can count.
csr_matrix<double> with_a_hub(const csr_matrix<double>& a) {
  builder<double> hub(a.rows, a.cols);
  auto put = hub.inserter();
  for (std::int64_t i = 0; i < a.rows; ++i) {
    put(i, i, i == 0 ? static_cast<double>(a.rows) / 1024 : 1.0 / 1024);
    if (i > 0) {
      put(0, i, -1.0 / 1024);
      put(i, 0, -1.0 / 1024);
    }
  }
  return add(a, hub.build());
}

TEST(Multigrid, NewValuesLeaveNothingOfTheOldOnes) {
  constexpr std::int64_t n = 30;
  const auto motions = rigid_motions(n);
  const struct {
    csr_matrix<double> a;
    multigrid_options options;
  } cases[] = {{laplacian("@poisson3d:14"), {}},
               {laplacian("@poisson2d:100"), {.narrow = false}},
               {laplacian("@poisson2d:70"), {.coarsest_rows = 4}},
               {springs(n), {.block = 2, .near_null_space = motions}},
               {convection(40, 3), {}},
               {with_a_hub(laplacian("@poisson2d:60")), {}},
               {laplacian("@poisson3d:14"), {.truncation = 0.2}}};
  for (const auto& [a, options] : cases) {
    const auto x = right_side<double>(a.rows);
    const auto m = make_preconditioner(a, {.kind = amg, .multigrid = options});
    const auto first = cycled(*m, x);
    // D A D with a diagonal D that differs from row to row: definite as A is, and other entries are strong.
    auto other = a;
    const auto factor = [](std::int64_t i) { return 1 + static_cast<double>(i * i % 7); };
    for (std::int64_t i = 0; i < a.rows; ++i)
      for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
        other.values.data[k] *= factor(i) * factor(a.columns[k]);
    m->update_values(other.values.data);
    const auto between = cycled(*m, x);
    EXPECT_NE(between, first);
    if (options.truncation > 0) {
      EXPECT_EQ(between, cycled(*make_preconditioner(other, {.kind = amg, .multigrid = options}), x));
    }
    m->update_values(a.values.data);
    EXPECT_EQ(cycled(*m, x), first) << a.rows << " rows";
  }
}

/// Strong connections do not depend on the diagonal: with another one the aggregates of a fresh hierarchy are the same,
/// and so is everything that is made of new values.
TEST(Multigrid, NewValuesGiveWhatAFreshHierarchyHas) {
  constexpr std::int64_t n = 12;
  const auto motions = rigid_motions(n);
  const struct {
    csr_matrix<double> a;
    multigrid_options options;
  } cases[] = {{laplacian("@poisson2d:40"), {}},
               {laplacian("@poisson2d:40"), {.smoother = multigrid_smoother::l1_jacobi, .narrow = false}},
               {springs(n), {.block = 2, .near_null_space = motions, .coarsest_rows = 100}},
               {convection(40, 3), {}}};
  for (const auto& [a, options] : cases) {
    auto other = a;
    for (std::int64_t i = 0; i < a.rows; ++i)
      for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
        if (a.columns[k] == i) other.values.data[k] += 0.25 * static_cast<double>(i % 5);
    const auto x = right_side<double>(a.rows);
    const auto m = make_preconditioner(a, {.kind = amg, .multigrid = options});
    ASSERT_EQ(m->hierarchy()->levels.size(), 2U);
    m->update_values(other.values.data);
    EXPECT_EQ(cycled(*m, x), cycled(*make_preconditioner(other, {.kind = amg, .multigrid = options}), x));
  }
}

TEST(Multigrid, OneCycleIsNearlyTheInverseAtEveryScale) {
  const auto a = laplacian("@poisson2d:60");
  const auto x = right_side<double>(a.rows);
  for (const int exponent : {-200, 0, 200}) {
    auto scaled = a;
    scaled.values = values_array<double>(a.nnz());
    for (std::int64_t k = 0; k < a.nnz(); ++k) scaled.values.data[k] = std::ldexp(a.values[k], exponent);
    std::vector<double> b(x.size());
    multiply(scaled, x, b);
    const auto m = make_preconditioner(scaled, {.kind = amg});
    auto z = cycled(*m, b);
    for (std::size_t i = 0; i < x.size(); ++i) z[i] -= x[i];
    EXPECT_LT(lacis::norm(z), 0.5 * lacis::norm(x)) << exponent;
  }
}

TEST(Multigrid, EveryWayOfACycleConverges) {
  const auto a = laplacian("@poisson3d:20");
  for (const multigrid_options& options :
       {multigrid_options{.cycle = multigrid_cycle::w}, multigrid_options{.degree = 1}, multigrid_options{.degree = 3},
        multigrid_options{.truncation = 0.15}, multigrid_options{.coarsest_rows = 5},
        multigrid_options{.narrow = false}}) {
    const auto found = solved(a, options);
    EXPECT_TRUE(found.report.converged());
    EXPECT_LE(found.report.iterations, 25);
    EXPECT_EQ(found.levels.narrow, options.narrow);
  }
}

TEST(Multigrid, RigidMotionsHelpElasticity) {
  constexpr std::int64_t n = 60;
  const auto a = springs(n);
  const auto motions = rigid_motions(n);
  const auto plain = solved(a);
  const auto with = solved(a, {.block = 2, .near_null_space = motions});
  EXPECT_TRUE(with.report.converged());
  EXPECT_LT(2 * with.report.iterations, plain.report.iterations);
  EXPECT_LE(with.report.iterations, 25);
}

TEST(Multigrid, FollowsAWind) {
  const auto a = convection(60, 3);
  const auto found = solved(a, {}, solve_method::bicgstab);
  EXPECT_TRUE(found.report.converged());
  EXPECT_FALSE(found.levels.hermitian);
  std::vector<double> x;
  const auto without = solve_with(solve_method::bicgstab, a, right_side<double>(a.rows), x, {.tolerance = 1e-8});
  EXPECT_LT(3 * found.report.iterations, without.iterations);
}

TEST(Multigrid, SingularLaplaciansSayThatAnUnknownIsLeftOut) {
  // A path: rows sum to zero, constants are in the null space.
  auto a = laplacian("@banded:2000,1");
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      a.values.data[k] = a.columns[k] == i ? (i == 0 || i + 1 == a.rows ? 1 : 2) : -1;
  const auto m = make_preconditioner(a, {.kind = amg});
  EXPECT_NE(m->describe().find("left at zero"), std::string::npos) << m->describe();
  std::vector<double> b(2000, 0);
  b[100] = 1;
  b[1900] = -1;
  std::vector<double> x;
  EXPECT_TRUE(solve_with(solve_method::cg, a, b, x, {.tolerance = 1e-8}, m.get()).converged());
  EXPECT_LE(residual_of(a, b, x), 1.01e-8);
}

TEST(Multigrid, SmallAndOddMatrices) {
  for (const char* spec : {"@poisson2d:1", "@poisson2d:2", "@poisson2d:30"}) {
    const auto a = laplacian(spec);
    EXPECT_TRUE(solved(a).report.converged()) << spec;
  }
  const auto diagonal = from_rows<double, std::int32_t>(5000, 5000, entries::integers,
                                                        [](std::int64_t i) { return std::vector<std::int64_t>{i}; });
  const auto positive = with_large_diagonal(diagonal);
  const auto found = solved(positive);
  EXPECT_TRUE(found.report.converged());
  EXPECT_NE(found.levels.remark.find("smoothed, not solved"), std::string::npos);
  const csr_matrix<double> nothing;
  EXPECT_EQ(make_preconditioner(nothing, {.kind = amg})->rows(), 0);
}

TEST(Multigrid, ValuesOfEverySizeGiveTheSameIterations) {
  const auto a = laplacian("@poisson2d:40");
  const auto expected = solved(a);
  for (const int exponent : {-900, -140, 140, 900}) {
    auto scaled = a;
    scaled.values = values_array<double>(a.nnz());
    for (std::int64_t k = 0; k < a.nnz(); ++k) scaled.values.data[k] = std::ldexp(a.values[k], exponent);
    EXPECT_EQ(solved(scaled).report.iterations, expected.report.iterations) << exponent;
  }
}

TEST(Multigrid, EveryType) {
  const auto a = laplacian("@poisson2d:50");
  const auto check = [&]<class T>(T, double tolerance) {
    const auto typed = cast_values<T>(a);
    const auto m = make_preconditioner(typed, {.kind = amg});
    std::vector<T> x;
    const auto b = right_side<T>(a.rows);
    const auto report = solve_with(solve_method::cg, typed, b, x, {.tolerance = tolerance}, m.get());
    EXPECT_TRUE(report.converged()) << report.reason;
    EXPECT_LE(report.iterations, 20);
  };
  check(float(), 1e-5);
  check(std::complex<float>(), 1e-5);
  check(std::complex<double>(), 1e-8);
}

TEST(Multigrid, SaysWhatItCannotDo) {
  const auto a = laplacian("@poisson2d:30");
  const auto make = [&](const multigrid_options& options) {
    static_cast<void>(make_preconditioner(a, {.kind = amg, .multigrid = options}));
  };
  const std::vector<double> odd(901, 1);
  expect_error(errc::invalid_argument, "do not divide", [&] { make({.block = 7}); });
  expect_error(errc::invalid_argument, "near null space", [&] { make({.near_null_space = odd}); });
  expect_error(errc::invalid_argument, "degree", [&] { make({.degree = 0}); });
  expect_error(errc::invalid_argument, "strength", [&] { make({.strength = 1}); });
  expect_error(errc::invalid_matrix, "not positive", [&] {
    static_cast<void>(make_preconditioner(shifted(a, -4.5), {.kind = amg}));  // a negative diagonal
  });
  expect_error(errc::invalid_matrix, "not positive definite", [&] {
    static_cast<void>(make_preconditioner(shifted(a, -1), {.kind = amg}));  // indefinite
  });
}

}  // namespace
}  // namespace lacis::test

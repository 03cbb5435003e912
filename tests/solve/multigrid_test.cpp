// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Algebraic multigrid: its parts against their definitions, few iterations at every size, the same bits on any number
// of threads.
#include <gtest/gtest.h>
#include <omp.h>
#include <set>

#include <lacis/builder.hpp>
#include <lacis/hash.hpp>
#include <lacis/precondition.hpp>
#include <lacis/spgemm_composed.hpp>
#include <lacis/vector.hpp>

#include "solve/multigrid/aggregate.hpp"
#include "solve/multigrid/coarse_factors.hpp"
#include "solve/multigrid/galerkin.hpp"
#include "solve/multigrid/prolongator.hpp"
#include "solve/multigrid/strength.hpp"
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

/// Neighbours along edges and diagonals of a square grid, joined by springs; the left side is held. Two rows per node.
csr_matrix<double> springs(std::int64_t n) {
  builder<double> all(2 * n * n, 2 * n * n);
  auto put = all.inserter();
  const auto spring = [&](std::int64_t one, std::int64_t other, double dx, double dy) {
    const double direction[] = {dx, dy};
    const double stiffness = 1 / (dx * dx + dy * dy);
    for (int r = 0; r < 2; ++r)
      for (int c = 0; c < 2; ++c) {
        const double value = stiffness * direction[r] * direction[c];
        put(2 * one + r, 2 * one + c, value);
        put(2 * other + r, 2 * other + c, value);
        put(2 * one + r, 2 * other + c, -value);
        put(2 * other + r, 2 * one + c, -value);
      }
  };
  for (std::int64_t y = 0; y < n; ++y)
    for (std::int64_t x = 0; x < n; ++x) {
      const std::int64_t here = y * n + x;
      if (x + 1 < n) spring(here, here + 1, 1, 0);
      if (y + 1 < n) spring(here, here + n, 0, 1);
      if (x + 1 < n && y + 1 < n) spring(here, here + n + 1, 1, 1);
      if (x > 0 && y + 1 < n) spring(here, here + n - 1, -1, 1);
      if (x == 0)
        for (int r = 0; r < 2; ++r) put(2 * here + r, 2 * here + r, 4);
    }
  return all.build();
}

/// Both translations and the rotation of that grid.
std::vector<double> rigid_motions(std::int64_t n) {
  const std::int64_t rows = 2 * n * n;
  std::vector<double> all(static_cast<std::size_t>(3 * rows), 0);
  for (std::int64_t i = 0; i < n * n; ++i) {
    all[static_cast<std::size_t>(2 * i)] = 1;
    all[static_cast<std::size_t>(rows + 2 * i + 1)] = 1;
    all[static_cast<std::size_t>(2 * rows + 2 * i)] = -static_cast<double>(i / n);
    all[static_cast<std::size_t>(2 * rows + 2 * i + 1)] = static_cast<double>(i % n);
  }
  return all;
}

/// Diffusion, and a wind along the rows that upwind differences follow.
csr_matrix<double> convection(std::int64_t n, double wind) {
  auto a = laplacian("@poisson2d:" + std::to_string(n));
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) {
      if (a.columns[k] == i) a.values.data[k] += wind;
      if (a.columns[k] == i - 1) a.values.data[k] -= wind;
    }
  return a;
}

multigrid::connections<std::int32_t> connections_of(const csr_matrix<double>& a, double strength = 0.25) {
  std::vector<std::uint8_t> marks(static_cast<std::size_t>(a.nnz()));
  return multigrid::strong_connections(a.view(), strength, marks);
}

TEST(Multigrid, StrongEntriesAreThoseOfTheDefinition) {
  const auto a = from_rows<double, std::int32_t>(300, 300, entries::reals,
                                                 [](std::int64_t i) { return random_columns(i, 6, 300, 7); });
  const auto symmetric = add(a, transpose(a));
  std::vector<double> largest(300, 0);
  for (std::int64_t i = 0; i < 300; ++i)
    for (const auto [j, value] : symmetric.row(i))
      if (j != i)
        largest[static_cast<std::size_t>(i)] = std::max(largest[static_cast<std::size_t>(i)], std::abs(value));
  std::vector<std::uint8_t> marks(static_cast<std::size_t>(symmetric.nnz()));
  const auto strong = multigrid::strong_connections(symmetric.view(), 0.5, marks);
  std::size_t entry = 0;
  for (std::int64_t i = 0; i < 300; ++i) {
    std::vector<std::int32_t> expected;
    for (const auto [j, value] : symmetric.row(i)) {
      const double bound =
          0.5 * (std::sqrt(largest[static_cast<std::size_t>(i)]) * std::sqrt(largest[static_cast<std::size_t>(j)]));
      const bool is_strong = j != i && std::abs(value) > bound;
      if (is_strong) expected.push_back(j);
      EXPECT_EQ(marks[entry++], is_strong ? 1 : 0) << i << ' ' << j;
    }
    const auto found = strong.of(i);
    EXPECT_EQ(std::vector<std::int32_t>(found.begin(), found.end()), expected) << i;
  }
}

/// Every row with neighbours is in one aggregate, which hangs together.
void expect_aggregates(const multigrid::connections<std::int32_t>& strong,
                       const multigrid::aggregates<std::int32_t>& all) {
  std::vector<std::set<std::int64_t>> members(static_cast<std::size_t>(all.count));
  for (std::int64_t i = 0; i < strong.rows(); ++i) {
    ASSERT_EQ(all.of[i] < 0, strong.count[i] == 0) << i;
    ASSERT_LT(all.of[i], all.count);
    if (all.of[i] >= 0) members[static_cast<std::size_t>(all.of[i])].insert(i);
  }
  for (auto& one : members) {
    ASSERT_FALSE(one.empty());
    std::vector<std::int64_t> reached{*one.begin()};
    one.erase(one.begin());
    for (std::size_t at = 0; at < reached.size(); ++at)
      for (const std::int64_t j : strong.of(reached[at]))
        if (one.erase(j) > 0) reached.push_back(j);
    EXPECT_TRUE(one.empty()) << "an aggregate in two pieces, with row " << (one.empty() ? 0 : *one.begin());
  }
}

TEST(Multigrid, AggregatesCoverAllRowsAndHangTogether) {
  for (const char* spec : {"@poisson2d:80", "@poisson3d:18", "@mesh3d:12,shuffled", "@stencil27:10", "@poisson2d:1"}) {
    const auto a = laplacian(spec);
    const auto strong = connections_of(a);
    expect_aggregates(strong, multigrid::aggregate_greedily(strong));
    expect_aggregates(strong, multigrid::aggregate_independently(strong));
  }
}

TEST(Multigrid, AggregatesDoNotDependOnThreads) {
  const int before = omp_get_max_threads();
  for (const char* spec : {"@poisson2d:200", "@mesh3d:30,shuffled"}) {
    const auto strong = connections_of(laplacian(spec));
    omp_set_num_threads(1);
    const auto greedy = multigrid::aggregate_greedily(strong);
    const auto independent = multigrid::aggregate_independently(strong);
    for (const int threads : {2, 3, 7}) {
      omp_set_num_threads(threads);
      EXPECT_TRUE(std::ranges::equal(multigrid::aggregate_greedily(strong).of, greedy.of)) << spec << ' ' << threads;
      EXPECT_TRUE(std::ranges::equal(multigrid::aggregate_independently(strong).of, independent.of)) << threads;
    }
    omp_set_num_threads(before);
  }
}

TEST(Multigrid, ConnectionsThatAreNotMutualAreAggregatedToo) {
  // Each row looks at the next one only.
  const auto a = from_rows<double, std::int32_t>(500, 500, entries::integers, [](std::int64_t i) {
    return i + 1 < 500 ? std::vector<std::int64_t>{i, i + 1} : std::vector<std::int64_t>{i};
  });
  std::vector<std::uint8_t> marks(static_cast<std::size_t>(a.nnz()));
  const auto strong = multigrid::strong_connections(a.view(), 0, marks);
  for (const auto& all : {multigrid::aggregate_greedily(strong), multigrid::aggregate_independently(strong)})
    for (std::int64_t i = 0; i < 499; ++i) EXPECT_GE(all.of[i], 0) << i;
}

TEST(Multigrid, GalerkinProductsOfWholeNumbersAreExact) {
  const auto whole = [](std::int64_t rows, std::int64_t cols, std::int64_t per_row) {
    return from_rows<double, std::int32_t>(rows, cols, entries::integers,
                                           [&](std::int64_t i) { return random_columns(i, per_row, cols, 5); });
  };
  const auto a = whole(4000, 4000, 9);
  const auto p = whole(4000, 700, 3);
  const auto r = transpose(p);
  const auto found = multigrid::galerkin_product(r.view(), a.view(), p.view());
  const auto expected = triple_product(p, a);
  EXPECT_TRUE(std::ranges::equal(found.row_offsets, expected.row_offsets));
  EXPECT_TRUE(std::ranges::equal(found.columns, expected.columns));
  EXPECT_TRUE(std::ranges::equal(found.values.data, expected.values.data));
}

TEST(Multigrid, AConstantIsInterpolatedExactlyAwayFromTheBoundary) {
  // Rows of the interior sum to zero: smoothing keeps the constant, whose coarse form is ones.
  const auto a = laplacian("@poisson2d:40");
  std::vector<std::uint8_t> marks(static_cast<std::size_t>(a.nnz()));
  const auto strong = multigrid::strong_connections(a.view(), 0.25, marks);
  const auto nodes = multigrid::aggregate(strong);
  const std::vector<double> ones(1600, 1);
  const std::vector<double> diagonal(1600, 4);
  const auto p0 = multigrid::make_tentative<double, std::int32_t>(nodes, 1, ones, 1);
  const auto p = multigrid::smoothed_prolongator(a.view(), nodes, 1, p0, {diagonal, marks, 0.5, 0});
  for (std::int64_t y = 1; y < 39; ++y)
    for (std::int64_t x = 1; x < 39; ++x) {
      double sum = 0;
      for (const auto [column, value] : p.row(y * 40 + x)) sum += value;
      EXPECT_EQ(sum, 1) << x << ' ' << y;  // eighths and halves: no rounding
    }
}

TEST(Multigrid, WeakEntriesCountForTheDiagonalWhereAConstantIsInterpolated) {
  // Strong along rows of the grid, a 64th of that across them: only with the weak entries on its diagonal a row of the
  // interior still sums to zero.
  auto a = laplacian("@poisson2d:40");
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) {
      const std::int64_t away = std::abs(a.columns[k] - i);
      a.values.data[k] = away == 0 ? 2 + 2.0 / 64 : away == 1 ? -1 : -1.0 / 64;
    }
  std::vector<std::uint8_t> marks(static_cast<std::size_t>(a.nnz()));
  const auto strong = multigrid::strong_connections(a.view(), 0.25, marks);
  const auto nodes = multigrid::aggregate(strong);
  const std::vector<double> ones(1600, 1);
  const std::vector<double> diagonal(1600, 2 + 2.0 / 64);
  const auto p0 = multigrid::make_tentative<double, std::int32_t>(nodes, 1, ones, 1);
  const auto p = multigrid::smoothed_prolongator(a.view(), nodes, 1, p0, {diagonal, marks, 0.5, 0});
  for (std::int64_t y = 1; y < 39; ++y)
    for (std::int64_t x = 1; x < 39; ++x) {
      double sum = 0;
      for (const auto [column, value] : p.row(y * 40 + x)) sum += value;
      EXPECT_EQ(sum, 1) << x << ' ' << y;
    }
}

TEST(Multigrid, NearNullSpacesAreOrthogonalOnAggregatesAndComeBack) {
  constexpr std::int64_t n = 20;
  constexpr std::int64_t rows = 2 * n * n;
  constexpr std::int64_t width = 3;
  const auto plate = springs(n);
  const auto sizes = multigrid::norms_of_blocks(plate.view(), 2);
  std::vector<std::uint8_t> marks(static_cast<std::size_t>(sizes.nnz()));
  const auto strong = multigrid::strong_connections(sizes.view(), 0.25, marks);
  const auto nodes = multigrid::aggregate(strong);
  const auto motions = rigid_motions(n);
  std::vector<double> space(static_cast<std::size_t>(rows * width));
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t c = 0; c < width; ++c)
      space[static_cast<std::size_t>(i * width + c)] = motions[static_cast<std::size_t>(c * rows + i)];
  const auto p0 = multigrid::make_tentative<double, std::int32_t>(nodes, 2, space, width);
  // Sums over the rows of an aggregate of numbers up to n, each rounded.
  const double bound = 64 * rows * n * std::numeric_limits<double>::epsilon();
  std::vector<double> grams(static_cast<std::size_t>(nodes.count * width * width), 0);
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::int64_t a = nodes.of[i / 2];
    ASSERT_GE(a, 0);
    for (std::int64_t c = 0; c < width; ++c) {
      double back = 0;
      for (std::int64_t k = 0; k < width; ++k) {
        back += p0.rows[i * width + k] * p0.coarse[(a * width + k) * width + c];
        grams[static_cast<std::size_t>((a * width + k) * width + c)] += p0.rows[i * width + k] * p0.rows[i * width + c];
      }
      EXPECT_NEAR(back, space[static_cast<std::size_t>(i * width + c)], bound) << i << ' ' << c;
    }
  }
  for (std::int64_t a = 0; a < nodes.count; ++a)
    for (std::int64_t k = 0; k < width; ++k)
      for (std::int64_t c = 0; c < width; ++c)
        EXPECT_NEAR(grams[static_cast<std::size_t>((a * width + k) * width + c)], k == c ? 1 : 0, bound);
}

TEST(Multigrid, FactorsLeaveOutThePivotThatIsZeroButForRounding) {
  // Paths whose rows sum to zero before rounding: the sign of what rounding leaves is any.
  for (int seed = 1; seed <= 20; ++seed) {
    constexpr std::int64_t n = 200;
    auto path = from_rows<double, std::int32_t>(n, n, entries::integers, [&](std::int64_t i) {
      std::vector<std::int64_t> columns;
      for (std::int64_t j = std::max<std::int64_t>(0, i - 1); j < std::min(n, i + 2); ++j) columns.push_back(j);
      return columns;
    });
    const auto weight = [&](std::int64_t edge) {  // between two neighbours
      return edge < 0 || edge + 1 >= n ? 0.0 : 1.0 / (3 + static_cast<double>((edge * 7 + seed) % 11));
    };
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t k = path.row_offsets[i]; k < path.row_offsets[i + 1]; ++k) {
        const std::int64_t j = path.columns[k];
        path.values.data[k] = j == i ? weight(i - 1) + weight(i) : -weight(std::min(i, j));
      }
    EXPECT_EQ(multigrid::coarse_factors<double>(path.view(), true).left_out(), 1) << seed;
    const auto narrow = cast_values<float>(path);
    EXPECT_EQ(multigrid::coarse_factors<float>(narrow.view(), true).left_out(), 1) << seed;
  }
}

TEST(Multigrid, FactorsSolveTheCoarsestLevel) {
  const auto a = laplacian("@poisson2d:9");
  for (const bool hermitian : {true, false}) {
    const multigrid::coarse_factors<double> factors(a.view(), hermitian);
    EXPECT_EQ(factors.left_out(), 0);
    const auto b = right_side<double>(a.rows);
    std::vector<double> x(b.size());
    factors.solve(b, x);
    EXPECT_LE(residual_of(a, b, x), 81 * 8 * std::numeric_limits<double>::epsilon());
  }
  // Unknowns are exchanged where their diagonals differ.
  auto scaled = a;
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      if (a.columns[k] == i) scaled.values.data[k] += static_cast<double>(i * 37 % 81);
  const multigrid::coarse_factors<double> exchanged(scaled.view(), true);
  const auto b = right_side<double>(a.rows);
  std::vector<double> x(b.size());
  exchanged.solve(b, x);
  EXPECT_LE(residual_of(scaled, b, x), 81 * 8 * std::numeric_limits<double>::epsilon());
  // Two rows that are exchanged, and a direction that is missing.
  const auto turned = from_rows<double, std::int32_t>(3, 3, entries::integers, [](std::int64_t i) {
    return i == 2 ? std::vector<std::int64_t>{} : std::vector<std::int64_t>{1 - i};
  });
  const multigrid::coarse_factors<double> factors(turned.view(), false);
  EXPECT_EQ(factors.left_out(), 1);
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
    auto& space = m->space();
    const auto from = space.zeros(a.rows);
    const auto to = space.zeros(a.rows);
    space.from_host(b, from);
    m->apply(from, to);
    std::vector<double> z(x.size());
    space.to_host(to, z);
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

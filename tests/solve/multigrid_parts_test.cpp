// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The parts of algebraic multigrid against their definitions.
#include <gtest/gtest.h>
#include <omp.h>
#include <set>

#include <lacis/builder.hpp>
#include <lacis/spgemm_composed.hpp>

#include "solve/elastic_plate.hpp"
#include "solve/multigrid/aggregate.hpp"
#include "solve/multigrid/coarse_factors.hpp"
#include "solve/multigrid/galerkin.hpp"
#include "solve/multigrid/independent_set.hpp"
#include "solve/multigrid/prolongator.hpp"
#include "solve/multigrid/strength.hpp"
#include "solve/systems.hpp"

namespace lacis::test {
namespace {

template <class Matrix>
multigrid::connections<std::int32_t> strong_connections(const Matrix& a, double strength,
                                                        std::span<std::uint8_t> marks) {
  return multigrid::strong_connections(a.view(), 0, multigrid::roots_of_largest(a.view(), 0), strength, marks);
}

/// They refer to A.
multigrid::connections<std::int32_t> connections_of(const csr_matrix<double>& a, double strength = 0.25) {
  std::vector<std::uint8_t> marks(static_cast<std::size_t>(a.nnz()));
  return strong_connections(a, strength, marks);
}
void connections_of(const csr_matrix<double>&&, double = 0.25) = delete;

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
  const auto strong = strong_connections(symmetric, 0.5, marks);
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

TEST(Multigrid, OneThreadAndManyFindTheSameIndependentSet) {
  for (const char* spec :
       {"@poisson2d:90", "@poisson3d:30", "@mesh3d:20,shuffled", "@stencil27:16", "@poisson2d:3", "@poisson2d:400"}) {
    const auto a = laplacian(spec);
    const auto strong = connections_of(a);
    const auto by_sweep = multigrid::aggregate_independently(strong, true);
    EXPECT_TRUE(std::ranges::equal(by_sweep.of, multigrid::aggregate_independently(strong).of)) << spec;
    EXPECT_TRUE(std::ranges::equal(by_sweep.of, multigrid::aggregate(strong).of) ||
                std::ranges::equal(multigrid::aggregate_greedily(strong).of, multigrid::aggregate(strong).of));
  }
}

TEST(Multigrid, TheOrderOfRowsHasEachPlaceOnce) {
  for (const std::int64_t rows : {1, 2, 512, 513, 100000, 300000}) {
    const multigrid::order_of_rows order(rows);
    std::vector<int> visits(static_cast<std::size_t>(rows), 0);
    std::int64_t before = -1;
    order.each(rows, [&](std::int64_t i) {
      ++visits[static_cast<std::size_t>(i)];
      const auto place = static_cast<std::int64_t>(order.place(i));
      EXPECT_GT(place, before) << rows << ' ' << i;
      before = place;
    });
    EXPECT_EQ(std::count(visits.begin(), visits.end(), 1), rows);
  }
}

TEST(Multigrid, AggregatesOfConnectionsThatAreNotMutualDoNotDependOnThreads) {
  // Far apart, so that no range has most of them.
  const auto a = from_rows<double, std::int32_t>(60000, 60000, entries::integers,
                                                 [](std::int64_t i) { return random_columns(i, 5, 60000, 3); });
  std::vector<std::uint8_t> marks(static_cast<std::size_t>(a.nnz()));
  const auto strong = strong_connections(a, 0, marks);
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const auto expected = multigrid::aggregate(strong);
  omp_set_num_threads(16);
  EXPECT_TRUE(std::ranges::equal(multigrid::aggregate(strong).of, expected.of));
  omp_set_num_threads(before);
}

TEST(Multigrid, AggregatesDoNotDependOnThreads) {
  const int before = omp_get_max_threads();
  for (const char* spec : {"@poisson2d:200", "@mesh3d:30,shuffled"}) {
    const auto a = laplacian(spec);
    const auto strong = connections_of(a);
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

/// Roots are rows 0 and 2, to which rows 1, 5 and 3 belong; row 4 is beside both.
csr_matrix<double> between_two(double to_first, double to_second, bool has_fifth) {
  builder<double> all(6, 6);
  auto put = all.inserter();
  const auto join = [&](std::int64_t i, std::int64_t j, double value) {
    put(i, j, value);
    put(j, i, value);
  };
  join(0, 1, 1);
  join(2, 3, 1);
  if (has_fifth) join(0, 5, 1);
  join(4, 1, to_first);
  join(4, 3, to_second);
  return all.build();
}

TEST(Multigrid, ARowBetweenAggregatesJoinsTheStrongestThenTheSmallestThenTheFirst) {
  const auto joined = [](const csr_matrix<double>& a) {
    const auto all = multigrid::aggregate_greedily(connections_of(a, 0));
    EXPECT_NE(all.of[0], all.of[2]);
    return all.of[4] == all.of[0] ? 0 : 2;
  };
  EXPECT_EQ(joined(between_two(1, 3, false)), 2);
  EXPECT_EQ(joined(between_two(3, 1, true)), 0);
  EXPECT_EQ(joined(between_two(1, 1, true)), 2);
  EXPECT_EQ(joined(between_two(1, 1, false)), 0);
}

TEST(Multigrid, ConnectionsThatAreNotMutualAreAggregatedToo) {
  // Each row looks at the next one only.
  const auto a = from_rows<double, std::int32_t>(500, 500, entries::integers, [](std::int64_t i) {
    return i + 1 < 500 ? std::vector<std::int64_t>{i, i + 1} : std::vector<std::int64_t>{i};
  });
  std::vector<std::uint8_t> marks(static_cast<std::size_t>(a.nnz()));
  const auto strong = strong_connections(a, 0, marks);
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
  // From the last column nothing is interpolated: it stands for itself.
  const auto wider = from_rows<double, std::int32_t>(4000, 701, entries::integers,
                                                     [](std::int64_t i) { return random_columns(i, 3, 700, 5); });
  const auto turned = transpose(wider);
  const auto with_empty = multigrid::galerkin_product(turned.view(), a.view(), wider.view());
  ASSERT_EQ(with_empty.rows, 701);
  ASSERT_EQ(with_empty.row_offsets[701] - with_empty.row_offsets[700], 1);
  EXPECT_EQ(with_empty.columns[with_empty.row_offsets[700]], 700);
  EXPECT_EQ(with_empty.values[with_empty.row_offsets[700]], 1);
}

TEST(Multigrid, AConstantIsInterpolatedExactlyAwayFromTheBoundary) {
  // Rows of the interior sum to zero: smoothing keeps the constant, whose coarse form is ones.
  const auto a = laplacian("@poisson2d:40");
  std::vector<std::uint8_t> marks(static_cast<std::size_t>(a.nnz()));
  const auto strong = strong_connections(a, 0.25, marks);
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
  // What is left of a truncated row has the same sum, but for the rounding of a quotient, products and the sum here.
  const auto shorter = multigrid::smoothed_prolongator(a.view(), nodes, 1, p0, {diagonal, marks, 0.5, 0.3});
  EXPECT_LT(shorter.nnz(), p.nnz());
  for (std::int64_t y = 1; y < 39; ++y)
    for (std::int64_t x = 1; x < 39; ++x) {
      double sum = 0;
      for (const auto [column, value] : shorter.row(y * 40 + x)) sum += value;
      EXPECT_NEAR(sum, 1, 5 * std::numeric_limits<double>::epsilon()) << x << ' ' << y;
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
  const auto strong = strong_connections(a, 0.25, marks);
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
  const auto sizes = multigrid::norms_of_blocks(plate.view(), 2, 2);
  std::vector<std::uint8_t> marks(static_cast<std::size_t>(sizes.nnz()));
  const auto strong = strong_connections(sizes, 0.25, marks);
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

TEST(Multigrid, FactorsExchangeRowsWhereAIsNotHermitian) {
  const auto solved = [](const double(&a)[3][3], std::vector<double> b) {
    builder<double> all(3, 3);
    auto put = all.inserter();
    for (std::int64_t i = 0; i < 3; ++i)
      for (std::int64_t j = 0; j < 3; ++j) put(i, j, a[i][j]);
    const auto matrix = all.build();
    std::vector<double> x(3);
    multigrid::coarse_factors<double>(matrix.view(), false).solve(b, x);
    return x;
  };
  EXPECT_EQ(solved({{0, 2, 0}, {0, 0, 4}, {1, 0, 0}}, {6, 20, 2}), (std::vector<double>{2, 3, 5}));
  // A first pivot of 1e-10 would cost ten of sixteen digits.
  const auto x = solved({{1e-10, 1, 0}, {1, 1, 0}, {0, 0, 1}}, {1e-10 + 1, 2, 1});
  for (const double one : x) EXPECT_NEAR(one, 1, 16 * std::numeric_limits<double>::epsilon());
}

TEST(Multigrid, MagnitudesOfAMatrixAndItsTransposeAreAdded) {
  const auto lonely = from_rows<double, std::int32_t>(3000, 3000, entries::reals,
                                                      [](std::int64_t i) { return random_columns(i, 5, 3000, 9); });
  auto paired = add(lonely, transpose(lonely));  // each entry has a partner, of another size
  for (std::int64_t k = 0; k < paired.nnz(); ++k) paired.values.data[k] *= static_cast<double>(k % 7) - 3;
  for (const csr_matrix<double>& a : {lonely, paired}) {
    auto sizes = a;
    for (double& one : sizes.values.data) one = std::abs(one);
    const auto expected = add(sizes, transpose(sizes));
    const auto found = multigrid::symmetric_magnitudes(a.view());
    EXPECT_TRUE(std::ranges::equal(found.row_offsets, expected.row_offsets));
    EXPECT_TRUE(std::ranges::equal(found.columns, expected.columns));
    EXPECT_TRUE(std::ranges::equal(found.values.data, expected.values.data));
  }
}

}  // namespace
}  // namespace lacis::test

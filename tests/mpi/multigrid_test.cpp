// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Multigrid on ranks: the aggregates, the levels and the bits of one process.
#include <algorithm>
#include <cmath>
#include <complex>

#include <lacis/error.hpp>
#include <lacis/precondition.hpp>
#include <lacis/solve.hpp>
#include <lacis/solve_auto.hpp>
#include <lacis/structure.hpp>

#include "mpi/choose.hpp"
#include "mpi/multigrid/aggregate.hpp"
#include "mpi/systems.hpp"
#include "solve/assembled_otherwise.hpp"
#include "solve/convection.hpp"
#include "solve/elastic_plate.hpp"
#include "solve/jumps.hpp"
#include "solve/lines.hpp"
#include "solve/multigrid/aggregate.hpp"

namespace lacis::test {
namespace {

constexpr preconditioner_kind amg = preconditioner_kind::amg;

/// This rank's part of each of the vectors, one after the other.
std::vector<double> own_vectors(std::span<const double> all, std::int64_t rows, row_range own) {
  std::vector<double> mine;
  for (std::size_t begin = 0; begin < all.size(); begin += static_cast<std::size_t>(rows))
    mine.insert(mine.end(), all.begin() + static_cast<std::ptrdiff_t>(begin) + own.first,
                all.begin() + static_cast<std::ptrdiff_t>(begin) + own.last);
  return mine;
}

void expect_levels(const multigrid_report& found, const multigrid_report& expected) {
  ASSERT_EQ(found.levels.size(), expected.levels.size());
  for (std::size_t k = 0; k < found.levels.size(); ++k) {
    EXPECT_EQ(found.levels[k].rows, expected.levels[k].rows) << "level " << k;
    EXPECT_EQ(found.levels[k].entries, expected.levels[k].entries) << "level " << k;
    EXPECT_EQ(found.levels[k].aggregation, expected.levels[k].aggregation) << "level " << k;
    EXPECT_EQ(found.levels[k].largest_eigenvalue, expected.levels[k].largest_eigenvalue) << "level " << k;
  }
  EXPECT_EQ(found.operator_complexity, expected.operator_complexity);
  EXPECT_EQ(found.narrow, expected.narrow);
  EXPECT_EQ(found.hermitian, expected.hermitian);
  EXPECT_EQ(found.cycle, expected.cycle);
  EXPECT_EQ(found.smoother, expected.smoother);
  EXPECT_EQ(found.remark, expected.remark);
}

/// The hierarchy of one process, its iterations and its x.
template <class T>
multigrid_report expect_bits_of_one(const csr_matrix<T>& a, multigrid_options options = {},
                                    solve_method method = solve_method::cg) {
  const auto expected_inverse = make_preconditioner(a, {.kind = amg, .multigrid = options});
  const auto mine = spread(a);
  const distributed_matrix<T> product(mine);
  const auto own_space = own_vectors(options.near_null_space, a.rows, mine.own_rows());
  options.near_null_space = own_space;
  const auto inverse = make_distributed_preconditioner(mine, product, {.kind = amg, .multigrid = options});
  expect_levels(*inverse->hierarchy(), *expected_inverse->hierarchy());

  const auto b = numbers<T>(a.rows, 7);
  const solve_options few{.tolerance = 1e-6, .max_iterations = 40};
  std::vector<T> x(b.size(), T(0));
  const auto expected = solve<T>(method, *make_operator(multiply_inspect(a)), b, x, few, expected_inverse.get());
  std::vector<T> part(static_cast<std::size_t>(product.cols()), T(0));
  const auto found = solve<T>(method, product, part_of(b, mine.own_rows()), part, few, inverse.get());
  EXPECT_TRUE(found.converged());
  EXPECT_EQ(found.history, expected.history);
  expect_same(part, x, mine.own_cols());
  return *inverse->hierarchy();
}

csr_matrix<double> poisson(const std::string& spec) { return generate<double, std::int32_t>(spec); }

/// `count` unknowns per row of a, each coupled as a says and a little with the others of its row.
csr_matrix<double> blocks_of(const csr_matrix<double>& a, std::int64_t count) {
  builder<double> all(a.rows * count, a.rows * count);
  auto put = all.inserter();
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t c = 0; c < count; ++c) {
      for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
        put(i * count + c, a.columns[k] * count + c, a.values[k] * static_cast<double>(c + 1));
      for (std::int64_t other = 0; other < count; ++other)
        put(i * count + c, i * count + other, other == c ? 0.5 : 0.1);
    }
  return all.build();
}

TEST(SpreadMultigrid, LevelsAndBitsDoNotDependOnTheProcesses) {
  // Two levels are shared, the third is on every rank, and a W-cycle visits that one twice.
  const auto flat = expect_bits_of_one(poisson("@poisson2d:260"), {.cycle = multigrid_cycle::w});
  ASSERT_EQ(flat.levels.size(), 4U);
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  EXPECT_EQ(flat.levels[0].ranks, ranks);
  EXPECT_EQ(flat.levels[1].ranks, std::min(ranks, 3));
  EXPECT_EQ(flat.levels[2].ranks, 1);
  EXPECT_EQ(flat.levels[0].aggregation.substr(0, 8), "greedily");
  const auto cube = expect_bits_of_one(poisson("@poisson3d:30"), {.degree = 3, .truncation = 0.15});
  EXPECT_EQ(cube.levels[0].aggregation.substr(0, 6), "around");
  expect_bits_of_one(poisson("@mesh3d:20,shuffled"), {.narrow = false});
}

TEST(SpreadMultigrid, KCyclesAndSmoothersHaveTheBitsOfOneProcess) {
  // Steps are taken on a level that is shared and on one that every rank has.
  const auto flat = expect_bits_of_one(jumps(260, 1e4), {.cycle = multigrid_cycle::k});
  ASSERT_EQ(flat.levels.size(), 4U);
  EXPECT_GT(flat.levels[1].rows, 8192);
  expect_bits_of_one(jumps(130, 1e4), {.smoother = multigrid_smoother::l1_jacobi, .narrow = false});
  expect_bits_of_one(convection(260, 3), {.cycle = multigrid_cycle::k}, solve_method::fgmres);
}

TEST(SpreadMultigrid, WeakEntriesGoApartAsOnOneProcess) {
  // Two levels that are shared have such entries; lines are cut between ranks.
  const auto flat = expect_bits_of_one(lines(260, 260, -100, -1));
  for (const std::size_t level : {1, 2}) EXPECT_LT(flat.levels[level].entries, 6 * flat.levels[level].rows) << "not 9";
  expect_bits_of_one(lines(190, 190, -1, -100), {.narrow = false});  // and aggregates
}

TEST(SpreadMultigrid, SmallMatricesAreOnEveryRank) {
  expect_bits_of_one(poisson("@poisson2d:50"));
  expect_bits_of_one(poisson("@poisson2d:3"));
}

TEST(SpreadMultigrid, FollowsAWind) {
  expect_bits_of_one(convection(140, 3), {}, solve_method::bicgstab);
  expect_bits_of_one(blocks_of(convection(80, 3), 2), {.block = 2}, solve_method::bicgstab);
  auto turned = cast_values<std::complex<double>>(convection(100, 3));
  for (auto& one : turned.values.data) one *= std::complex<double>(1, 0.75);  // and so the diagonal is no real one
  expect_bits_of_one(turned, {}, solve_method::bicgstab);
}

TEST(SpreadMultigrid, NodesAreNotCut) {
  // Ranks have multiples of 4096 rows, which 3 does not divide: levels lie otherwise than A.
  expect_bits_of_one(blocks_of(poisson("@poisson2d:110"), 3), {.block = 3});
  // Two rows per node, three motions: rows of the coarser levels too come in threes.
  constexpr std::int64_t n = 160;
  const auto motions = rigid_motions(n);
  const auto plate = expect_bits_of_one(springs(n), {.block = 2, .near_null_space = motions});
  EXPECT_GT(plate.levels[1].rows, 8192);
}

TEST(SpreadMultigrid, DirectionsThatAnAggregateDoesNotHaveStayEmpty) {
  const auto a = poisson("@poisson2d:100");
  const std::vector<double> twice_the_same(static_cast<std::size_t>(2 * a.rows), 1);
  expect_bits_of_one(a, {.near_null_space = twice_the_same});
}

TEST(SpreadMultigrid, HermitianMatrices) {
  const auto a = poisson("@poisson2d:100");
  csr_matrix<std::complex<double>> turned{a.rows, a.cols, a.row_offsets, a.columns,
                                          values_array<std::complex<double>>(a.nnz())};
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) {
      // Turned a little along one direction, and back.
      const double side = a.columns[k] == i + 1 ? 1 : a.columns[k] == i - 1 ? -1 : 0;
      turned.values.data[k] = a.values[k] * std::complex<double>(1, 0.02 * side);
    }
  EXPECT_TRUE(expect_bits_of_one(turned).hermitian);
}

/// Ranks find the symmetry that one process finds, and choose by it.
template <class T> void expect_symmetry(const csr_matrix<T>& a, bool hermitian) {
  const system_facts expected = lacis::detail::facts_of(a.view());
  system_facts facts;
  const solver_choice choice = dist::choose(spread(a), {}, facts);
  EXPECT_EQ(expected.hermitian, hermitian);
  EXPECT_EQ(facts.hermitian, expected.hermitian);
  EXPECT_EQ(facts.asymmetry, expected.asymmetry);
  EXPECT_EQ(facts.positive_diagonal, expected.positive_diagonal);
  EXPECT_EQ(choice.method, hermitian ? solve_method::cg : solve_method::gmres);
}

TEST(SpreadMultigrid, RoundingErrorsDoNotEndTheSymmetry) {
  constexpr std::int64_t n = 100;
  const auto plate = assembled_otherwise(springs(n));
  expect_symmetry(plate, true);
  const auto motions = rigid_motions(n);
  EXPECT_TRUE(expect_bits_of_one(plate, {.block = 2, .near_null_space = motions}).hermitian);
  const auto cube = assembled_otherwise(poisson("@poisson3d:28"));
  expect_symmetry(cube, true);
  EXPECT_TRUE(expect_bits_of_one(cube, {.cycle = multigrid_cycle::k, .narrow = false}).hermitian);
  // Entries that are strong on one side of the diagonal only: 1 is rounded to more than a quarter of 4 or to less.
  const auto torn = assembled_otherwise(lines(130, 130, -4, -1));
  expect_symmetry(torn, true);
  EXPECT_TRUE(expect_bits_of_one(torn, {.narrow = false}).hermitian);
  // Roots of the diagonal of other ranks count, and so does an imaginary part of the diagonal.
  auto turned = cast_values<std::complex<double>>(assembled_otherwise(poisson("@poisson2d:100")));
  for (std::int64_t i = 0; i < turned.rows; ++i)
    for (std::int64_t k = turned.row_offsets[i]; k < turned.row_offsets[i + 1]; ++k)
      if (turned.columns[k] == i) turned.values.data[k] += std::complex<double>(0, std::ldexp(1.0, -50));
  expect_symmetry(turned, true);
  EXPECT_TRUE(expect_bits_of_one(turned).hermitian);
}

TEST(SpreadMultigrid, MoreThanRoundingErrorsEndsTheSymmetry) {
  auto a = poisson("@poisson2d:140");
  for (std::int64_t k = a.row_offsets[9000]; k < a.row_offsets[9001]; ++k)
    if (a.columns[k] > 9000) a.values.data[k] *= 1 + 1e-12;
  expect_symmetry(a, false);
  a.values.data[a.row_offsets[9000]] = std::nan("");
  expect_symmetry(a, false);
  expect_symmetry(convection(100, 1e-3), false);
}

TEST(SpreadMultigrid, RowsThatCannotBePutTogetherAreSmoothed) {
  csr_matrix<double> a{20000, 20000, buffer<std::int64_t>(20001), buffer<std::int32_t>(20000),
                       values_array<double>(20000)};
  for (std::int64_t i = 0; i < a.rows; ++i) {
    a.row_offsets[i + 1] = i + 1;
    a.columns[i] = static_cast<std::int32_t>(i);
    a.values.data[i] = 1 + static_cast<double>(i % 7);
  }
  a.row_offsets[0] = 0;
  EXPECT_FALSE(expect_bits_of_one(a).remark.empty());
}

TEST(SpreadMultigrid, RefusesWhatOneProcessRefusesOnAllRanks) {
  auto a = poisson("@poisson2d:140");
  const std::int64_t bad = a.rows - 2;
  for (std::int64_t k = a.row_offsets[bad]; k < a.row_offsets[bad + 1]; ++k)
    if (a.columns[k] == bad) a.values.data[k] = -1;
  const auto mine = spread(a);
  const distributed_matrix<double> product(mine);
  try {
    static_cast<void>(make_distributed_preconditioner(mine, product, {.kind = amg}));
    FAIL() << "a negative diagonal";
  } catch (const error& problem) {
    EXPECT_EQ(problem.code(), errc::invalid_matrix);
    EXPECT_NE(std::string(problem.what()).find(std::to_string(bad)), std::string::npos) << problem.what();
  }
  EXPECT_THROW(
      static_cast<void>(make_distributed_preconditioner(mine, product, {.kind = amg, .multigrid = {.block = 3}})),
      error);
}

/// Connections of a directed graph, so that rows may be left when all roots are found.
csr_matrix<double> arrows(std::int64_t rows, std::int64_t reach, std::uint64_t seed) {
  builder<double> all(rows, rows);
  auto put = all.inserter();
  std::uint64_t state = seed;
  const auto next = [&](std::uint64_t below) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::int64_t>((state >> 33) % below);
  };
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t count = next(4); count > 0; --count) {
      const std::int64_t j = i - reach + next(static_cast<std::uint64_t>(2 * reach + 1));
      if (j >= 0 && j < rows && j != i) put(i, j, static_cast<double>(1 + next(3)));
    }
  return all.build();
}

TEST(SpreadMultigrid, AggregatesAreThoseOfOneProcess) {
  constexpr std::int64_t rows = 40000;
  for (const std::int64_t reach : {30, 20000})
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      const auto a = arrows(rows, reach, seed);
      const auto all_connected = [](const auto& view, std::int64_t first) {
        std::vector<std::uint8_t> marks(static_cast<std::size_t>(view.nnz()));
        const std::vector<double> roots(static_cast<std::size_t>(view.cols), 0);
        return multigrid::strong_connections(view, first, std::span<const double>(roots), 0, marks);
      };
      const auto expected = multigrid::aggregate(all_connected(a.view(), 0));
      const auto mine = spread(a);
      const dist::halo place(mine);
      const auto found =
          dist::aggregate(mine.group, mine.row_ranges, place, all_connected(mine.local.view(), mine.ghosts_before));
      EXPECT_EQ(found.how, expected.how);
      ASSERT_EQ(found.count, expected.count);
      const row_range own = mine.own_rows();
      for (std::int64_t i = own.first; i < own.last; ++i)
        ASSERT_EQ(found.of[i - own.first], expected.of[i]) << "row " << i << ", reach " << reach;
    }
}

}  // namespace
}  // namespace lacis::test

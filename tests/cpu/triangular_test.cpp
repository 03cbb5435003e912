// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Triangular systems on the processor: the bits of the definition in every schedule, on every number of threads.
#include "summation/triangular.hpp"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include <lacis/generate.hpp>
#include <lacis/hash.hpp>
#include <lacis/triangular.hpp>

#include "cpu/triangular/schedule.hpp"
#include "support/errors.hpp"
#include "support/matrices.hpp"

namespace lacis::test {
namespace {

/// With a full diagonal that is larger than the rest of its row.
template <class T> csr_matrix<T> system_of(std::int64_t n, std::int64_t per_row, std::int64_t reach) {
  auto a = from_rows<T, std::int32_t>(n, n, entries::reals, [&](std::int64_t i) {
    const std::int64_t first = std::max<std::int64_t>(0, i - reach);
    const std::int64_t width = std::min(n, i + reach + 1) - first;
    auto columns = random_columns(i, std::min(per_row, width), width, 4);
    for (std::int64_t& j : columns) j += first;
    if (!std::ranges::binary_search(columns, i)) columns.insert(std::ranges::lower_bound(columns, i), i);
    return columns;
  });
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      if (a.columns[k] == i) a.values.data[k] = T(static_cast<real_of<T>>(3 * per_row));
  return a;
}

template <class T> void expect_the_definition(const csr_matrix<T>& a, const std::string& name) {
  const auto b = full_numbers<T>(a.rows, 8);
  const std::span<const T> right(b.data(), static_cast<std::size_t>(a.rows));
  std::vector<T> expected(static_cast<std::size_t>(a.rows));
  for (const bool upper : {false, true})
    for (const bool unit : {false, true}) {
      const auto kind = unit ? summation::diagonal::unit : summation::diagonal::stored;
      if (upper)
        summation::solve_upper<T, std::int32_t>(a.view(), kind, right, expected);
      else
        summation::solve_lower<T, std::int32_t>(a.view(), kind, right, expected);
      for (const auto schedule :
           {triangular_schedule::automatic, triangular_schedule::serial, triangular_schedule::levels,
            triangular_schedule::sync_free, triangular_schedule::wavefront})
        for (const int threads : {1, 2, 3, 8}) {
          const auto plan =
              triangular_inspect(a, {.upper = upper, .unit_diagonal = unit, .threads = threads, .schedule = schedule});
          std::vector<T> x(right.begin(), right.end());
          triangular_solve(plan, x, x);  // in place
          EXPECT_EQ(solution_hash(x), solution_hash(expected))
              << name << (upper ? " upper " : " lower ") << static_cast<int>(schedule) << ' ' << threads;
          std::fill(x.begin(), x.end(), T(-1));
          triangular_solve(plan, right, x);
          EXPECT_EQ(solution_hash(x), solution_hash(expected)) << name << ", a second time";
        }
    }
}

TEST(Triangular, HasTheBitsOfTheDefinitionInEverySchedule) {
  expect_the_definition(system_of<double>(1, 1, 1), "one row");
  expect_the_definition(system_of<double>(3000, 3, 3000), "wide levels");
  expect_the_definition(system_of<double>(2000, 3, 4), "a chain");
  expect_the_definition(system_of<double>(1500, 60, 700), "long rows");
  expect_the_definition(system_of<float>(900, 5, 200), "float");
  expect_the_definition(system_of<std::complex<double>>(900, 5, 200), "complex");
  expect_the_definition(system_of<double>(2500, 14, 2500), "rows of every length that kernels know");
  expect_the_definition(generate<double, std::int32_t>("@poisson3d:18"), "@poisson3d:18");
  expect_the_definition(generate<double, std::int32_t>("@poisson2d:60"), "@poisson2d:60");
  expect_the_definition(generate<double, std::int32_t>("@stencil27:14"), "@stencil27:14");
}

TEST(Triangular, OfNoRowsADiagonalOrOneLongChainHasTheBitsOfTheDefinition) {
  const auto band = [](std::int64_t n, std::int64_t reach) {
    return from_rows<double, std::int32_t>(n, n, entries::reals, [&](std::int64_t i) {
      return consecutive(std::max<std::int64_t>(0, i - reach), std::min(n, i + reach + 1));
    });
  };
  expect_the_definition(band(0, 0), "no rows");
  expect_the_definition(band(2, 1), "two rows");
  expect_the_definition(band(5000, 0), "a diagonal");
  expect_the_definition(band(5000, 1), "one chain");
}

/// Bits, not values: -0 is not 0, and every NaN of an operation is the same.
TEST(Triangular, KeepsSignedZerosInfinitiesAndNaN) {
  const auto a = generate<double, std::int32_t>("@poisson2d:40");
  std::vector<double> b(static_cast<std::size_t>(a.rows), -0.0);
  b[3] = 0.0;
  b[700] = std::numeric_limits<double>::infinity();
  b[1100] = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> expected(b.size());
  summation::solve_lower<double, std::int32_t>(a.view(), summation::diagonal::stored, b, expected);
  for (const auto schedule :
       {triangular_schedule::serial, triangular_schedule::levels, triangular_schedule::wavefront}) {
    const auto plan = triangular_inspect(a, {.threads = 2, .schedule = schedule});
    std::vector<double> x(b.size());
    triangular_solve(plan, b, x);
    for (std::size_t i = 0; i < x.size(); ++i) {
      ASSERT_EQ(std::isnan(x[i]), std::isnan(expected[i])) << i;
      if (std::isnan(x[i])) continue;
      ASSERT_EQ(std::bit_cast<std::uint64_t>(x[i]), std::bit_cast<std::uint64_t>(expected[i])) << i;
    }
  }
}

/// A plan for more threads than come is solved all the same: inside another region there is one.
TEST(Triangular, DoesNotWaitForThreadsThatDoNotCome) {
  const auto a = generate<double, std::int32_t>("@poisson2d:60");
  const auto b = full_numbers<double>(a.rows, 8);
  const std::span<const double> right(b.data(), static_cast<std::size_t>(a.rows));
  std::vector<double> expected(right.size());
  summation::solve_lower<double, std::int32_t>(a.view(), summation::diagonal::stored, right, expected);
  for (const auto schedule :
       {triangular_schedule::levels, triangular_schedule::sync_free, triangular_schedule::wavefront}) {
    const auto plan = triangular_inspect(a, {.threads = 3, .schedule = schedule});
    std::vector<std::vector<double>> x(2, std::vector<double>(right.size()));
#pragma omp parallel for num_threads(2)
    for (int t = 0; t < 2; ++t) triangular_solve(plan, right, x[static_cast<std::size_t>(t)]);
    for (const auto& one : x) EXPECT_EQ(solution_hash(one), solution_hash(expected)) << static_cast<int>(schedule);
  }
}

/// Many solutions with many flags, on more threads than there are processors.
TEST(Triangular, FlagsOrderTheRowsEveryTime) {
  const auto a = generate<double, std::int32_t>("@poisson2d:120");
  const auto b = full_numbers<double>(a.rows, 8);
  const std::span<const double> right(b.data(), static_cast<std::size_t>(a.rows));
  std::vector<double> expected(right.size());
  summation::solve_lower<double, std::int32_t>(a.view(), summation::diagonal::stored, right, expected);
  const auto hash = solution_hash(expected);
  for (const auto schedule : {triangular_schedule::levels, triangular_schedule::wavefront})
    for (const int threads : {2, 5}) {
      const auto plan = triangular_inspect(a, {.threads = threads, .schedule = schedule});
      std::vector<double> x(right.size());
      for (int turn = 0; turn < 20; ++turn) {
        std::fill(x.begin(), x.end(), std::numeric_limits<double>::quiet_NaN());  // what is read too early shows
        triangular_solve(plan, right, x);
        ASSERT_EQ(solution_hash(x), hash) << static_cast<int>(schedule) << ' ' << threads << ' ' << turn;
      }
    }
}

/// Where waiting for the row before costs nothing, blocks keep their rows as they are; where it costs much, they do
/// not. In both, each row comes after those that it needs.
TEST(Triangular, BlocksAreCutIntoStripsWhereThatIsCheaper) {
  const auto a = generate<double, std::int32_t>("@stencil27:40");
  for (const bool upper : {false, true})
    for (const double needed : {0.01, 100.0}) {
      const cpu::triangle_pattern<std::int32_t> pattern(a.row_offsets, a.columns, upper);
      const cpu::row_costs costs{.row = 3, .entry = 1, .needed = needed, .flag = 20, .region = 1};
      const auto rows = cpu::make_schedule(pattern, 2, triangular_schedule::automatic, 1, costs);
      EXPECT_EQ(rows.workers, 2) << rows.reason;
      EXPECT_EQ(rows.reason.find("strip by strip") != std::string::npos, needed < 1) << rows.reason;
      const auto number_of = [&](const std::vector<std::uint64_t>& known, std::int64_t row) {
        auto number = static_cast<std::uint64_t>(row) + 1;
        for (std::int64_t e = pattern.first(row); e < pattern.last(row); ++e)
          number = number * 31 + known[static_cast<std::size_t>(pattern.column(e))];
        return number;
      };
      std::vector<std::uint64_t> expected(static_cast<std::size_t>(a.rows));
      for (std::int64_t k = 0; k < a.rows; ++k)
        expected[static_cast<std::size_t>(pattern.turned(k))] = number_of(expected, pattern.turned(k));
      std::vector<std::uint64_t> found(expected.size());
      cpu::run_schedule(rows, 2, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t p = rows.tasks[static_cast<std::size_t>(first)].first;
             p < rows.tasks[static_cast<std::size_t>(last)].first; ++p)
          found[static_cast<std::size_t>(rows.order[p])] = number_of(found, rows.order[p]);
      });
      EXPECT_EQ(found, expected) << rows.reason;
    }
}

TEST(Triangular, SaysWhyItsScheduleWasChosen) {
  const auto plan = triangular_inspect(generate<double, std::int32_t>("@poisson2d:60"), {.threads = 1});
  EXPECT_EQ(plan.schedule(), triangular_schedule::serial);
  EXPECT_NE(plan.reason().find("one thread"), std::string::npos) << plan.reason();
  EXPECT_NE(plan.reason().find("119 levels"), std::string::npos) << plan.reason();
}

TEST(Triangular, LevelsAreThoseOfTheGraph) {
  // From one corner of the grid to the other.
  EXPECT_EQ(triangular_inspect(generate<double, std::int32_t>("@poisson3d:18")).levels(), 3 * 17 + 1);
  const auto diagonal = from_rows<double, std::int32_t>(50, 50, entries::reals,
                                                        [](std::int64_t i) { return std::vector<std::int64_t>{i}; });
  EXPECT_EQ(triangular_inspect(diagonal).levels(), 1);
}

TEST(Triangular, NewValuesTakeTheOldPlan) {
  auto a = system_of<double>(3000, 4, 3000);
  auto plan = triangular_inspect(a);
  for (double& value : a.values.data) value *= 1.5;
  update_values(plan, a);
  const auto b = full_numbers<double>(a.rows, 8);
  std::vector<double> expected(3000);
  std::vector<double> x(3000);
  const std::span<const double> right(b.data(), 3000);
  summation::solve_lower<double, std::int32_t>(a.view(), summation::diagonal::stored, right, expected);
  triangular_solve(plan, right, x);
  EXPECT_EQ(solution_hash(x), solution_hash(expected));
}

TEST(Triangular, RefusesWhatIsNoSystem) {
  const auto a = from_rows<double, std::int32_t>(4, 4, entries::reals, [](std::int64_t i) {
    return i == 2 ? std::vector<std::int64_t>{0} : std::vector<std::int64_t>{i};
  });
  EXPECT_EQ(code_of([&] { static_cast<void>(triangular_inspect(a)); }), errc::invalid_matrix);
  EXPECT_NO_THROW(static_cast<void>(triangular_inspect(a, {.unit_diagonal = true})));
  const auto wide = from_rows<double, std::int32_t>(4, 5, entries::reals,
                                                    [](std::int64_t i) { return std::vector<std::int64_t>{i}; });
  EXPECT_EQ(code_of([&] { static_cast<void>(triangular_inspect(wide)); }), errc::invalid_argument);
  const auto plan = triangular_inspect(system_of<double>(5, 2, 5));
  std::vector<double> x(4);
  EXPECT_EQ(code_of([&] { triangular_solve(plan, x, x); }), errc::invalid_argument);
}

}  // namespace
}  // namespace lacis::test

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Scattered entries: uniform, of a given density, by a power law.
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

#include <lacis/generate.hpp>

#include "generate/inspect.hpp"

namespace lacis::test {
namespace {

std::vector<std::int64_t> column_counts(const csr_matrix<double>& a) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(a.cols));
  for (const std::int32_t j : a.columns) counts[static_cast<std::size_t>(j)]++;
  return counts;
}

/// Every count lies within six standard deviations of the mean that all have.
void expect_even(const std::vector<std::int64_t>& counts, double mean) {
  const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
  EXPECT_GT(static_cast<double>(*least), mean - 6 * std::sqrt(mean));
  EXPECT_LT(static_cast<double>(*most), mean + 6 * std::sqrt(mean));
}

TEST(Uniform, HasExactlyTheColumnsAskedForInEachRow) {
  for (const int per_row : {0, 1, 7, 24, 25, 26, 49, 50}) {
    const auto a = generate<double>("@uniform:50," + std::to_string(per_row));
    ASSERT_EQ(canonical_problem(a), "");
    for (const std::int64_t length : row_lengths(a)) ASSERT_EQ(length, per_row);
  }
}

TEST(Uniform, ReachesAllColumnsEquallyOften) {
  const auto a = generate<double>("@uniform:3000,200");
  expect_even(column_counts(a), 200);
}

TEST(Density, HasExactlyTheShareOfPlaces) {
  const struct {
    std::string_view spec;
    std::int64_t entries;
  } cases[] = {{"@density:37,0.5", 685},    {"@density:100,0", 0},         {"@density:30,1", 900},
               {"@density:1000,1e-6", 1},   {"@density:1000,0.01", 10000}, {"@density:999,0.999", 997003},
               {"@density:1,0.4999999", 0}, {"@density:1,0.5", 1},         {"@density:60000,1e-7", 360},
               {"@density:70,0.998", 4890}};
  for (const auto& c : cases) {
    const auto a = generate<double>(c.spec);
    EXPECT_EQ(a.nnz(), c.entries) << c.spec;
    EXPECT_EQ(canonical_problem(a), "") << c.spec;
  }
}

TEST(Density, SpreadsEntriesOverRowsAndColumnsAtRandom) {
  const auto a = generate<double>("@density:2000,0.05");
  expect_even(column_counts(a), 100);
  const auto lengths = row_lengths(a);
  expect_even(lengths, 100);
  // Independent draws have a variance of 95; strata of 256 entries leave most of it.
  double variance = 0;
  for (const std::int64_t length : lengths) variance += static_cast<double>((length - 100) * (length - 100)) / 2000;
  EXPECT_GT(variance, 50);
  EXPECT_LT(variance, 110);
}

TEST(PowerLaw, HasTheMeanAndTheLongestRow) {
  const struct {
    std::string_view spec;
    std::int64_t entries;
    std::int64_t longest;
  } cases[] = {{"@powerlaw:10000,8.5,1000", 85000, 1000},
               {"@powerlaw:1000,500,1000", 500000, 1000},
               {"@powerlaw:1000,7,7", 7000, 7},
               {"@powerlaw:5000,1,5000", 5000, 5000},
               {"@powerlaw:1,1,1", 1, 1},
               {"@powerlaw:20000,3,20000", 60000, 20000}};
  for (const auto& c : cases) {
    const auto a = generate<double>(c.spec);
    ASSERT_EQ(canonical_problem(a), "") << c.spec;
    EXPECT_NEAR(static_cast<double>(a.nnz()), static_cast<double>(c.entries), 1) << c.spec;
    const auto lengths = row_lengths(a);
    EXPECT_EQ(*std::max_element(lengths.begin(), lengths.end()), c.longest) << c.spec;
  }
}

TEST(PowerLaw, LengthsFallByTheSameFactorFromOctaveToOctave) {
  const auto a = generate<double>("@powerlaw:30000,20,10000");
  auto lengths = row_lengths(a);
  EXPECT_FALSE(std::is_sorted(lengths.rbegin(), lengths.rend())) << "rows are in random order";
  std::sort(lengths.rbegin(), lengths.rend());
  const double ratio = static_cast<double>(lengths[1]) / static_cast<double>(lengths[0]);
  EXPECT_LT(ratio, 1);
  double expected = 10000;
  for (std::size_t rank = 1; rank <= 16384; rank *= 2, expected *= ratio)
    EXPECT_NEAR(static_cast<double>(lengths[rank - 1]), expected, 1 + expected / 100) << "rank " << rank;
  EXPECT_NEAR(static_cast<double>(lengths[2]), static_cast<double>(lengths[1] + lengths[3]) / 2, 2) << "linear between";
}

TEST(PowerLaw, ReachesAllColumnsEquallyOften) {
  const auto a = generate<double>("@powerlaw:3000,200,2000");
  expect_even(column_counts(a), 200);
}

}  // namespace
}  // namespace lacis::test

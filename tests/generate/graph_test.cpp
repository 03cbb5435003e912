// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Graphs: the k-mer chains and the recursive power-law graph.
#include <cmath>
#include <gtest/gtest.h>

#include <lacis/generate.hpp>

#include "generate/inspect.hpp"

namespace lacis::test {
namespace {

TEST(Kmer, HasTheDegreesOfAKmerGraph) {
  const auto a = generate<double>("@kmer:200000");
  ASSERT_EQ(canonical_problem(a), "");
  EXPECT_TRUE(a.values.iso);
  EXPECT_EQ(a.values[0], 1);
  const double mean = static_cast<double>(a.nnz()) / static_cast<double>(a.rows);
  EXPECT_GT(mean, 2.10);
  EXPECT_LT(mean, 2.16);
  const auto lengths = row_lengths(a);
  EXPECT_EQ(*std::max_element(lengths.begin(), lengths.end()), 4);
  const auto twos = std::count(lengths.begin(), lengths.end(), 2);
  EXPECT_GT(twos, 150000) << "most nodes lie inside a chain";
  EXPECT_TRUE(is_symmetric(a));
  for (std::int64_t i = 0; i < a.rows; ++i) ASSERT_EQ(find_entry(a, i, i), -1) << "a loop at " << i;
}

TEST(Kmer, IsNumberedAtRandom) {
  const auto a = generate<double>("@kmer:100000");
  double distance = 0;
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      distance += static_cast<double>(std::abs(a.columns[k] - i));
  EXPECT_NEAR(distance / static_cast<double>(a.nnz()), 100000 / 3.0, 1000);
}

TEST(Kmer, TinyGraphsAreGraphsToo) {
  for (int n = 1; n < 40; ++n)
    for (int seed = 0; seed < 20; ++seed) {
      const auto a = generate<double>("@kmer:" + std::to_string(n) + ",seed=" + std::to_string(seed));
      ASSERT_EQ(canonical_problem(a), "");
      ASSERT_TRUE(is_symmetric(a));
      for (std::int64_t i = 0; i < a.rows; ++i) ASSERT_EQ(find_entry(a, i, i), -1);
    }
}

/// What is expected of `edges` draws: how many different places they hit, and how many of those on the diagonal.
struct expected_hits {
  double places = 0;
  double diagonal = 0;
};

expected_hits hits(int scale, double edges) {
  expected_hits expected;
  double ways = 1;  // to choose the levels that go to the upper left
  for (int upper_left = 0; upper_left <= scale; ++upper_left) {
    const int rest = scale - upper_left;
    double sides = 1;  // to choose, of the rest, the levels that go to one of the two sides
    for (int side = 0; side <= rest; ++side) {
      const double probability = std::pow(0.57, upper_left) * std::pow(0.19, side) * std::pow(0.05, rest - side);
      const double hit = -std::expm1(edges * std::log1p(-probability));
      expected.places += ways * sides * std::pow(2, side) * hit;
      if (side == 0) expected.diagonal += ways * hit;
      sides *= static_cast<double>(rest - side) / (side + 1);
    }
    ways *= static_cast<double>(scale - upper_left) / (upper_left + 1);
  }
  return expected;
}

TEST(Rmat, HitsAsManyPlacesAsItsProbabilitiesSay) {
  for (const int scale : {9, 13, 16}) {
    const auto a = generate<double>("@rmat:" + std::to_string(scale));
    ASSERT_EQ(a.rows, std::int64_t{1} << scale);
    ASSERT_EQ(canonical_problem(a), "");
    EXPECT_TRUE(a.values.iso);
    const expected_hits expected = hits(scale, 16.0 * static_cast<double>(a.rows));
    std::int64_t loops = 0;
    for (std::int64_t i = 0; i < a.rows; ++i) loops += find_entry(a, i, i) >= 0;
    // Each place is hit or not, nearly independently: five standard deviations.
    EXPECT_NEAR(static_cast<double>(a.nnz()), expected.places, 5 * std::sqrt(expected.places));
    EXPECT_NEAR(static_cast<double>(loops), expected.diagonal, 5 * std::sqrt(expected.diagonal));
  }
}

TEST(Rmat, HasAFewVeryLongRowsAndManyEmptyOnes) {
  const auto a = generate<double>("@rmat:14");
  const auto lengths = row_lengths(a);
  EXPECT_GT(*std::max_element(lengths.begin(), lengths.end()), 100 * 16);
  EXPECT_GT(std::count(lengths.begin(), lengths.end(), 0), a.rows / 10);
  EXPECT_FALSE(is_symmetric(a));
}

TEST(Rmat, SmallestGraphsAndNoEdges) {
  EXPECT_EQ(generate<double>("@rmat:0").nnz(), 1);
  EXPECT_EQ(generate<double>("@rmat:1,1000").nnz(), 4);
  EXPECT_EQ(generate<double>("@rmat:5,0").nnz(), 0);
  for (int scale = 1; scale < 9; ++scale)
    EXPECT_EQ(canonical_problem(generate<double>("@rmat:" + std::to_string(scale) + ",3")), "");
}

}  // namespace
}  // namespace lacis::test

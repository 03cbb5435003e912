// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Nested parts: permutations, fewer ghosts than slabs, good cuts for every smaller number of ranges.
#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

#include <lacis/error.hpp>
#include <lacis/generate.hpp>
#include <lacis/partition.hpp>
#include <lacis/row_ranges.hpp>
#include <lacis/structure.hpp>

namespace lacis {
namespace {

class NestedParts : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_partitioner()) GTEST_SKIP() << "built without METIS";
  }
};

void expect_a_ordering(const row_parts& found, std::int64_t rows) {
  std::vector<std::int64_t> sorted(found.order.begin(), found.order.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::int64_t> all(static_cast<std::size_t>(rows));
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(sorted, all);
  EXPECT_TRUE(are_parts(rows, found.parts));
}

template <class Matrix> row_exchange exchange_at(const Matrix& a, std::span<const std::int64_t> parts, int count) {
  return exchange_of(a, cut_rows(a.rows, weights_of_chunks(a.row_offsets), parts, count));
}

TEST_F(NestedParts, AreRangesOfAPermutation) {
  for (const char* spec : {"@poisson2d:250", "@poisson3d:40", "@rmat:16", "@kmer:64000"}) {
    const auto a = generate<double>(spec);
    const row_parts found = nested_parts(a, 7);
    expect_a_ordering(found, a.rows);
    EXPECT_GE(found.parts.size(), 6u) << spec;
    EXPECT_LE(found.parts.size(), 8u) << spec;
  }
}

TEST_F(NestedParts, HaveFewerGhostsThanSlabsForEveryNumberOfRanges) {
  const auto a = generate<double>("@poisson3d:64");
  const row_parts found = nested_parts(a, 32);
  const auto b = permute(a, found.order, found.order);
  for (const int count : {4, 8, 16, 32})
    EXPECT_LT(exchange_at(b, found.parts, count).ghosts, exchange_at(a, {}, count).ghosts) << count;
  EXPECT_LT(2 * exchange_at(b, found.parts, 32).ghosts, exchange_at(a, {}, 32).ghosts);
}

TEST_F(NestedParts, HaveNearlyTheSameWeight) {
  const auto a = generate<double>("@rmat:16");
  const row_parts found = nested_parts(a, 4);
  const auto b = permute(a, found.order, found.order);
  ASSERT_EQ(found.parts.size(), 5u);
  std::int64_t heaviest = 0;
  for (std::size_t p = 0; p < 4; ++p)
    heaviest = std::max(heaviest, found.parts[p + 1] - found.parts[p] + b.row_offsets[found.parts[p + 1]] -
                                      b.row_offsets[found.parts[p]]);
  EXPECT_LT(heaviest, (a.rows + a.nnz()) / 2);
}

TEST_F(NestedParts, AreTheSameEachTime) {
  const auto a = generate<double>("@rmat:13");
  const row_parts first = nested_parts(a, 8);
  const row_parts wide = nested_parts(cast_indices<std::int64_t>(a), 8);
  EXPECT_TRUE(std::equal(first.order.begin(), first.order.end(), wide.order.begin(), wide.order.end()));
  EXPECT_EQ(first.parts, wide.parts);
}

TEST_F(NestedParts, RowsKeepTheirOrderInsideOfAPart) {
  const auto a = generate<double>("@poisson2d:150");
  const row_parts found = nested_parts(a, 4);
  // Begins are moved to whole chunks, so that one may lie beside the place where numbers fall.
  std::int64_t falls = 0;
  for (std::int64_t k = 1; k < a.rows; ++k) falls += found.order[k] < found.order[k - 1];
  EXPECT_LE(falls, 3);
}

TEST_F(NestedParts, AreAtMostOneForEachChunkOfRows) {
  const auto a = generate<double>("@banded:" + std::to_string(5 * rows_in_chunk / 2) + ",1");
  EXPECT_LE(nested_parts(a, 1000).parts.size(), 3u);
  EXPECT_EQ(nested_parts(a, 1).parts, (std::vector<std::int64_t>{0, a.rows}));
  EXPECT_EQ(nested_parts(csr_matrix<double>(), 4).parts, (std::vector<std::int64_t>{0, 0}));
}

TEST_F(NestedParts, CutAStarWhoseHubOutweighsThem) {
  // One row with an entry everywhere, and the diagonal: bisection has to share out rows that weigh next to nothing.
  const std::int64_t rows = 16 * rows_in_chunk;
  csr_matrix<double> a;
  a.rows = a.cols = rows;
  a.row_offsets = buffer<std::int64_t>(rows + 1);
  a.columns = buffer<std::int32_t>(2 * rows - 1);
  for (std::int64_t j = 0; j < rows; ++j) a.columns[j] = static_cast<std::int32_t>(j);
  for (std::int64_t i = 1; i < rows; ++i) a.columns[rows + i - 1] = static_cast<std::int32_t>(i);
  a.row_offsets[0] = 0;
  for (std::int64_t i = 1; i <= rows; ++i) a.row_offsets[i] = rows + i - 1;
  a.values = values_array<double>::same(1);
  testing::internal::CaptureStdout();
  const row_parts found = nested_parts(a, 8);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  expect_a_ordering(found, rows);
  EXPECT_GE(found.parts.size(), 8u);
}

TEST_F(NestedParts, NeedASquareMatrix) {
  EXPECT_THROW(static_cast<void>(nested_parts(extract(generate<double>("@poisson2d:10"), 0, 5, 0, 10), 2)), error);
  EXPECT_THROW(static_cast<void>(nested_parts(generate<double>("@poisson2d:10"), 0)), error);
}

TEST(NestedPartsWithoutMetis, AreRefusedWithAdvice) {
  if (has_partitioner()) GTEST_SKIP() << "built with METIS";
  try {
    static_cast<void>(nested_parts(generate<double>("@poisson2d:10"), 2));
    FAIL();
  } catch (const error& problem) {
    EXPECT_EQ(problem.code(), errc::unsupported);
    EXPECT_NE(std::string(problem.what()).find("LACIS_WITH_METIS"), std::string::npos);
  }
}

}  // namespace
}  // namespace lacis

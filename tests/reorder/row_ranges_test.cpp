// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <lacis/error.hpp>
#include <lacis/generate.hpp>
#include <lacis/row_ranges.hpp>

namespace lacis {
namespace {

using rows = std::vector<std::int64_t>;

TEST(RowRanges, ShareTheWeightAndBeginAtChunks) {
  const std::vector<std::int64_t> even(10, 7);
  EXPECT_EQ(cut_rows(10 * 1024 - 5, even, {}, 3), (rows{0, 3 * 1024, 7 * 1024, 10 * 1024 - 5}));
  const std::vector<std::int64_t> heavy = {100, 1, 1, 1, 1};
  EXPECT_EQ(cut_rows(5 * 1024, heavy, {}, 2), (rows{0, 1024, 5 * 1024}));
}

TEST(RowRanges, MoreRangesThanChunksLeavesSomeEmpty) {
  EXPECT_EQ(cut_rows(1500, std::vector<std::int64_t>{1024, 476}, {}, 4), (rows{0, 0, 1024, 1024, 1500}));
  EXPECT_EQ(cut_rows(0, {}, {}, 3), (rows{0, 0, 0, 0}));
}

TEST(RowRanges, PartsAreNotCut) {
  const std::vector<std::int64_t> even(8, 1);
  const rows parts = {0, 1024, 6 * 1024, 8 * 1024};
  EXPECT_EQ(cut_rows(8 * 1024, even, parts, 2), (rows{0, 6 * 1024, 8 * 1024}));
  EXPECT_THROW(static_cast<void>(cut_rows(8 * 1024, even, rows{0, 1000, 8 * 1024}, 2)), error);
  EXPECT_THROW(static_cast<void>(cut_rows(8 * 1024, even, rows{0, 1024}, 2)), error);
}

TEST(RowRanges, WeightsAreRowsAndEntries) {
  const auto a = generate<double>("@poisson2d:40");
  const auto weights = weights_of_chunks(a.row_offsets);
  ASSERT_EQ(weights.size(), 2u);
  EXPECT_EQ(weights[0], 1024 + a.row_offsets[1024]);
  EXPECT_EQ(weights[0] + weights[1], a.rows + a.nnz());
  EXPECT_THROW(static_cast<void>(cut_rows(a.rows, std::vector<std::int64_t>{1}, {}, 2)), error);
  EXPECT_THROW(static_cast<void>(cut_rows(a.rows, weights, {}, 0)), error);
}

}  // namespace
}  // namespace lacis

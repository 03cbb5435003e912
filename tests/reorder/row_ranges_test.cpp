// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <lacis/error.hpp>
#include <lacis/generate.hpp>
#include <lacis/row_ranges.hpp>

namespace lacis {
namespace {

using rows = std::vector<std::int64_t>;
constexpr std::int64_t chunk = rows_in_chunk;

TEST(RowRanges, ShareTheWeightAndBeginAtChunks) {
  const std::vector<std::int64_t> even(10, 7);
  EXPECT_EQ(cut_rows(10 * chunk - 5, even, {}, 3), (rows{0, 3 * chunk, 7 * chunk, 10 * chunk - 5}));
  const std::vector<std::int64_t> heavy = {100, 1, 1, 1, 1};
  EXPECT_EQ(cut_rows(5 * chunk, heavy, {}, 2), (rows{0, chunk, 5 * chunk}));
}

TEST(RowRanges, MoreRangesThanChunksLeavesSomeEmpty) {
  EXPECT_EQ(cut_rows(chunk + 476, std::vector<std::int64_t>{chunk, 476}, {}, 4),
            (rows{0, 0, chunk, chunk, chunk + 476}));
  EXPECT_EQ(cut_rows(0, {}, {}, 3), (rows{0, 0, 0, 0}));
}

TEST(RowRanges, PartsAreNotCut) {
  const std::vector<std::int64_t> even(8, 1);
  const rows parts = {0, chunk, 6 * chunk, 8 * chunk};
  EXPECT_EQ(cut_rows(8 * chunk, even, parts, 2), (rows{0, 6 * chunk, 8 * chunk}));
  EXPECT_THROW(static_cast<void>(cut_rows(8 * chunk, even, rows{0, 1000, 8 * chunk}, 2)), error);
  EXPECT_THROW(static_cast<void>(cut_rows(8 * chunk, even, rows{0, chunk}, 2)), error);
}

TEST(RowRanges, WeightsAreRowsAndEntries) {
  const auto a = generate<double>("@poisson2d:80");
  const auto weights = weights_of_chunks(a.row_offsets);
  ASSERT_EQ(weights.size(), 2u);
  EXPECT_EQ(weights[0], chunk + a.row_offsets[chunk]);
  EXPECT_EQ(weights[0] + weights[1], a.rows + a.nnz());
  EXPECT_THROW(static_cast<void>(cut_rows(a.rows, std::vector<std::int64_t>{1}, {}, 2)), error);
  EXPECT_THROW(static_cast<void>(cut_rows(a.rows, weights, {}, 0)), error);
}

}  // namespace
}  // namespace lacis

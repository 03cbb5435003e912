// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Numbering by falling number of entries in the column.
#include <gtest/gtest.h>

#include <lacis/generate.hpp>

#include "reorder/graphs.hpp"

namespace lacis::test {
namespace {

TEST(Degree, CountsColumnsNotRows) {
  EXPECT_EQ(
      list_of(reorder(matrix_of_entries(4, {{0, 1}, {0, 2}, {0, 3}, {1, 3}, {2, 3}, {3, 2}}), reordering::degree)),
      (std::vector<std::int64_t>{3, 2, 1, 0}));
}

TEST(Degree, KeepsTheOrderOfEqualColumns) {
  EXPECT_EQ(list_of(reorder(matrix_of_entries(5, {{0, 4}, {1, 4}, {0, 2}, {0, 3}}), reordering::degree)),
            (std::vector<std::int64_t>{4, 2, 3, 0, 1}));
}

/// Columns with more entries than a byte counts, shared among threads.
TEST(Degree, AgreesWithAStableSortByCount) {
  const auto a = generate<float>("@rmat:12,64");
  std::vector<std::int64_t> count(static_cast<std::size_t>(a.cols), 0);
  for (const std::int32_t j : a.columns) ++count[static_cast<std::size_t>(j)];
  ASSERT_GT(*std::max_element(count.begin(), count.end()), 1024);
  std::vector<std::int64_t> expected(count.size());
  std::iota(expected.begin(), expected.end(), 0);
  std::stable_sort(expected.begin(), expected.end(), [&](std::int64_t i, std::int64_t j) {
    return count[static_cast<std::size_t>(i)] > count[static_cast<std::size_t>(j)];
  });
  for (const int threads : {1, 2, 5})
    with_threads(threads, [&] { EXPECT_EQ(list_of(reorder(a, reordering::degree)), expected); });
}

}  // namespace
}  // namespace lacis::test

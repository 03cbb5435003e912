// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Random words and bijections.
#include "generate/random.hpp"

#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

#include "generate/draw_columns.hpp"

namespace lacis::detail {
namespace {

TEST(RandomWords, AreTheSameForEver) {
  const random_words words(1, purpose::entry_values);
  EXPECT_EQ(words(std::int64_t{0}), 0xb18a02f46d8d86c3u);
  EXPECT_EQ(words(std::int64_t{1}), 0xf8c5b62c83f707e8u);
  EXPECT_EQ(random_words(2, purpose::entry_values)(std::int64_t{0}), 0x1956ecd1a275ec95u);
  EXPECT_EQ(random_words(1, purpose::permutation)(std::int64_t{0}), 0x3e12204644234bb0u);
}

TEST(RandomWords, BelowReachesEveryNumberAboutEquallyOften) {
  const random_words words(7, purpose::strata);
  std::array<int, 10> seen{};
  for (std::int64_t k = 0; k < 10000; ++k) seen.at(static_cast<std::size_t>(below(words(k), 10)))++;
  for (const int count : seen) {
    EXPECT_GT(count, 850);  // five standard deviations of 30 to each side of 1000
    EXPECT_LT(count, 1150);
  }
  EXPECT_EQ(below(~std::uint64_t{0}, std::int64_t{1} << 62), (std::int64_t{1} << 62) - 1);
}

TEST(Bijection, PermutesAndItsInverseUndoesIt) {
  for (std::int64_t size = 1; size < 2100; size = size < 70 ? size + 1 : size * 3 - 1) {
    const bijection shuffle(size, random_words(3, purpose::permutation));
    std::vector<bool> seen(static_cast<std::size_t>(size), false);
    for (std::int64_t x = 0; x < size; ++x) {
      const std::int64_t y = shuffle(x);
      ASSERT_GE(y, 0);
      ASSERT_LT(y, size);
      ASSERT_FALSE(seen[static_cast<std::size_t>(y)]) << size << ": " << y << " comes twice";
      seen[static_cast<std::size_t>(y)] = true;
      ASSERT_EQ(shuffle.inverse(y), x);
    }
  }
}

TEST(Bijection, CoversTheLargestSizes) {
  for (const std::int64_t size : {std::int64_t{1} << 40, (std::int64_t{1} << 62) + 3, INT64_MAX}) {
    const bijection shuffle(size, random_words(5, purpose::permutation));
    for (const std::int64_t x : {std::int64_t{0}, size / 3, size - 1}) {
      ASSERT_LT(shuffle(x), size);
      ASSERT_EQ(shuffle.inverse(shuffle(x)), x);
    }
  }
}

TEST(Bijection, SendsNeighboursFarApart) {
  constexpr std::int64_t size = 100000;
  const bijection shuffle(size, random_words(11, purpose::permutation));
  double distance = 0;
  for (std::int64_t x = 1; x < size; ++x) distance += static_cast<double>(std::abs(shuffle(x) - shuffle(x - 1)));
  EXPECT_NEAR(distance / static_cast<double>(size), size / 3.0, size / 100.0);
}

TEST(DrawColumns, TakesTheSameSetWhetherItListsColumnsOrGaps) {
  constexpr std::int64_t cols = 21;
  std::vector<std::int32_t> longer(cols);
  for (std::int64_t count = cols; count > 0; --count) {
    std::vector<std::int32_t> row(static_cast<std::size_t>(count));
    draw_columns(count, cols, random_words(9, purpose::row_columns), row.data());
    for (std::size_t k = 1; k < row.size(); ++k) ASSERT_LT(row[k - 1], row[k]);
    ASSERT_GE(row.front(), 0);
    ASSERT_LT(row.back(), cols);
    if (count < cols) {
      ASSERT_TRUE(std::includes(longer.begin(), longer.end(), row.begin(), row.end())) << count;
    }
    longer = row;
  }
}

}  // namespace
}  // namespace lacis::detail

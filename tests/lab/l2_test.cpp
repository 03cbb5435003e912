// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The model of the second-level cache: what stays, what leaves, what is written back.
#include "lab/l2.hpp"

#include <gtest/gtest.h>

namespace lacis::lab {
namespace {

constexpr std::int64_t line = 128;

TEST(L2, FetchesAMissingSectorByItself) {
  l2_cache cache(16 * line, 16);
  EXPECT_TRUE(cache.read(0));
  EXPECT_FALSE(cache.read(0));
  EXPECT_TRUE(cache.read(1)) << "another sector of the same line";
  EXPECT_FALSE(cache.read(1));
}

TEST(L2, TheLeastRecentlyUsedLineLeaves) {
  l2_cache cache(2 * line, 2);  // one set
  EXPECT_TRUE(cache.read(0));
  EXPECT_TRUE(cache.read(4));
  EXPECT_FALSE(cache.read(0));  // line 1 is now the older one
  EXPECT_TRUE(cache.read(8));
  EXPECT_EQ(cache.evictions(), 1);
  EXPECT_FALSE(cache.read(0));
  EXPECT_TRUE(cache.read(4));
}

TEST(L2, AWriteFetchesNothingAndIsWrittenBackOnce) {
  l2_cache cache(2 * line, 2);
  EXPECT_TRUE(cache.write(0));
  EXPECT_FALSE(cache.write(0)) << "still dirty: it leaves once";
  EXPECT_FALSE(cache.read(0)) << "what was written is there";
  EXPECT_TRUE(cache.write(1)) << "another sector is written back by itself";
  cache.read(4);
  cache.read(8);
  EXPECT_TRUE(cache.write(0)) << "its line has left with it";
}

TEST(L2, HoldsAContiguousRangeOfItsOwnSize) {
  l2_cache cache(6 * 16 * line, 16);  // six sets: not a power of two
  for (std::uint32_t sector = 0; sector < 4 * 96; ++sector) EXPECT_TRUE(cache.read(sector));
  EXPECT_EQ(cache.evictions(), 0);
  for (std::uint32_t sector = 0; sector < 4 * 96; ++sector) EXPECT_FALSE(cache.read(sector));
  EXPECT_TRUE(cache.read(4 * 96));
  EXPECT_EQ(cache.evictions(), 1);
}

TEST(L2, StridesOfAPowerOfTwoDoNotMeetInOneSet) {
  constexpr std::uint32_t sets = 2048;
  l2_cache cache(std::int64_t{sets} * 16 * line, 16);
  for (std::uint32_t k = 0; k < 1024; ++k) cache.read(k * sets * 4);  // as many lines apart as there are sets
  EXPECT_EQ(cache.evictions(), 0);
}

}  // namespace
}  // namespace lacis::lab

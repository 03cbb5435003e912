// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The loops run on any size; what they measure is for people to judge.
#include "measure/bandwidth.hpp"

#include <gtest/gtest.h>

namespace lacis::measure {
namespace {

constexpr std::int64_t mebi = 1 << 20;

TEST(Bandwidth, ArrayIsFourCachesOrAQuarterOfTheMemory) {
  EXPECT_EQ(stream_bytes(300 * mebi, 100'000 * mebi), 1200 * mebi);
  EXPECT_EQ(stream_bytes(300 * mebi, 2000 * mebi), 500 * mebi);
  EXPECT_EQ(stream_bytes(0, 100'000 * mebi), 64 * mebi);
}

TEST(Bandwidth, StreamsTakeTime) {
  for (const int threads : {1, 3})
    for (const std::int64_t bytes : {std::int64_t{1}, 2 * mebi}) {
      stream memory(bytes, threads);
      EXPECT_GT(memory.bytes(), 0);
      EXPECT_LE(memory.bytes(), std::max<std::int64_t>(bytes, 4096));
      EXPECT_GT(memory.read(threads), 0);
      EXPECT_GT(memory.copy(threads), 0);
      EXPECT_GT(memory.triad(threads), 0);
    }
}

TEST(Bandwidth, GathersFromPowersOfTwo) {
  gather small(5000);
  EXPECT_EQ(small.bytes(), 4096);
  EXPECT_GT(small.run(1), 0);
  gather shared(mebi);
  EXPECT_EQ(shared.bytes(), mebi);
  EXPECT_EQ(gather::accesses(2), 2 * gather::accesses(1));
  EXPECT_GT(shared.run(2), 0);
}

}  // namespace
}  // namespace lacis::measure

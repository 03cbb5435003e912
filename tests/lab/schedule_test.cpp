// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Slots and turns: in which order requests of blocks reach the cache.
#include "lab/schedule.hpp"

#include <gtest/gtest.h>

namespace lacis::lab {
namespace {

/// Two multiprocessors with a block each, and a cache of one set of two lines.
constexpr gpu tiny{"tiny", "tiny", 2, 64, 1, 4096, 256, 2, 1, 1, 1, 0};

/// One warp that reads sectors, one a request.
block_requests reads(const std::vector<std::uint32_t>& sectors) {
  block_requests block;
  for (const std::uint32_t sector : sectors) {
    block.requests.push_back({role::x, access_kind::load, 1});
    block.sectors.push_back(sector);
  }
  block.warp_ends.push_back({sectors.size(), sectors.size()});
  return block;
}

TEST(Schedule, AMultiprocessorHoldsWhatItsThreadsSlotsAndSharedMemoryAllow) {
  const gpu& t4 = gpu_named("t4");
  EXPECT_EQ(schedule::resident_blocks(t4, 256, 0), 4);
  EXPECT_EQ(schedule::resident_blocks(t4, 1024, 0), 1);
  EXPECT_EQ(schedule::resident_blocks(t4, 32, 0), 16) << "slots";
  EXPECT_EQ(schedule::resident_blocks(t4, 256, 20000), 3) << "shared memory";
  EXPECT_EQ(schedule::resident_blocks(t4, 256, 65536), 1);
}

TEST(Schedule, BlocksThatRunTogetherMix) {
  traffic counts;
  memory_model memory(tiny, counts);
  schedule blocks(tiny, memory);
  blocks.begin_launch(64, 0);
  blocks.put(reads({0, 4, 8, 0}));
  blocks.put(reads({0, 4, 8, 0}));
  blocks.end_launch();
  // Steps: 0 0, 4 4, 8 8 (line 0 leaves), 0 0 (fetched again): each pair fetches once. One block after the other would
  // fetch 7 times.
  EXPECT_EQ(counts[role::x].fetched, 4);
  EXPECT_EQ(counts[role::x].first_reads, 3);
}

TEST(Schedule, ABlockWaitsForASlot) {
  traffic counts;
  memory_model memory(tiny, counts);
  schedule blocks(tiny, memory);
  blocks.begin_launch(64, 0);
  blocks.put(reads({0}));
  blocks.put(reads({0}));
  EXPECT_EQ(counts[role::x].measured_sectors, 0) << "nothing has begun: the slots were free";
  blocks.put(reads({4}));
  EXPECT_EQ(counts[role::x].measured_sectors, 2) << "a step is of all multiprocessors";
  blocks.end_launch();
  EXPECT_EQ(counts[role::x].measured_sectors, 3);
}

TEST(Schedule, WarpsOfABlockTakeTurns) {
  traffic counts;
  memory_model memory(tiny, counts);
  schedule blocks(tiny, memory);
  blocks.begin_launch(64, 0);
  block_requests block;
  for (const std::uint32_t sector : {0, 8, 4, 12}) {  // warp 0 reads lines 0 and 2, warp 1 lines 1 and 3
    block.requests.push_back({role::x, access_kind::load, 1});
    block.sectors.push_back(sector);
  }
  block.warp_ends = {{2, 2}, {4, 4}};
  blocks.put(std::move(block));
  blocks.end_launch();
  // In turns 0 1 2 3: lines 2 and 3 are left; one warp after the other 0 2 1 3: lines 1 and 3.
  blocks.begin_launch(64, 0);
  blocks.put(reads({8}));
  blocks.end_launch();
  EXPECT_EQ(counts[role::x].fetched, 4);
}

TEST(Schedule, WhatWarmsUpIsNotMeasured) {
  traffic counts;
  memory_model memory(tiny, counts);
  schedule blocks(tiny, memory);
  blocks.begin_launch(64, 0);
  block_requests warm = reads({0, 4});
  warm.measured = false;
  blocks.put(std::move(warm));
  blocks.end_launch();
  blocks.begin_launch(64, 0);
  blocks.put(reads({0, 4, 8}));
  blocks.end_launch();
  EXPECT_EQ(counts[role::x].fetched, 1);
  EXPECT_EQ(counts[role::x].measured_sectors, 3);
  EXPECT_EQ(counts[role::x].first_reads, 3);
}

}  // namespace
}  // namespace lacis::lab

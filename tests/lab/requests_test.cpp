// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Warp requests: how lanes are aligned, which sectors and banks they touch.
#include "lab/requests.hpp"

#include <bit>
#include <gtest/gtest.h>

namespace lacis::lab {
namespace {

using logs = std::vector<request_former::log>;

lane_access load(std::uint16_t place, std::uint64_t address, std::uint32_t epoch = 0) {
  return {address, epoch, place, 8, access_kind::load};
}

/// "place:lanes" of each request, in order.
std::vector<std::pair<int, unsigned>> formed(const logs& lanes) {
  std::vector<std::pair<int, unsigned>> all;
  request_former former;
  former.form(lanes, [&](const warp_request& r) { all.emplace_back(r.place, r.lanes); });
  return all;
}

TEST(Requests, LanesInStepAskAtOnce) {
  logs lanes(32);
  for (std::uint64_t lane = 0; lane < 32; ++lane) lanes[lane] = {load(0, 8 * lane), load(1, 8 * lane)};
  EXPECT_EQ(formed(lanes), (std::vector<std::pair<int, unsigned>>{{0, ~0u}, {1, ~0u}}));
}

TEST(Requests, AShorterLoopDropsOutAndComesBackAfterIt) {
  logs lanes(32);
  // Lane 0 goes round twice, lane 1 once; both then come to place 9.
  lanes[0] = {load(0, 0), load(0, 8), load(9, 16)};
  lanes[1] = {load(0, 0), load(9, 16)};
  EXPECT_EQ(formed(lanes), (std::vector<std::pair<int, unsigned>>{{0, 3}, {0, 1}, {9, 3}}));
}

TEST(Requests, WhereLanesMeetNothingIsAlignedAcross) {
  logs lanes(32);
  lanes[0] = {load(0, 0, 0), load(0, 8, 1)};
  lanes[1] = {load(0, 0, 1)};  // nothing before the meeting
  EXPECT_EQ(formed(lanes), (std::vector<std::pair<int, unsigned>>{{0, 1}, {0, 3}}));
}

TEST(Requests, BranchesAskOneAfterTheOther) {
  logs lanes(32);
  lanes[0] = {load(1, 0), load(3, 0)};
  lanes[1] = {load(2, 0), load(3, 0)};
  EXPECT_EQ(formed(lanes), (std::vector<std::pair<int, unsigned>>{{1, 1}, {2, 2}, {3, 3}}));
}

int sector_count(unsigned lanes, std::uint64_t begin, std::uint64_t stride) {
  warp_request request;
  request.lanes = lanes;
  for (std::uint64_t lane = 0; lane < 32; ++lane) request.addresses[lane] = begin + stride * lane;
  std::array<std::uint64_t, simt::warp_size> sectors;
  return sectors_of(request, sectors);
}

TEST(Requests, CostTheSectorsThatTheirLanesTouch) {
  EXPECT_EQ(sector_count(~0u, 0, 8), 8);
  EXPECT_EQ(sector_count(~0u, 8, 8), 9) << "begins inside of a sector";
  EXPECT_EQ(sector_count(~0u, 0, 4), 4);
  EXPECT_EQ(sector_count(~0u, 0, 16), 16);
  EXPECT_EQ(sector_count(~0u, 0, 256), 32);
  EXPECT_EQ(sector_count(~0u, 64, 0), 1) << "all lanes one element";
  EXPECT_EQ(sector_count(0x80000001u, 0, 8), 2) << "the first and the last lane";
}

TEST(Requests, SectorsAreAscendingInWhateverOrderLanesAsk) {
  warp_request request;
  request.lanes = 7;
  request.addresses = {320, 0, 330};
  std::array<std::uint64_t, simt::warp_size> sectors;
  ASSERT_EQ(sectors_of(request, sectors), 2);
  EXPECT_EQ(sectors[0], 0u);
  EXPECT_EQ(sectors[1], 10u);
}

shared_passes passes(int bytes, std::uint64_t stride_elements, unsigned lanes = ~0u) {
  warp_request request;
  request.kind = access_kind::shared;
  request.bytes = bytes;
  request.lanes = lanes;
  for (std::uint64_t lane = 0; lane < 32; ++lane)
    request.addresses[lane] = lane * stride_elements * static_cast<std::uint64_t>(bytes);
  return passes_of(request);
}

TEST(Requests, WordsOfOneBankAreServedOneAfterTheOther) {
  EXPECT_EQ(passes(4, 1).passes, 1);
  EXPECT_EQ(passes(4, 1).conflicts, 0);
  EXPECT_EQ(passes(4, 2).conflicts, 1);
  EXPECT_EQ(passes(4, 32).conflicts, 31);
  EXPECT_EQ(passes(4, 33).conflicts, 0);
  EXPECT_EQ(passes(4, 0).passes, 1) << "one word for all lanes";
  EXPECT_EQ(passes(4, 32, 1).conflicts, 0) << "a single lane";
}

TEST(Requests, WideElementsAreServedInPartsOfTheWarp) {
  EXPECT_EQ(passes(8, 1).passes, 2);
  EXPECT_EQ(passes(8, 1).conflicts, 0);
  EXPECT_EQ(passes(8, 2).passes, 4);  // sixteen lanes, words 0, 1, 4, 5, ...: two for each bank that is used
  EXPECT_EQ(passes(8, 2).conflicts, 2);
  EXPECT_EQ(passes(8, 1, 0xffffu).passes, 1) << "the other half asks for nothing";
  EXPECT_EQ(passes(16, 1).passes, 4);
  EXPECT_EQ(passes(16, 1).conflicts, 0);
  EXPECT_EQ(passes(1, 1).passes, 1) << "four lanes a word";
}

}  // namespace
}  // namespace lacis::lab

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Pages of large arrays: recycled, cut, given back.
#include "base/pages.hpp"

#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <vector>

#include <lacis/buffer.hpp>
#include <lacis/error.hpp>
#include <lacis/memory.hpp>

#include "base/reserved_array.hpp"
#include "support/errors.hpp"

namespace lacis::detail {
namespace {

constexpr std::int64_t megabyte = 1 << 20;

struct Pages : testing::Test {
  void SetUp() override {
    set_recycled_memory_limit(64 * megabyte);
    release_recycled_memory();
  }
  void TearDown() override { release_recycled_memory(); }
};

TEST_F(Pages, OfAFreedArrayAreTheNextOnes) {
  {
    buffer<char> first(10 * megabyte, 'a');
  }
  EXPECT_EQ(recycled_memory(), 10 * megabyte);
  buffer<char> second(7 * megabyte, 'b');
  EXPECT_EQ(recycled_memory(), 4 * megabyte);  // whole huge pages move
  EXPECT_EQ(second[7 * megabyte - 1], 'b');
}

TEST_F(Pages, ArraysOfAHugePageBeginWithOne) {
  for (const std::int64_t bytes : {2 * megabyte, 2 * megabyte + 1, 3 * megabyte, 4 * megabyte - 1, 5 * megabyte})
    for (int turn = 0; turn < 2; ++turn) {  // the second time from what was kept
      const buffer<char> one(bytes, 'a');
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(one.data()) % huge_page, 0U) << bytes;
      EXPECT_EQ(one[bytes - 1], 'a');
    }
}

TEST_F(Pages, OfSeveralArraysBecomeOne) {
  {
    buffer<char> first(6 * megabyte, 'a');
    buffer<char> second(8 * megabyte, 'b');
  }
  EXPECT_EQ(recycled_memory(), 14 * megabyte);
  buffer<char> all(20 * megabyte);
  EXPECT_EQ(recycled_memory(), 0);
  std::memset(all.data(), 'c', static_cast<std::size_t>(all.size()));
  EXPECT_EQ(all[20 * megabyte - 1], 'c');
}

TEST_F(Pages, AboveTheLimitAreGivenBack) {
  set_recycled_memory_limit(8 * megabyte);
  {
    buffer<char> large(10 * megabyte, 'a');
  }
  EXPECT_EQ(recycled_memory(), 0);
  {
    buffer<char> small(6 * megabyte, 'a');
  }
  EXPECT_EQ(recycled_memory(), 6 * megabyte);
  set_recycled_memory_limit(0);
  EXPECT_EQ(recycled_memory(), 0);
}

TEST_F(Pages, OfAReservedArrayThatItDidNotNeedAreRecycled) {
  {
    buffer<char> first(20 * megabyte, 'a');
  }
  reserved_array<char> growing(std::int64_t{1} << 40);
  EXPECT_EQ(recycled_memory(), 0);
  std::memset(growing.data(), 'b', 9 * megabyte);
  const buffer<char> full = growing.finish(9 * megabyte);
  EXPECT_EQ(full.size(), 9 * megabyte);
  EXPECT_EQ(full[9 * megabyte - 1], 'b');
  EXPECT_EQ(recycled_memory(), 10 * megabyte);
}

TEST_F(Pages, OfSmallArraysAreNobodysBusiness) {
  reserved_array<int> growing(100);
  for (int i = 0; i < 100; ++i) growing.data()[i] = i;
  const buffer<int> part = growing.finish(40);
  EXPECT_EQ(part[39], 39);
  reserved_array<int> large(10 * megabyte);
  large.data()[2] = 7;
  EXPECT_EQ(large.finish(3)[2], 7);
  EXPECT_EQ(recycled_memory(), 0);
}

#ifndef LACIS_ADDRESS_SANITIZER
TEST_F(Pages, OfArraysInBetweenAreRecycledBySize) {
  const void* where = nullptr;
  {
    const buffer<char> first(100'000, 'a');
    where = first.data();
  }
  EXPECT_EQ(recycled_memory(), 112 << 10);  // the next of four sizes between powers of two
  {
    const buffer<char> larger(120'000, 'b');
    EXPECT_NE(larger.data(), where);
    const buffer<char> again(114'688, 'c');
    EXPECT_EQ(again.data(), where);
    EXPECT_EQ(recycled_memory(), 0);
  }
  EXPECT_EQ(recycled_memory(), 240 << 10);
  release_recycled_memory();
  EXPECT_EQ(recycled_memory(), 0);
  // Of one size sixteen are kept, and of all an eighth of the limit.
  {
    std::vector<buffer<char>> many;
    for (int i = 0; i < 20; ++i) many.emplace_back(1 << 17, 'd');
  }
  EXPECT_EQ(recycled_memory(), 16 << 17);
  set_recycled_memory_limit(8 << 17);
  EXPECT_EQ(recycled_memory(), 0);
  {
    const buffer<char> one(1 << 17, 'e');
    const buffer<char> two(1 << 17, 'f');
  }
  EXPECT_EQ(recycled_memory(), 1 << 17);
}

TEST_F(Pages, BlocksOfEverySizeAreLargeEnough) {
  std::vector<buffer<char>> all;
  for (std::int64_t bytes = 30'000; bytes < 5'000'000; bytes += bytes / 7) {
    all.emplace_back(bytes, 'a');
    all.emplace_back(bytes - 1, 'b');
  }
  for (const buffer<char>& one : all) EXPECT_EQ(one[one.size() - 1], one[0]);
}
#endif

TEST_F(Pages, ThatNobodyHasAreRefused) {
  EXPECT_EQ(test::code_of([] { buffer<char> all(std::int64_t{1} << 50); }), errc::out_of_memory);
}

}  // namespace
}  // namespace lacis::detail

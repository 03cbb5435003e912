// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Pages of large arrays: recycled, cut, given back.
#include "base/pages.hpp"

#include <cstring>
#include <gtest/gtest.h>

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

TEST_F(Pages, ThatNobodyHasAreRefused) {
  EXPECT_EQ(test::code_of([] { buffer<char> all(std::int64_t{1} << 50); }), errc::out_of_memory);
}

}  // namespace
}  // namespace lacis::detail

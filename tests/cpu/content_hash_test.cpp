// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The hash by which kept copies of arrays are recognised.
#include "cpu/vector/content_hash.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <set>
#include <span>
#include <vector>

namespace lacis::test {
namespace {

std::uint64_t hash(const std::vector<double>& values, int threads = 1, isa set = default_isa()) {
  return cpu::content_hash(std::span<const double>(values), 1, threads, set);
}

TEST(ContentHash, DoesNotDependOnThreadsInstructionsOrPlace) {
  const std::vector<double> values(200003, 1.5);
  const std::uint64_t known = hash(values);
  for (const int threads : {2, 3, 7}) EXPECT_EQ(hash(values, threads), known);
  for (const isa set : supported_isas()) EXPECT_EQ(hash(values, 1, set), known) << name_of(set);
  std::vector<std::byte> moved(values.size() * 8 + 3);
  std::memcpy(moved.data() + 3, values.data(), values.size() * 8);
  EXPECT_EQ(cpu::content_hash(std::span<const std::byte>(moved).subspan(3), 1, 1, default_isa()), known);
}

TEST(ContentHash, EverySmallChangeIsAnotherHash) {
  // Values that differ in few bits, as matrices have: no two of these contents have one hash.
  std::set<std::uint64_t> seen;
  std::size_t contents = 0;
  const auto add = [&](const std::vector<double>& values) {
    seen.insert(hash(values));
    ++contents;
  };
  for (std::size_t size = 0; size <= 300; ++size) add(std::vector<double>(size, 0.0));
  std::vector<double> values(70000, 1.0);  // several pieces
  add(values);
  for (std::size_t k = 0; k < values.size(); k += k < 600 ? 1 : 997) {
    for (const double other : {0.0, -1.0, 2.0}) {
      values[k] = other;
      add(values);
    }
    values[k] = 1.0;
  }
  // One pair of places exchanged, at every distance that the sums could repeat at.
  values[0] = 2.0;
  for (std::size_t k = 1; k < values.size(); k += k < 600 ? 1 : 1024) {
    std::swap(values[0], values[k]);
    values[values.size() - 1] = 3.0;
    add(values);
    values[values.size() - 1] = 1.0;
    std::swap(values[0], values[k]);
  }
  EXPECT_EQ(seen.size(), contents);
}

TEST(ContentHash, TheSeedIsPartOfIt) {
  const std::vector<double> none;
  const auto hash_with = [&](std::uint64_t seed) {
    return cpu::content_hash(std::span<const double>(none), seed, 1, default_isa());
  };
  EXPECT_NE(hash_with(1), hash_with(2));
}

}  // namespace
}  // namespace lacis::test

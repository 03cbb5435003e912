// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The trees: halving and neighbours, against recursive definitions, streams and every way to cut them.
#include "summation/tree.hpp"

#include <gtest/gtest.h>

#include "summation/reference.hpp"

namespace lacis::test {
namespace {

using summation::node_range;

/// Lane t of `width` lanes after halving: itself and its partner of the wider level.
template <class T> T halved(std::span<const T> lanes, std::size_t t, std::size_t width) {
  if (width == lanes.size()) return lanes[t];
  return halved(lanes, t, 2 * width) + halved(lanes, t + width, 2 * width);
}

template <class T> node_range<T> range_of(std::span<const T> leaves, std::int64_t first, std::int64_t last) {
  node_range<T> range(first);
  for (std::int64_t k = first; k < last; ++k) range.append(leaves[static_cast<std::size_t>(k)]);
  return range;
}

template <class T> class Trees : public testing::Test {};
using Types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Trees, Types);

TYPED_TEST(Trees, JoinLanesByHalvingLikeTheRecursion) {
  for (std::size_t lanes = 1; lanes <= 256; lanes *= 2) {
    auto values = full_numbers<TypeParam>(static_cast<std::int64_t>(lanes));
    const TypeParam expected = halved<TypeParam>(values, 0, 1);
    EXPECT_EQ(summation::join_by_halving<TypeParam>(values), expected) << lanes;
  }
}

TYPED_TEST(Trees, OfNeighboursAgreeAsAWholeAsAStreamAndFromTheTop) {
  const auto leaves = full_numbers<TypeParam>(300);
  for (std::size_t n = 1; n <= 300; ++n) {
    const auto some = std::span(leaves).first(n);
    const TypeParam whole = summation::neighbour_tree<TypeParam>(some);
    EXPECT_EQ(whole, tree_from_the_top<TypeParam>(some)) << n;
    EXPECT_EQ(whole, range_of<TypeParam>(some, 0, static_cast<std::int64_t>(n)).total()) << n;
  }
}

TYPED_TEST(Trees, OfNeighboursAreTheSameForEveryCutIntoTwoRanges) {
  const auto leaves = full_numbers<TypeParam>(70);
  for (std::int64_t n = 0; n <= 70; ++n) {
    const auto some = std::span(leaves).first(static_cast<std::size_t>(n));
    const TypeParam whole = summation::neighbour_tree<TypeParam>(some);
    for (std::int64_t cut = 0; cut <= n; ++cut) {
      auto left = range_of<TypeParam>(some, 0, cut);
      left.append(range_of<TypeParam>(some, cut, n));
      EXPECT_EQ(left.total(), whole) << cut << " of " << n;
    }
  }
}

TEST(NodeRanges, JoinAssociativelyForEveryCutIntoThreeAndRandomCutsIntoMany) {
  const auto leaves = full_numbers<double>(70);
  const double whole = summation::neighbour_tree<double>(leaves);
  for (std::int64_t first = 0; first <= 70; ++first)
    for (std::int64_t second = first; second <= 70; ++second) {
      const auto a = range_of<double>(leaves, 0, first);
      const auto b = range_of<double>(leaves, first, second);
      const auto c = range_of<double>(leaves, second, 70);
      auto left_first = a;
      left_first.append(b);
      left_first.append(c);
      auto right_first = b;
      right_first.append(c);
      auto joined = a;
      joined.append(right_first);
      ASSERT_EQ(left_first.total(), whole) << first << ' ' << second;
      ASSERT_EQ(joined.total(), whole) << first << ' ' << second;
      ASSERT_EQ(joined.nodes(), left_first.nodes());
    }
  const auto many = full_numbers<double>(5000);
  const double sum = summation::neighbour_tree<double>(many);
  for (std::uint64_t round = 0; round < 200; ++round) {
    node_range<double> all;
    for (std::uint64_t k = 0; all.last() < 5000; ++k) {
      const auto length = static_cast<std::int64_t>(mix(round * 1000 + k) % 300);
      all.append(range_of<double>(many, all.last(), std::min<std::int64_t>(5000, all.last() + length)));
    }
    ASSERT_EQ(all.total(), sum) << round;
  }
}

TEST(NodeRanges, KeepAsFewNodesAsCompleteOnesAllow) {
  const auto leaves = full_numbers<double>(64);
  EXPECT_EQ(range_of<double>(leaves, 0, 64).nodes(), 1);
  EXPECT_EQ(range_of<double>(leaves, 0, 63).nodes(), 6);
  EXPECT_EQ(range_of<double>(leaves, 1, 64).nodes(), 6);
  EXPECT_EQ(range_of<double>(leaves, 1, 63).nodes(), 10);
  EXPECT_EQ(range_of<double>(leaves, 8, 8).nodes(), 0);
}

TEST(NodeRanges, AreNeverTotalledWithoutTheirBeginningNorJoinedOverAGap) {
  const auto leaves = full_numbers<double>(10);
  EXPECT_THROW((void)range_of<double>(leaves, 3, 7).total(), error);
  auto left = range_of<double>(leaves, 0, 3);
  EXPECT_THROW(left.append(range_of<double>(leaves, 4, 7)), error);
  EXPECT_THROW(left.append(range_of<double>(leaves, 2, 7)), error);
}

TEST(Trees, OfNothingArePlusZero) {
  EXPECT_FALSE(std::signbit(summation::neighbour_tree<double>({})));
  EXPECT_FALSE(std::signbit(node_range<double>().total()));
}

TEST(Trees, OfOneLeafPassItUpUnchanged) {
  node_range<double> one;
  one.append(-0.0);
  EXPECT_TRUE(std::signbit(one.total()));
}

}  // namespace
}  // namespace lacis::test

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Sums in the canonical order and the named ones: by hand, against the reference written differently, and at the
// limits.
#include "summation/sum.hpp"

#include <cmath>
#include <gtest/gtest.h>

#include "summation/orders.hpp"
#include "summation/reference.hpp"

namespace lacis::test {
namespace {

using summation::canonical;
using summation::order;
using summation::sum_terms;

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double sum(const std::vector<double>& terms, const order& o = canonical) {
  return sum_terms<double>(
      static_cast<std::int64_t>(terms.size()), [&](std::int64_t k) { return terms[static_cast<std::size_t>(k)]; }, o);
}

constexpr std::int64_t lengths[] = {0,    1,    2,    3,    30,   31,   32,   33,    34,   63,
                                    64,   65,   66,   1023, 1024, 1025, 1026, 1056,  1057, 2047,
                                    2048, 2049, 3071, 3072, 3073, 4100, 5121, 10240, 17000};

template <class T> class Sums : public testing::Test {};
using Types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Sums, Types);

TYPED_TEST(Sums, MatchTheReferenceAroundEveryLimit) {
  for (const std::int64_t n : lengths) {
    const auto terms = full_numbers<TypeParam>(n);
    const auto term = [&](std::int64_t k) { return terms[static_cast<std::size_t>(k)]; };
    EXPECT_EQ(sum_terms<TypeParam>(n, term), reference_sum<TypeParam>(terms)) << n;
    EXPECT_EQ(sum_terms<TypeParam>(n, term, summation::blocked), reference_sum<TypeParam>(terms, 0, 4096)) << n;
    EXPECT_EQ(sum_terms<TypeParam>(n, term, summation::chunked(8, 256)), reference_sum<TypeParam>(terms, 0, 256, 8));
    EXPECT_EQ(sum_terms<TypeParam>(n, term, summation::strided(64)), reference_sum<TypeParam>(terms, 0, 1 << 30, 64));
    EXPECT_EQ(sum_terms<TypeParam>(n, term, summation::serial), reference_sum<TypeParam>(terms, 1 << 30));
  }
}

template <class Pair> class Rows : public testing::Test {};
template <class A, class X> struct pair_of {
  using first = A;
  using second = X;
};
using cf = std::complex<float>;
using cd = std::complex<double>;
using Pairs = testing::Types<pair_of<float, float>, pair_of<float, double>, pair_of<float, cf>, pair_of<float, cd>,
                             pair_of<double, float>, pair_of<double, double>, pair_of<double, cf>, pair_of<double, cd>,
                             pair_of<cf, float>, pair_of<cf, double>, pair_of<cf, cf>, pair_of<cf, cd>,
                             pair_of<cd, float>, pair_of<cd, double>, pair_of<cd, cf>, pair_of<cd, cd>>;
TYPED_TEST_SUITE(Rows, Pairs);

TYPED_TEST(Rows, OfTheBatteryMatchTheReferenceForEveryPairOfTypes) {
  using A = typename TypeParam::first;
  using X = typename TypeParam::second;
  for (const auto& [name, matrix] : test_matrices<A>(entries::reals)) {
    if (name == "zeros, subnormals, Inf and NaN") continue;  // NaN: SpmvReference compares those
    const auto a = matrix.view();
    const auto x = full_numbers<X>(a.cols);
    for (std::int64_t i = 0; i < a.rows; ++i) {
      const auto products = products_of_row<A, std::int32_t, X>(a, i, x);
      const auto expected = reference_sum<product_of<A, X>>(products);
      const auto got = summation::row_sum<A, std::int32_t, X>(a, i, x);
      ASSERT_EQ(got, expected) << name << " row " << i;
    }
  }
}

TEST(ShortSums, RunFromLeftToRight) {
  EXPECT_EQ(sum({0x1p53, 1, 1}), 0x1p53);      // each 1 is lost by itself
  EXPECT_EQ(sum({1, 1, 0x1p53}), 0x1p53 + 2);  // together they are not
}

TEST(LongSums, PutEveryThirtySecondTermInOneLane) {
  // 33 terms: 2^53 and the last 1 share lane 0, so that 1 is lost; the 1 in lane 16 joins lane 0 and is lost as well.
  std::vector<double> terms(33, 0.0);
  terms[0] = 0x1p53;
  terms[32] = 1;
  terms[16] = 1;
  EXPECT_EQ(sum(terms), 0x1p53);
  // In lanes 16 and 8 the ones reach lane 0 one after the other; in lanes 17 and 1 they meet before.
  terms[32] = 0;
  terms[8] = 1;
  EXPECT_EQ(sum(terms), 0x1p53);
  terms[8] = terms[16] = 0;
  terms[17] = terms[1] = 1;
  EXPECT_EQ(sum(terms), 0x1p53 + 2);
}

TEST(LongSums, JoinChunksAsNeighboursAndPassAnOddOneUp) {
  std::vector<double> terms(3 * 1024, 0.0);
  terms[0] = 0x1p53;
  terms[1024] = 1;
  terms[2048] = 1;
  EXPECT_EQ(sum(terms), 0x1p53);  // (c0 + c1) + c2
  terms.resize(4 * 1024);
  terms[1024] = 0;
  terms[3072] = 1;
  EXPECT_EQ(sum(terms), 0x1p53 + 2);  // (c0 + c1) + (c2 + c3)
}

TEST(Sums, AreNeverMinusZero) {
  for (const std::int64_t n : lengths) {
    const double all = sum(std::vector<double>(static_cast<std::size_t>(n), -0.0));
    EXPECT_TRUE(all == 0 && !std::signbit(all)) << n;
  }
  const double product =
      summation::sum_products<double, double>(1, [](auto) { return -0.0; }, [](auto) { return 1.0; });
  EXPECT_FALSE(std::signbit(product));
  const double underflow =
      summation::sum_products<double, double>(40, [](auto) { return -0x1p-1000; }, [](auto) { return 0x1p-1000; });
  EXPECT_FALSE(std::signbit(underflow));
}

TEST(Sums, StayTheSameWhenLanesWithoutTermsAreLeftOut) {
  // A kernel may stop at the lanes in use: the others are +0, no sum is -0, and adding +0 changes nothing else.
  for (std::int64_t n = 1; n <= 32; ++n) {
    const auto terms = full_numbers<double>(n);
    const auto used = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(n)));
    EXPECT_EQ(sum(terms, summation::strided(32)), sum(terms, summation::strided(used))) << n;
  }
}

TEST(Sums, CarryInfinitiesAndNaN) {
  std::vector<double> terms(100, 1.0);
  terms[40] = inf;
  EXPECT_EQ(sum(terms), inf);
  terms[99] = -inf;
  EXPECT_TRUE(std::isnan(sum(terms)));
  terms[99] = 1;
  terms[40] = nan;
  EXPECT_TRUE(std::isnan(sum(terms)));
}

TEST(Sums, OverflowOnlyWhereTheOrderDoes) {
  const double most = std::numeric_limits<double>::max();
  EXPECT_EQ(sum({most, most, -most}), inf);
  EXPECT_EQ(sum({most, -most, most}), most);
}

TEST(Sums, KeepSubnormals) {
  const double least = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(sum(std::vector<double>(1000, least)), 1000 * least);
  const auto product = [&](double factor) {
    return summation::sum_products<double, double>(1, [&](auto) { return least; }, [&](auto) { return factor; });
  };
  EXPECT_EQ(product(0.75), least);
  EXPECT_EQ(product(0.5), 0.0);  // a tie, to even
  EXPECT_EQ(product(1.5), 2 * least);
}

TEST(FusedOrders, KeepTheLowHalfOfAProductWhichTheCanonicalOneRounds) {
  const double d = 0x1p-30;
  const std::vector<double> left{1, 1 + d};
  const std::vector<double> right{-1, 1 + d};
  const auto at = [](const std::vector<double>& v) {
    return [&v](std::int64_t k) { return v[static_cast<std::size_t>(k)]; };
  };
  const auto in = [&](const order& o) { return summation::sum_products<double, double>(2, at(left), at(right), o); };
  EXPECT_EQ(in(canonical), 0x1p-29);
  EXPECT_EQ(in(summation::serial_fused), 0x1p-29 + 0x1p-60);
  EXPECT_EQ(in(summation::warp_per_row_fused), 0x1p-29);  // each in a lane of its own, so each product rounds
}

TEST(SumsOntoAStart, AddEveryProductToIt) {
  const auto one = [](std::int64_t) { return 1.0; };
  EXPECT_EQ((summation::sum_products_onto<double, double>(0x1p53, 2, one, one)), 0x1p53);
  EXPECT_EQ(0x1p53 + (summation::sum_products<double, double>(2, one, one)), 0x1p53 + 2);
  const double d = 0x1p-30;
  const auto near_one = [&](std::int64_t) { return 1 + d; };
  EXPECT_EQ((summation::sum_products_onto<double, double>(-1, 1, near_one, near_one, true)), 0x1p-29 + 0x1p-60);
}

TEST(Orders, ThatAreNotDefinedAreRefused) {
  const std::vector<double> terms(100, 1.0);
  EXPECT_THROW((void)sum(terms, {0, 24, 1024, false}), error);
  EXPECT_THROW((void)sum(terms, {0, 512, 1024, false}), error);
  EXPECT_THROW((void)sum(terms, {0, 0, 1024, false}), error);
  EXPECT_THROW((void)sum(terms, {0, 32, 0, false}), error);
}

TEST(Orders, AreExactOnIntegersWhateverTheyAre) {
  std::vector<double> terms;
  std::int64_t exact = 0;
  for (std::int64_t k = 0; k < 5000; ++k) {
    terms.push_back(entry_value<double>(static_cast<std::uint64_t>(k), entries::integers));
    exact += static_cast<std::int64_t>(terms.back());
  }
  for (const order& o : {canonical, summation::serial, summation::serial_fused, summation::warp_per_row,
                         summation::warp_per_row_fused, summation::blocked, summation::chunked(8, 256, true)})
    EXPECT_EQ(sum(terms, o), static_cast<double>(exact));
}

}  // namespace
}  // namespace lacis::test

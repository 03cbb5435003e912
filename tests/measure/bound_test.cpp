// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The bound lets every order of summation through and no wrong sum.
#include "measure/bound.hpp"

#include <cmath>
#include <complex>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include <lacis/generate.hpp>

namespace lacis::measure {
namespace {

template <class Value> Value entry(std::int64_t i) {
  const auto part = [](std::int64_t k) { return std::sin(static_cast<double>(k) + 0.1); };
  if constexpr (is_complex<Value>)
    return {static_cast<real_of<Value>>(part(2 * i)), static_cast<real_of<Value>>(part(2 * i + 1))};
  else
    return static_cast<Value>(part(i));
}

template <class Value>
std::vector<Value> product(const csr_view<Value>& a, const std::vector<Value>& x, bool backwards) {
  std::vector<Value> y;
  for (std::int64_t i = 0; i < a.rows; ++i) {
    const std::int64_t begin = a.row_offsets[static_cast<std::size_t>(i)];
    const std::int64_t size = a.row_offsets[static_cast<std::size_t>(i + 1)] - begin;
    Value sum = 0;
    for (std::int64_t k = 0; k < size; ++k) {
      const std::int64_t at = begin + (backwards ? size - 1 - k : k);
      sum += a.values[at] * x[static_cast<std::size_t>(a.columns[static_cast<std::size_t>(at)])];
    }
    y.push_back(sum);
  }
  return y;
}

template <class Value> class Bound : public testing::Test {};
using value_types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Bound, value_types);

TYPED_TEST(Bound, LetsOtherOrdersThroughAndNoLostEntry) {
  const auto a = generate<TypeParam>("@rmat:9", {.values = generated_values::random});
  std::vector<TypeParam> x;
  for (std::int64_t i = 0; i < a.cols; ++i) x.push_back(entry<TypeParam>(i));
  const auto forwards = product(a.view(), x, false);
  const auto backwards = product(a.view(), x, true);
  EXPECT_NE(forwards, backwards);
  const auto compare = [&](const std::vector<TypeParam>& other) {
    return beyond_bound<TypeParam, std::int32_t>(a.view(), x, forwards, other);
  };
  EXPECT_FALSE(compare(backwards));
  // Each row without its last entry: most of them are off by far more than rounding.
  std::int64_t found = 0;
  std::int64_t long_rows = 0;
  for (std::int64_t i = 0; i < a.rows; ++i) {
    const std::int64_t end = a.row_offsets[i + 1];
    if (end == a.row_offsets[i]) continue;
    ++long_rows;
    auto wrong = forwards;
    wrong[static_cast<std::size_t>(i)] -= a.values[end - 1] * x[static_cast<std::size_t>(a.columns[end - 1])];
    const auto excess = compare(wrong);
    if (!excess) continue;
    EXPECT_EQ(excess->row, i);
    EXPECT_GT(excess->difference, excess->allowed);
    ++found;
  }
  EXPECT_GT(found, 99 * long_rows / 100);
}

TYPED_TEST(Bound, IsThatOfEachDenseColumn) {
  const auto a = generate<TypeParam>("@rmat:9", {.values = generated_values::random});
  constexpr std::int64_t count = 3;
  std::vector<TypeParam> x;
  std::vector<TypeParam> forwards;
  std::vector<TypeParam> backwards(static_cast<std::size_t>(a.rows * count));  // row after row
  for (std::int64_t c = 0; c < count; ++c) {
    std::vector<TypeParam> column;
    for (std::int64_t i = 0; i < a.cols; ++i) column.push_back(entry<TypeParam>(i + c));
    x.insert(x.end(), column.begin(), column.end());
    const auto down = product(a.view(), column, false);
    forwards.insert(forwards.end(), down.begin(), down.end());
    const auto up = product(a.view(), column, true);
    for (std::int64_t i = 0; i < a.rows; ++i)
      backwards[static_cast<std::size_t>(i * count + c)] = up[static_cast<std::size_t>(i)];
  }
  const auto compare = [&] {
    return beyond_bound<TypeParam, std::int32_t>(a.view(), column_major<const TypeParam>(x, a.cols, count),
                                                 column_major<const TypeParam>(forwards, a.rows, count),
                                                 row_major<const TypeParam>(backwards, a.rows, count));
  };
  EXPECT_FALSE(compare());
  backwards[static_cast<std::size_t>((a.rows - 1) * count)] += TypeParam(1);
  backwards[static_cast<std::size_t>(7 * count + 2)] += TypeParam(1);
  const auto found = compare();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->row, 7);
  EXPECT_EQ(found->column, 2);
}

TEST(BoundOfOneRow, IsTwiceGamma) {
  // One row of one entry: k = 2, so gamma = 2u / (1 - 2u), and 1 * 1 may be off by 2 gamma = 4u: two units in the last
  // place.
  const std::int64_t offsets[] = {0, 1};
  const std::int32_t columns[] = {0};
  const double ones[] = {1};
  const csr_view<double> a{1, 1, offsets, columns, values_view<double>(ones)};
  const auto differs = [&](double other) {
    return beyond_bound<double, std::int32_t>(a, ones, ones, std::vector<double>{other}).has_value();
  };
  constexpr double ulp = std::numeric_limits<double>::epsilon();
  EXPECT_FALSE(differs(1));
  EXPECT_FALSE(differs(1 + 2 * ulp));
  EXPECT_TRUE(differs(1 + 3 * ulp));
  EXPECT_TRUE(differs(1 - 3 * ulp));
  EXPECT_TRUE(differs(std::numeric_limits<double>::quiet_NaN()));
  EXPECT_TRUE(differs(std::numeric_limits<double>::infinity()));
}

TEST(BoundOfOneRow, AgreesOnWhatIsNotFinite) {
  const std::int64_t offsets[] = {0, 1};
  const std::int32_t columns[] = {0};
  const double infinite[] = {std::numeric_limits<double>::infinity()};
  const csr_view<double> a{1, 1, offsets, columns, values_view<double>(infinite)};
  const auto differs = [&](double first, double second) {
    return beyond_bound<double, std::int32_t>(a, infinite, std::vector<double>{first}, std::vector<double>{second})
        .has_value();
  };
  const double nan = std::nan("");
  EXPECT_FALSE(differs(infinite[0], infinite[0]));
  EXPECT_FALSE(differs(nan, nan));
  EXPECT_TRUE(differs(infinite[0], -infinite[0]));
  EXPECT_TRUE(differs(infinite[0], 1));
  EXPECT_TRUE(differs(nan, 1));
}

}  // namespace
}  // namespace lacis::measure

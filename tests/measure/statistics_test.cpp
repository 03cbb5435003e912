// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Medians and intervals of data whose answers are known.
#include "measure/statistics.hpp"

#include <gtest/gtest.h>
#include <vector>

#include <lacis/error.hpp>

namespace lacis::measure {
namespace {

using numbers = std::vector<double>;

TEST(Statistics, MedianIsTheMiddleOrTheMeanOfTwo) {
  EXPECT_EQ(median(numbers{3}), 3);
  EXPECT_EQ(median(numbers{9, 1, 5}), 5);
  EXPECT_EQ(median(numbers{8, 1, 3, 2}), 2.5);
  EXPECT_EQ(median(numbers{1, 1, 1, 1000}), 1);
  EXPECT_THROW((void)median(numbers{}), error);
}

TEST(Statistics, IntervalOfEqualSamplesIsAPoint) {
  const estimate e = median_estimate(numbers(20, 4.5));
  EXPECT_EQ(e.low, 4.5);
  EXPECT_EQ(e.median, 4.5);
  EXPECT_EQ(e.high, 4.5);
}

TEST(Statistics, IntervalHasTheWidthThatOrderStatisticsGive) {
  // The exact 95 % interval of the median of 101 ordered samples lies between numbers 41 and 61 of them.
  numbers samples;
  for (int i = 1; i <= 101; ++i) samples.push_back(i);
  const estimate e = median_estimate(samples);
  EXPECT_EQ(e.median, 51);
  EXPECT_GE(e.low, 39);
  EXPECT_LE(e.low, 43);
  EXPECT_GE(e.high, 59);
  EXPECT_LE(e.high, 63);
}

TEST(Statistics, IntervalIsTheSameEveryTime) {
  const numbers samples = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3};
  const estimate first = median_estimate(samples);
  const estimate second = median_estimate(samples);
  EXPECT_EQ(first.low, second.low);
  EXPECT_EQ(first.high, second.high);
  EXPECT_LT(first.low, first.high);
}

TEST(Statistics, RatiosAreOfPairs) {
  // The machine became four times slower half-way, for both: each round still has ratio 2, the ratio of medians is 3.2.
  const numbers a = {2, 2, 2, 8, 8, 8, 8};
  const numbers b = {1, 1, 1, 4, 4, 4, 4};
  const estimate same = ratio_estimate(a, b);
  EXPECT_EQ(same.low, 2);
  EXPECT_EQ(same.median, 2);
  EXPECT_EQ(same.high, 2);
  EXPECT_EQ(ratio_estimate(numbers{1, 2, 3}, numbers{4, 4, 4}).median, 0.5);
  EXPECT_THROW((void)ratio_estimate(a, numbers{1}), error);
}

}  // namespace
}  // namespace lacis::measure

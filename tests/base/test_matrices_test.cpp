// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The test matrices itself: enough matrices, canonical, with the row lengths that the order of summation turns on.
#include <gtest/gtest.h>
#include <set>

#include "support/matrices.hpp"

namespace lacis::test {
namespace {

TEST(Battery, HasAtLeastFortyDifferentNames) {
  std::set<std::string> names;
  for (const auto& [name, matrix] : test_matrices<double>()) names.insert(name);
  EXPECT_GE(names.size(), 40u);
  EXPECT_EQ(names.size(), test_matrices<double>().size());
}

TEST(Battery, HasStrictlyAscendingColumnsInsideTheMatrix) {
  for (const auto& [name, a] : test_matrices<std::complex<float>, std::int64_t>(entries::reals)) {
    ASSERT_EQ(a.row_offsets.size(), a.rows + 1) << name;
    for (std::int64_t i = 0; i < a.rows; ++i)
      for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) {
        ASSERT_LT(a.columns[k], a.cols) << name;
        ASSERT_GE(a.columns[k], 0) << name;
        if (k > a.row_offsets[i]) {
          ASSERT_LT(a.columns[k - 1], a.columns[k]) << name << " row " << i;
        }
      }
  }
}

TEST(Battery, HasRowsAroundEveryLimitOfTheOrder) {
  std::set<std::int64_t> lengths;
  for (const auto& [name, a] : test_matrices<double>())
    for (std::int64_t i = 0; i < a.rows; ++i) lengths.insert(a.row_offsets[i + 1] - a.row_offsets[i]);
  for (const std::int64_t length : {0, 1, 2, 31, 32, 33, 63, 64, 65, 1023, 1024, 1025, 2047, 2049, 3100, 4100, 7185})
    EXPECT_TRUE(lengths.contains(length)) << length;
}

}  // namespace
}  // namespace lacis::test

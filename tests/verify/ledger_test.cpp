// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What verification counts as a difference, and how it tells it.
#include "verify/ledger.hpp"

#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace lacis::verification {
namespace {

constexpr trial about{.row = "sell",
                      .what = "sell, C = 8",
                      .types = "double x double, 32-bit columns",
                      .matrix = "identity 64",
                      .form = "y = A x",
                      .set = isa::avx2,
                      .threads = 3,
                      .digested = true};

template <class T> verify_report compared(std::vector<T> got, std::vector<T> expected, trial t = about) {
  ledger book;
  book.compare<T>(t, got, expected);
  return book.report();
}

TEST(Ledger, TakesEqualBitsAndAnyTwoNaNs) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const verify_report report = compared<double>({1, 0.0, nan}, {1, 0.0, -nan});
  EXPECT_TRUE(report.good());
  EXPECT_EQ(report.products, 1);
}

TEST(Ledger, TellsZerosOfDifferentSignApart) {
  EXPECT_FALSE(compared<double>({0.0}, {-0.0}).good());
  EXPECT_FALSE((compared<std::complex<float>>({{1, 0.0f}}, {{1, -0.0f}}).good()));
}

TEST(Ledger, NamesWhatDiffers) {
  const verify_report report = compared<double>({1, 2, 3}, {1, 2.5, 3});
  ASSERT_EQ(report.faults.size(), 1u);
  for (const char* word : {"sell, C = 8", "avx2", "3 threads", "double x double", "identity 64", "y = A x", "row 1",
                           "0x4000000000000000 (2)", "0x4004000000000000 (2.5)"})
    EXPECT_NE(report.faults[0].find(word), std::string::npos) << report.faults[0];
  ASSERT_EQ(report.table.size(), 1u);
  EXPECT_EQ(report.table[0].what, "sell");
  EXPECT_EQ(report.table[0].differing, 1);
}

TEST(Ledger, FindsRowAndColumnOfDenseResults) {
  trial by_row = about;
  by_row.stride = 4;
  trial by_column = by_row;
  by_column.column_major = true;
  const std::vector<float> right(12, 1.0f);
  std::vector<float> wrong = right;
  wrong[6] = 2;
  EXPECT_NE(compared(wrong, right, by_row).faults[0].find("row 1, column 2"), std::string::npos);
  EXPECT_NE(compared(wrong, right, by_column).faults[0].find("row 2, column 1"), std::string::npos);
}

TEST(Ledger, HasADigestThatChangesWithAnyBitAndDoesNotMindTheOrder) {
  ledger one;
  ledger other;
  trial second = about;
  second.matrix = "1x1";
  const std::vector<double> x{1, 2};
  const std::vector<double> y{3, 4};
  one.compare<double>(about, x, x);
  one.compare<double>(second, y, y);
  other.compare<double>(second, y, y);
  other.compare<double>(about, x, x);
  EXPECT_EQ(one.report().digest, other.report().digest);
  EXPECT_NE(compared<double>({0.0}, {0.0}).digest, compared<double>({-0.0}, {-0.0}).digest);
}

TEST(Ledger, CountsAMissingRefusalAndAnUnexpectedException) {
  ledger book;
  book.refused(about, "");
  EXPECT_TRUE(book.report().good());
  book.refused(about, "it was multiplied");
  book.failed(about, "out of memory");
  EXPECT_EQ(book.report().differing, 2);
  EXPECT_EQ(book.report().refusals, 2);
  EXPECT_EQ(book.report().products, 1);
}

}  // namespace
}  // namespace lacis::verification

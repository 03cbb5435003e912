// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Rasters of spy plots, against counting one entry after the other.
#include "structure/spy.hpp"

#include <gtest/gtest.h>
#include <numeric>
#include <omp.h>

#include <lacis/error.hpp>

#include "support/matrices.hpp"

namespace lacis {
namespace {

csr_matrix<double> identity(std::int64_t n) {
  return test::from_rows<double, std::int32_t>(n, n, test::entries::integers,
                                               [](std::int64_t i) { return std::vector{i}; });
}

TEST(Spy, CountsEveryEntryInTheCellThatCoversIt) {
  for (const auto& [name, a] : test::test_matrices<double>())
    for (const std::int64_t width : {1, 3, 7, 50, 10000})
      for (const std::int64_t height : {1, 4, 60}) {
        const spy_raster picture = spy(a, width, height);
        std::vector<std::int64_t> expected(picture.counts.size(), 0);
        for (std::int64_t i = 0; i < a.rows; ++i)
          for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
            ++expected[static_cast<std::size_t>(i * picture.height / a.rows * picture.width +
                                                a.columns[k] * picture.width / a.cols)];
        ASSERT_EQ(picture.counts, expected) << name << " on " << width << " x " << height;
      }
}

TEST(Spy, IsTheSameForAnyNumberOfThreads) {
  const auto a = test::from_rows<double, std::int32_t>(
      3000, 3000, test::entries::integers, [](std::int64_t i) { return test::random_columns(i, 100, 3000, 3); });
  omp_set_num_threads(1);
  const spy_raster one = spy(a, 77, 55);
  omp_set_num_threads(4);
  EXPECT_EQ(spy(a, 77, 55).counts, one.counts);
  EXPECT_EQ(std::accumulate(one.counts.begin(), one.counts.end(), std::int64_t{0}), a.nnz());
}

TEST(Spy, TakesColumnsThatNeed64Bits) {
  const std::int64_t cols = std::int64_t{1} << 40;
  const std::int64_t offsets[] = {0, 3};
  const std::int64_t columns[] = {0, cols / 2 - 1, cols - 1};
  const double values[] = {1};
  const csr_view<double, std::int64_t> a{1, cols, offsets, columns, {values, true}};
  const spy_raster picture = spy(a, 4, 1);
  EXPECT_EQ(picture.counts, (std::vector<std::int64_t>{1, 1, 0, 1}));
}

TEST(Spy, HasNoCellsWithoutRowsOrColumns) {
  EXPECT_TRUE(spy(csr_matrix<double>{}, 10, 10).counts.empty());
  EXPECT_EQ(spy(csr_matrix<double>{}, 10, 10).densest(), 0);
}

TEST(Spy, MeasuresDensityByTheAreaOfACell) {
  const spy_raster picture = spy(identity(5), 2, 2);  // cells of 3 and 2 rows and columns
  EXPECT_EQ(picture.counts, (std::vector<std::int64_t>{3, 0, 0, 2}));
  EXPECT_EQ(picture.density(0, 0), 3.0 / 9);
  EXPECT_EQ(picture.density(1, 1), 2.0 / 4);
  EXPECT_EQ(picture.densest(), 0.5);
}

TEST(Spy, CellsCoverTheMatrixWithoutGaps) {
  const spy_raster picture = spy(identity(10), 3, 2);
  EXPECT_EQ(picture.first_col(0), 0);
  EXPECT_EQ(picture.first_col(1), 4);
  EXPECT_EQ(picture.first_col(2), 7);
  EXPECT_EQ(picture.first_col(3), 10);
  EXPECT_EQ(picture.first_row(0), 0);
  EXPECT_EQ(picture.first_row(1), 5);
  EXPECT_EQ(picture.first_row(2), 10);
}

TEST(Spy, CountsAddUpToTheEntries) {
  for (const auto& [name, a] : test::test_matrices<double>()) {
    if (a.rows == 0 || a.cols == 0) continue;
    const auto counts = spy(any_csr(a), 13, 17).counts;
    EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}), a.nnz()) << name;
  }
}

TEST(Spy, RefusesColumnsOutsideTheMatrix) {
  const std::int64_t offsets[] = {0, 1};
  const std::int32_t columns[] = {3};
  const double values[] = {1};
  const csr_view<double> a{1, 3, offsets, columns, {values, false}};
  EXPECT_THROW(static_cast<void>(spy(a, 2, 2)), error);
}

TEST(Spy, SumsValuesOfEachCell) {
  const std::int64_t offsets[] = {0, 2, 3, 3, 4};
  const std::int32_t columns[] = {0, 3, 1, 2};
  const double values[] = {5, 7, 11, 13};
  const csr_view<double> a{4, 4, offsets, columns, {values, false}};
  const spy_raster sums = detail::sum_raster(a, 2, 2);
  EXPECT_EQ(sums.counts, (std::vector<std::int64_t>{16, 7, 0, 13}));
  EXPECT_EQ(sums.densest(), 4);
}

}  // namespace
}  // namespace lacis

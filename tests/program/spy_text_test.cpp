// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Spy rasters and their rendering as characters.
#include "plot/raster.hpp"

#include <gtest/gtest.h>
#include <numeric>
#include <omp.h>

#include "plot/spy_text.hpp"
#include "support/matrices.hpp"

namespace lacis::plot {
namespace {

template <class Matrix> raster spy(const Matrix& matrix, std::int64_t width, std::int64_t height) {
  const auto a = matrix.view();
  return spy_raster(a.rows, a.cols, a.row_offsets, a.columns, width, height);
}

csr_matrix<double> identity(std::int64_t n) {
  return test::from_rows<double, std::int32_t>(n, n, test::entries::integers,
                                               [](std::int64_t i) { return std::vector{i}; });
}

TEST(Raster, CountsEveryEntryInTheCellThatCoversIt) {
  for (const auto& [name, a] : test::test_matrices<double>())
    for (const std::int64_t width : {1, 3, 7, 50, 10000})
      for (const std::int64_t height : {1, 4, 60}) {
        const raster picture = spy(a, width, height);
        std::vector<std::int64_t> expected(picture.counts.size(), 0);
        for (std::int64_t i = 0; i < a.rows; ++i)
          for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
            ++expected[static_cast<std::size_t>(i * picture.height / a.rows * picture.width +
                                                a.columns[k] * picture.width / a.cols)];
        ASSERT_EQ(picture.counts, expected) << name << " on " << width << " x " << height;
      }
}

TEST(Raster, IsTheSameForAnyNumberOfThreads) {
  const auto a = test::from_rows<double, std::int32_t>(
      3000, 3000, test::entries::integers, [](std::int64_t i) { return test::random_columns(i, 100, 3000, 3); });
  omp_set_num_threads(1);
  const raster one = spy(a, 77, 55);
  omp_set_num_threads(4);
  EXPECT_EQ(spy(a, 77, 55).counts, one.counts);
  EXPECT_EQ(std::accumulate(one.counts.begin(), one.counts.end(), std::int64_t{0}), a.nnz());
}

TEST(Raster, TakesColumnsThatNeed64Bits) {
  const std::int64_t cols = std::int64_t{1} << 40;
  const std::int64_t offsets[] = {0, 3};
  const std::int64_t columns[] = {0, cols / 2 - 1, cols - 1};
  const raster picture = spy_raster<std::int64_t>(1, cols, offsets, columns, 4, 1);
  EXPECT_EQ(picture.counts, (std::vector<std::int64_t>{1, 1, 0, 1}));
}

TEST(Raster, HasNoCellsWithoutRowsOrColumns) {
  EXPECT_TRUE(spy(csr_matrix<double>{}, 10, 10).counts.empty());
  EXPECT_EQ(spy(csr_matrix<double>{}, 10, 10).densest(), 0);
}

TEST(Raster, MeasuresDensityByTheAreaOfACell) {
  const raster picture = spy(identity(5), 2, 2);  // cells of 3 and 2 rows and columns
  EXPECT_EQ(picture.counts, (std::vector<std::int64_t>{3, 0, 0, 2}));
  EXPECT_EQ(picture.density(0, 0), 3.0 / 9);
  EXPECT_EQ(picture.density(1, 1), 2.0 / 4);
  EXPECT_EQ(picture.densest(), 0.5);
}

TEST(Raster, EdgesSplitTheMatrixWithoutGaps) {
  EXPECT_EQ(edge(0, 10, 3), 0);
  EXPECT_EQ(edge(1, 10, 3), 4);
  EXPECT_EQ(edge(2, 10, 3), 7);
  EXPECT_EQ(edge(3, 10, 3), 10);
}

TEST(Tone, SpansTheDensitiesButNoMoreThanThreeDecades) {
  EXPECT_EQ(tone_of({10, 10, 2, 1, {50, 50}}).range, 10);
  EXPECT_EQ(tone_of({10, 10, 2, 1, {50, 1}}).range, 50);
  EXPECT_EQ(tone_of({1000, 1000, 2, 1, {500000, 1}}).range, 1000);
  EXPECT_EQ(tone_of({10, 10, 2, 1, {50, 0}}).densest, 1);
}

TEST(Tone, ShadesByTheLogarithm) {
  const tone scale{0.25, 100};
  EXPECT_EQ(scale.shade(0), 0);
  EXPECT_EQ(scale.shade(0.25), 1);
  EXPECT_GT(scale.shade(0.0025), 0.1);
  EXPECT_LT(scale.shade(0.0025), scale.shade(0.025));
}

TEST(SpyText, DrawsADiagonalInBraille) {
  const auto lines = spy_text(spy(identity(8), 8, 8), {4, 2}, {true, false});
  EXPECT_EQ(lines, (std::vector<std::string>{"⠑⢄  ", "  ⠑⢄"}));
}

TEST(SpyText, StretchesASmallMatrix) {
  const auto lines = spy_text(spy(identity(2), 8, 8), {4, 2}, {true, false});
  EXPECT_EQ(lines, (std::vector<std::string>{"⣿⣿  ", "  ⣿⣿"}));
}

TEST(SpyText, DrawsADiagonalInAscii) {
  const auto lines = spy_text(spy(identity(3), 3, 3), {3, 3}, {false, false});
  EXPECT_EQ(lines, (std::vector<std::string>{"@  ", " @ ", "  @"}));
}

TEST(SpyText, ShowsSparseRegionsWithFewDotsButAlwaysOne) {
  raster picture{8000, 8000, 8, 4, std::vector<std::int64_t>(32, 1)};
  for (const std::size_t y : {0, 1, 2, 3}) {
    picture.counts[y * 8] = 1000000;
    picture.counts[y * 8 + 1] = 1000000;
    picture.counts[y * 8 + 4] = picture.counts[y * 8 + 5] = 0;
  }
  const auto lines = spy_text(picture, {4, 1}, {true, false});
  EXPECT_EQ(lines, (std::vector<std::string>{"⣿⠁ ⠁"}));
}

TEST(SpyText, ColoursByDensityAndResetsAtTheEndOfALine) {
  const auto lines = spy_text(spy(identity(8), 8, 8), {4, 2}, {true, true});
  EXPECT_EQ(lines[0], "\x1b[38;5;167m⠑⢄  \x1b[0m");
}

TEST(SpyText, KeepsTheProportionsOfTheMatrix) {
  const text_size square = spy_text_size(100, 100, {60, 40});
  EXPECT_EQ(square.columns, 60);
  EXPECT_EQ(square.lines, 30);
  const text_size tall = spy_text_size(1000, 100, {60, 30});
  EXPECT_EQ(tall.columns, 6);
  EXPECT_EQ(tall.lines, 30);
  const text_size wide = spy_text_size(1, 1000000, {60, 30});
  EXPECT_EQ(wide.columns, 60);
  EXPECT_EQ(wide.lines, 1);
}

}  // namespace
}  // namespace lacis::plot

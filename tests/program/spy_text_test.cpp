// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Rasters as shades and as characters.
#include "plot/spy_text.hpp"

#include <gtest/gtest.h>

#include "support/matrices.hpp"

namespace lacis::plot {
namespace {

csr_matrix<double> identity(std::int64_t n) {
  return test::from_rows<double, std::int32_t>(n, n, test::entries::integers,
                                               [](std::int64_t i) { return std::vector{i}; });
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
  spy_raster picture{8000, 8000, 8, 4, std::vector<std::int64_t>(32, 1)};
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

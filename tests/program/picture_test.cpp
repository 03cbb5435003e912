// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Pixels, letters, PNG files, bars and numbers.
#include <gtest/gtest.h>
#include <limits>

#include "plot/bars.hpp"
#include "plot/numbers.hpp"
#include "plot/png.hpp"
#include "plot/spy_picture.hpp"
#ifdef LACIS_WITH_PNG
#include <png.h>
#endif

namespace lacis::plot {
namespace {

constexpr color red{255, 0, 0};

std::string dots(const canvas& picture) {
  std::string text;
  for (std::int64_t y = 0; y < picture.height(); ++y) {
    for (std::int64_t x = 0; x < picture.width(); ++x) text += picture.at(x, y) == white ? '.' : '#';
    text += '\n';
  }
  return text;
}

TEST(Canvas, DrawsAFrame) {
  canvas picture(5, 4);
  picture.frame(0, 0, 5, 4, 1, red);
  EXPECT_EQ(dots(picture), "#####\n#...#\n#...#\n#####\n");
  EXPECT_EQ(picture.at(0, 0), red);
}

TEST(Canvas, ClipsWhatLiesOutside) {
  canvas picture(3, 2);
  picture.fill(-5, 1, 7, 20, red);
  EXPECT_EQ(dots(picture), "...\n##.\n");
}

TEST(Canvas, WritesLetters) {
  canvas picture(12, 8);
  picture.text(0, 0, "7g", 1, red);
  EXPECT_EQ(dots(picture),
            "#####.......\n"
            "....#.......\n"
            "...#...####.\n"
            "..#...#...#.\n"
            "..#...#...#.\n"
            "..#....####.\n"
            "..#.......#.\n"
            ".......###..\n");
  EXPECT_EQ(text_width("7g", 1), 11);
  EXPECT_EQ(text_width("7g", 3), 33);
  EXPECT_EQ(text_width("", 3), 0);
}

TEST(Canvas, WritesABoxForALetterItDoesNotHave) {
  canvas picture(5, 8);
  picture.text(0, 0, "~", 1, red);
  EXPECT_EQ(dots(picture).substr(0, 12), "#####\n#...#\n");
}

TEST(SpyPicture, PutsTheCellsInsideTheFrame) {
  spy_raster counted{2, 2, 2, 2, {1, 0, 0, 1}};
  const canvas picture = spy_picture(counted, {40, 40}, "");
  // The darkest ink fills the upper left and the lower right quarter of the plotting area.
  std::int64_t inked = 0;
  for (const color& pixel : picture.pixels()) inked += pixel == ink(1) ? 1 : 0;
  EXPECT_GE(inked, 2 * 20 * 20);
  EXPECT_LE(inked, 2 * 20 * 20 + 13 * 7);  // the last step of the scale below may reach it too
}

TEST(SpyPicture, OfTheLargestSizesEnds) {
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  const spy_raster counted{2, largest, 2, 2, {1, 0, 0, 1}};
  EXPECT_FALSE(spy_picture(counted, {800, 40}, "").pixels().empty());
}

TEST(SpyPicture, KeepsProportionsUpToATwentieth) {
  EXPECT_EQ(spy_picture_size(100, 200, 800).width, 800);
  EXPECT_EQ(spy_picture_size(100, 200, 800).height, 400);
  EXPECT_EQ(spy_picture_size(1, 1000000, 800).height, 40);
  EXPECT_EQ(spy_picture_size(0, 0, 800).width, 40);
}

TEST(SpyPicture, SpacesTicksByRoundNumbers) {
  EXPECT_EQ(tick_step(10, 5), 2);
  EXPECT_EQ(tick_step(65536, 6), 20000);
  EXPECT_EQ(tick_step(7, 10), 1);
  EXPECT_EQ(tick_step(99, 1), 100);
  EXPECT_EQ(tick_step(INT64_MAX, 1), INT64_MAX);
}

TEST(SpyPicture, InkGetsDarkerWithTheShade) {
  EXPECT_EQ(ink(0), white);
  const auto light = [](color c) { return c.red + c.green + c.blue; };
  for (int step = 1; step <= 100; ++step) EXPECT_LE(light(ink(step / 100.0)), light(ink((step - 1) / 100.0)));
}

#ifdef LACIS_WITH_PNG
TEST(Png, HoldsThePixelsOfTheCanvas) {
  canvas picture(7, 3);
  picture.set(2, 1, {1, 2, 3});
  picture.set(6, 2, {250, 251, 252});
  const std::vector<std::byte> bytes = encode_png(picture, "a title");
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  ASSERT_NE(png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()), 0) << image.message;
  image.format = PNG_FORMAT_RGB;
  ASSERT_EQ(image.width, 7u);
  ASSERT_EQ(image.height, 3u);
  std::vector<color> read(21);
  ASSERT_NE(png_image_finish_read(&image, nullptr, read.data(), 0, nullptr), 0) << image.message;
  EXPECT_EQ(read, picture.pixels());
}
#endif

TEST(Bar, HasEighthsOfACharacter) {
  EXPECT_EQ(bar(1, 3, true), "███");
  EXPECT_EQ(bar(0.5, 3, true), "█▌");
  EXPECT_EQ(bar(0, 3, true), "");
  EXPECT_EQ(bar(1e-9, 3, true), "▏");
  EXPECT_EQ(bar(7, 2, true), "██");
  EXPECT_EQ(bar(0.5, 4, false), "##");
  EXPECT_EQ(padded_bar(0.5, 3, true), "█▌ ");
  EXPECT_EQ(padded_bar(0, 3, false), "   ");
}

TEST(Numbers, AreGroupedInThousands) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(-123456), "-123,456");
  EXPECT_EQ(grouped(INT64_MAX), "9,223,372,036,854,775,807");
}

TEST(Numbers, HaveThreeSignificantDigits) {
  EXPECT_EQ(significant(0), "0");
  EXPECT_EQ(significant(12.345), "12.3");
  EXPECT_EQ(significant(1.5), "1.5");
  EXPECT_EQ(significant(0.00123456), "0.00123");
  EXPECT_EQ(significant(1.23e-9), "1.2e-09");
  EXPECT_EQ(significant(1234.6), "1,235");
  EXPECT_EQ(significant(99.96), "100");
  EXPECT_EQ(significant(9.999), "10");
  EXPECT_EQ(percent(0.5), "50 %");
}

TEST(Numbers, GetPrefixes) {
  EXPECT_EQ(bytes_text(1000), "1,000 B");
  EXPECT_EQ(bytes_text(1024), "1 KiB");
  EXPECT_EQ(bytes_text(1024.0 * 1024 * 12.5), "12.5 MiB");
  EXPECT_EQ(bytes_text(1024.0 * 1024 * 1024 - 1), "1 GiB");
  EXPECT_EQ(short_count(9999), "9,999");
  EXPECT_EQ(short_count(2863311530.0), "2.86 G");
}

TEST(Numbers, BecomeTimes) {
  EXPECT_EQ(duration_text(0.0123), "12.3 ms");
  EXPECT_EQ(duration_text(1.24), "1.24 s");
  EXPECT_EQ(duration_text(125), "2 min 05 s");
  EXPECT_EQ(duration_text(3600 * 3 + 60 * 7), "3 h 07 min");
}

}  // namespace
}  // namespace lacis::plot

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Braille and ASCII rendering of a raster.
#include "plot/spy_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace lacis::plot {
namespace {

constexpr std::int64_t dots_across = 2;
constexpr std::int64_t dots_down = 4;

// Ordered dithering (Bayer's 4 x 4 matrix): any shade gives an even texture.
constexpr int bayer[4][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};

// The bit of the dot at (x, y) in a braille character.
constexpr int braille_bit[dots_down][dots_across] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};

// From few entries to many, legible on dark and on light backgrounds.
constexpr std::array<int, 7> ramp = {61, 67, 72, 107, 143, 173, 167};

constexpr std::string_view ascii_ramp = " .:-=+*#%@";

std::string braille(int bits) {
  return {static_cast<char>(0xE2), static_cast<char>(0xA0 | bits >> 6), static_cast<char>(0x80 | (bits & 0x3F))};
}

/// The shade at dot (x, y) of a grid of columns x lines; a raster smaller than the grid is stretched.
class sampler {
 public:
  sampler(const spy_raster& picture, text_size grid) : picture_(picture), grid_(grid), shades_(shades(picture)) {}
  [[nodiscard]] float operator()(std::int64_t x, std::int64_t y) const {
    if (shades_.empty()) return 0;
    const std::int64_t cell_x = x * picture_.width / grid_.columns;
    const std::int64_t cell_y = y * picture_.height / grid_.lines;
    return shades_[static_cast<std::size_t>(cell_y * picture_.width + cell_x)];
  }

 private:
  const spy_raster& picture_;
  text_size grid_;
  std::vector<float> shades_;
};

struct glyph {
  int bits = 0;
  float mean = 0;  ///< over the dots that cover an entry
};

glyph braille_at(const sampler& sample, std::int64_t column, std::int64_t line) {
  glyph result;
  float darkest = 0;
  int darkest_bit = 0;
  int occupied = 0;
  for (std::int64_t dy = 0; dy < dots_down; ++dy)
    for (std::int64_t dx = 0; dx < dots_across; ++dx) {
      const std::int64_t x = column * dots_across + dx;
      const std::int64_t y = line * dots_down + dy;
      const float shade = sample(x, y);
      if (shade <= 0) continue;
      ++occupied;
      result.mean += shade;
      if (shade > darkest) {
        darkest = shade;
        darkest_bit = braille_bit[dy][dx];
      }
      if (shade * 16 > static_cast<float>(bayer[y % 4][x % 4])) result.bits |= braille_bit[dy][dx];
    }
  if (result.bits == 0) result.bits = darkest_bit;
  if (occupied != 0) result.mean /= static_cast<float>(occupied);
  return result;
}

std::string braille_line(const sampler& sample, std::int64_t columns, std::int64_t line, bool color) {
  std::string text;
  int current = -1;
  for (std::int64_t column = 0; column < columns; ++column) {
    const glyph g = braille_at(sample, column, line);
    if (g.bits == 0) {
      text += ' ';
      continue;
    }
    const auto step = static_cast<std::size_t>(g.mean * static_cast<float>(ramp.size()));
    const int wanted = ramp[std::min(step, ramp.size() - 1)];
    if (color && wanted != current) {
      text += "\x1b[38;5;" + std::to_string(wanted) + 'm';
      current = wanted;
    }
    text += braille(g.bits);
  }
  if (current >= 0) text += "\x1b[0m";
  return text;
}

std::string ascii_line(const sampler& sample, std::int64_t columns, std::int64_t line) {
  std::string text;
  for (std::int64_t column = 0; column < columns; ++column) {
    const auto steps = static_cast<float>(ascii_ramp.size() - 1);
    text += ascii_ramp[static_cast<std::size_t>(std::ceil(sample(column, line) * steps))];
  }
  return text;
}

}  // namespace

text_size spy_text_size(std::int64_t rows, std::int64_t cols, text_size limit) {
  if (rows <= 0 || cols <= 0) return {};
  const double lines_per_column = 0.5 * static_cast<double>(rows) / static_cast<double>(cols);
  auto columns = static_cast<double>(limit.columns);
  double lines = columns * lines_per_column;
  if (lines > static_cast<double>(limit.lines)) {
    lines = static_cast<double>(limit.lines);
    columns = lines / lines_per_column;
  }
  return {std::max<std::int64_t>(1, std::llround(columns)), std::max<std::int64_t>(1, std::llround(lines))};
}

text_size spy_text_cells(text_size size, bool unicode) {
  return unicode ? text_size{size.columns * dots_across, size.lines * dots_down} : size;
}

std::vector<std::string> spy_text(const spy_raster& picture, text_size size, text_style style) {
  const sampler sample(picture, spy_text_cells(size, style.unicode));
  std::vector<std::string> all;
  for (std::int64_t line = 0; line < size.lines; ++line)
    all.push_back(style.unicode ? braille_line(sample, size.columns, line, style.color)
                                : ascii_line(sample, size.columns, line));
  return all;
}

}  // namespace lacis::plot

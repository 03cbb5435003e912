// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The spy plot as a picture.
#include "plot/spy_picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "plot/numbers.hpp"

namespace lacis::plot {
namespace {

constexpr color black{28, 32, 40};
constexpr color grey{110, 116, 126};

// Paper to ink: pale blue, blue, indigo, near black.
constexpr std::array<color, 5> inks = {color{206, 224, 242}, color{120, 172, 222}, color{44, 110, 186},
                                       color{34, 58, 130}, color{18, 18, 56}};

struct layout {
  std::int64_t scale;   ///< of letters
  std::int64_t left;    ///< of the plotting area
  std::int64_t top;     ///< of the plotting area
  std::int64_t right;   ///< margin
  std::int64_t bottom;  ///< margin
};

constexpr std::int64_t tick_length = 3;  // times scale

void draw_cells(canvas& paper, const layout& at, const spy_raster& counted, picture_size area) {
  const std::vector<float> dark = shades(counted);
  if (dark.empty()) return;
  for (std::int64_t y = 0; y < area.height; ++y)
    for (std::int64_t x = 0; x < area.width; ++x) {
      const std::int64_t cell = y * counted.height / area.height * counted.width + x * counted.width / area.width;
      const float shade = dark[static_cast<std::size_t>(cell)];
      if (shade > 0) paper.set(at.left + x, at.top + y, ink(shade));
    }
}

void draw_axes(canvas& paper, const layout& at, const spy_raster& counted, picture_size area) {
  const std::int64_t s = at.scale;
  paper.frame(at.left - s, at.top - s, area.width + 2 * s, area.height + 2 * s, s, black);
  const std::int64_t column_step = tick_step(counted.cols, std::max<std::int64_t>(1, area.width / (60 * s)));
  for (std::int64_t tick = 0; tick <= (counted.cols - 1) / column_step; ++tick) {
    const std::int64_t j = tick * column_step;
    const auto x = at.left + static_cast<std::int64_t>(static_cast<double>(j) / static_cast<double>(counted.cols) *
                                                       static_cast<double>(area.width));
    const std::string label = grouped(j);
    paper.fill(x, at.top - s - tick_length * s, s, tick_length * s, black);
    paper.text(x - (j == 0 ? 0 : text_width(label, s) / 2), at.top - s - (tick_length + 9) * s, label, s, grey);
  }
  const std::int64_t row_step = tick_step(counted.rows, std::max<std::int64_t>(1, area.height / (40 * s)));
  for (std::int64_t tick = 0; tick <= (counted.rows - 1) / row_step; ++tick) {
    const std::int64_t i = tick * row_step;
    const auto y = at.top + static_cast<std::int64_t>(static_cast<double>(i) / static_cast<double>(counted.rows) *
                                                      static_cast<double>(area.height));
    const std::string label = grouped(i);
    paper.fill(at.left - s - tick_length * s, y, tick_length * s, s, black);
    paper.text(at.left - s - (tick_length + 2) * s - text_width(label, s), y - 3 * s, label, s, grey);
  }
}

void draw_scale(canvas& paper, const layout& at, const spy_raster& counted, picture_size area) {
  const std::int64_t s = at.scale;
  const tone scale = tone_of(counted);
  if (scale.densest <= 0) return;
  const std::int64_t length = std::min<std::int64_t>(area.width / 3, 128 * s);
  const std::int64_t y = at.top + area.height + 8 * s;
  const std::string low = percent(scale.densest / scale.range);
  const std::string high = percent(scale.densest) + " of a cell filled";
  std::int64_t x = at.left;
  paper.text(x, y, low, s, grey);
  x += text_width(low, s) + 4 * s;
  for (std::int64_t step = 0; step < length; ++step) {
    const double share = static_cast<double>(step) / static_cast<double>(length) - 1;
    paper.fill(x + step, y, 1, 7 * s, ink(scale.shade(scale.densest * std::pow(scale.range, share))));
  }
  paper.text(x + length + 4 * s, y, high, s, grey);
}

}  // namespace

color ink(double shade) {
  if (shade <= 0) return white;
  const double place = std::min(shade, 1.0) * static_cast<double>(inks.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(place), inks.size() - 2);
  const double part = place - static_cast<double>(below);
  const auto mix = [&](std::uint8_t from, std::uint8_t to) {
    return static_cast<std::uint8_t>(std::lround(from + part * (to - from)));
  };
  const color& a = inks[below];
  const color& b = inks[below + 1];
  return {mix(a.red, b.red), mix(a.green, b.green), mix(a.blue, b.blue)};
}

std::int64_t tick_step(std::int64_t size, std::int64_t most) {
  const std::int64_t least = size / most + (size % most != 0 ? 1 : 0);
  std::int64_t power = 1;
  while (power <= least / 10) power *= 10;
  for (const std::int64_t digit : {1, 2, 5})
    if (least <= digit * power) return digit * power;
  return least <= std::numeric_limits<std::int64_t>::max() / 10 ? 10 * power : size;
}

picture_size spy_picture_size(std::int64_t rows, std::int64_t cols, std::int64_t size) {
  const std::int64_t longer = std::max<std::int64_t>({rows, cols, 1});
  const auto side = [&](std::int64_t extent) {
    const double share = static_cast<double>(extent) / static_cast<double>(longer);
    return std::max<std::int64_t>({1, size / 20, std::llround(share * static_cast<double>(size))});
  };
  return {side(cols), side(rows)};
}

canvas spy_picture(const spy_raster& counted, picture_size area, std::string_view title) {
  layout at{};
  at.scale = std::max<std::int64_t>(1, (std::max(area.width, area.height) + 200) / 500);
  const std::int64_t s = at.scale;
  at.left = text_width(grouped(std::max<std::int64_t>(0, counted.rows - 1)), s) + (tick_length + 10) * s;
  at.top = 44 * s;
  at.right = 28 * s;
  at.bottom = 24 * s;
  canvas paper(at.left + std::max(area.width, text_width(title, s)) + at.right, at.top + area.height + at.bottom);
  draw_cells(paper, at, counted, area);
  draw_axes(paper, at, counted, area);
  draw_scale(paper, at, counted, area);
  paper.text(at.left, 10 * s, title, s, black);
  return paper;
}

}  // namespace lacis::plot

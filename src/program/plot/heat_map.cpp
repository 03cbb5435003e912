// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A raster as SVG.
#include "plot/heat_map.hpp"

#include <algorithm>
#include <cmath>

#include "plot/numbers.hpp"
#include "plot/spy_picture.hpp"
#include "plot/svg.hpp"

namespace lacis::plot {
namespace {

constexpr double chart_width = 800;
constexpr double left = 90;
constexpr double top = 108;
constexpr double side = 640;
constexpr double bottom = top + side;

/// Shades are told apart in so many steps: neighbours of one step are one rectangle.
constexpr int steps = 32;

int step_of(float shade) { return static_cast<int>(std::ceil(shade * steps)); }

std::string color_of(int step) {
  constexpr const char* digits = "0123456789abcdef";
  const color c = ink(static_cast<double>(step) / steps);
  std::string text = "#";
  for (const std::uint8_t part : {c.red, c.green, c.blue}) {
    text += digits[part >> 4];
    text += digits[part & 15];
  }
  return text;
}

void draw_cells(svg& picture, const spy_raster& map) {
  const std::vector<float> dark = shades(map);
  const double width = side / static_cast<double>(map.width);
  const double height = side / static_cast<double>(map.height);
  for (std::int64_t y = 0; y < map.height; ++y)
    for (std::int64_t x = 0, end = 0; x < map.width; x = end) {
      const auto step_at = [&](std::int64_t place) {
        return step_of(dark[static_cast<std::size_t>(y * map.width + place)]);
      };
      const int step = step_at(x);
      for (end = x + 1; end < map.width && step_at(end) == step;) ++end;
      if (step == 0) continue;
      // A hair wider, so that no seams show between neighbours.
      picture.rectangle({left + static_cast<double>(x) * width, top + static_cast<double>(y) * height},
                        static_cast<double>(end - x) * width + 0.2, height + 0.2, color_of(step));
    }
}

void draw_axes(svg& picture, const heat_map& map) {
  constexpr svg_stroke frame{palette::black, 1, {}};
  const place corners[] = {{left, top}, {left + side, top}, {left + side, bottom}, {left, bottom}, {left, top}};
  picture.path(corners, frame);
  constexpr std::int64_t most_ticks = 8;
  const std::int64_t ranks = map.picture.cols;
  const std::int64_t tick = tick_step(std::max<std::int64_t>(ranks, 1), most_ticks);
  for (std::int64_t i = 0; i < ranks; i += tick) {
    const double way = (static_cast<double>(i) + 0.5) / static_cast<double>(ranks) * side;
    picture.line({left + way, top - 5}, {left + way, top}, frame);
    picture.words({left + way, top - 9}, grouped(i), {.anchor = svg_anchor::middle});
    picture.line({left - 5, top + way}, {left, top + way}, frame);
    picture.words({left - 9, top + way + 4}, grouped(i), {.anchor = svg_anchor::end});
  }
  picture.words({left + side / 2, top - 28}, map.x_label, {.anchor = svg_anchor::middle});
  picture.words({26, top + side / 2}, map.y_label, {.anchor = svg_anchor::middle, .upwards = true});
}

void draw_scale(svg& picture, const heat_map& map) {
  const tone scale = tone_of(map.picture);
  if (scale.densest <= 0) return;
  constexpr double length = 200;
  constexpr double height = 14;
  const double y = bottom + 22;
  const std::string low = significant(map.factor * scale.densest / scale.range);
  double x = left;
  picture.words({x, y + 12}, low, {});
  x += 10 + 7.5 * static_cast<double>(low.size());
  for (int step = 0; step < steps; ++step) {
    const double share = (static_cast<double>(step) + 0.5) / steps - 1;
    picture.rectangle({x + step * length / steps, y}, length / steps + 0.2, height,
                      color_of(step_of(static_cast<float>(scale.shade(scale.densest * std::pow(scale.range, share))))));
  }
  picture.words({x + length + 10, y + 12}, significant(map.factor * scale.densest) + ' ' + map.unit, {});
}

}  // namespace

std::string drawn(const heat_map& map) {
  svg picture(chart_width, bottom + 56);
  picture.words({24, 30}, map.title, {.size = 18, .bold = true});
  picture.words({24, 51}, map.subtitle, {.size = 13, .color = palette::grey});
  draw_cells(picture, map.picture);
  draw_axes(picture, map);
  draw_scale(picture, map);
  return picture.text();
}

}  // namespace lacis::plot

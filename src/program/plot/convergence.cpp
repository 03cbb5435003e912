// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Residuals over iterations, in powers of ten.
#include "plot/convergence.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "plot/numbers.hpp"
#include "plot/svg.hpp"

namespace lacis::plot {
namespace {

constexpr double smallest = 1e-300;

/// From which power of ten to which.
struct decades {
  int first = -1;
  int last = 0;
};

double power_of(double residual) { return std::log10(std::max(residual, smallest)); }

decades decades_of(const std::vector<double>& residuals, double goal) {
  double low = goal > 0 ? power_of(goal) : 0;
  double high = 0;
  for (const double residual : residuals)
    if (std::isfinite(residual)) {
      low = std::min(low, power_of(residual));
      high = std::max(high, power_of(residual));
    }
  return {static_cast<int>(std::floor(low)),
          std::max(static_cast<int>(std::ceil(high)), static_cast<int>(std::floor(low)) + 1)};
}

/// The residual at a share of the way, the smallest in what falls on one place.
std::vector<double> sampled(const std::vector<double>& residuals, std::size_t places) {
  std::vector<double> some;
  for (std::size_t p = 0; p < places && !residuals.empty(); ++p) {
    const std::size_t first = p * residuals.size() / places;
    const std::size_t last = std::max(first + 1, (p + 1) * residuals.size() / places);
    some.push_back(*std::min_element(residuals.begin() + static_cast<std::ptrdiff_t>(first),
                                     residuals.begin() + static_cast<std::ptrdiff_t>(last)));
  }
  return some;
}

std::string utf8(char32_t c) {
  return {static_cast<char>(0xe0 | (c >> 12)), static_cast<char>(0x80 | ((c >> 6) & 0x3f)),
          static_cast<char>(0x80 | (c & 0x3f))};
}

std::string power_text(int power) {
  return "1e" + std::string(power < 0 ? "-" : "+") + (std::abs(power) < 10 ? "0" : "") +
         std::to_string(std::abs(power));
}

}  // namespace

std::string convergence_svg(const convergence& curve) {
  constexpr double width = 800, height = 420, left = 86, right = 690, top = 78, bottom = 360;
  svg picture(width, height);
  picture.words({24, 30}, curve.title, {.size = 18, .bold = true});
  picture.words({24, 51}, curve.subtitle, {.size = 13, .color = palette::grey});
  const decades range = decades_of(curve.residuals, curve.goal);
  const auto y_of = [&](double power) {
    return bottom - (power - range.first) / (range.last - range.first) * (bottom - top);
  };
  const auto count = static_cast<double>(std::max<std::size_t>(1, curve.residuals.size()));
  const int every = std::max(1, (range.last - range.first + 11) / 12);
  for (int power = range.first; power <= range.last; power += every) {
    picture.line({left, y_of(power)}, {right, y_of(power)}, {palette::light_grey, 1, {}});
    picture.words({left - 8, y_of(power) + 4}, power_text(power), {.anchor = svg_anchor::end});
  }
  for (int mark = 0; mark <= 4; ++mark) {
    const double x = left + (right - left) * mark / 4;
    picture.line({x, bottom}, {x, bottom + 5}, {});
    picture.words({x, bottom + 20}, grouped(std::llround(count * mark / 4)), {.anchor = svg_anchor::middle});
  }
  picture.line({left, bottom}, {right, bottom}, {});
  picture.line({left, top}, {left, bottom}, {});
  picture.words({(left + right) / 2, bottom + 42}, "iteration", {.anchor = svg_anchor::middle});
  picture.words({26, (top + bottom) / 2}, "relative residual", {.anchor = svg_anchor::middle, .upwards = true});
  if (curve.goal > 0) {
    picture.line({left, y_of(power_of(curve.goal))}, {right, y_of(power_of(curve.goal))}, {palette::grey, 1, "6 3"});
    picture.words({left + 6, y_of(power_of(curve.goal)) - 5}, "goal", {.size = 12, .color = palette::grey});
  }
  constexpr std::size_t most_points = 2000;
  const auto points = curve.residuals.size() > most_points ? sampled(curve.residuals, most_points) : curve.residuals;
  std::vector<place> places;
  if (curve.from_one) places.push_back({left, y_of(0)});
  for (std::size_t i = 0; i < points.size(); ++i)
    if (std::isfinite(points[i]))
      places.push_back({left + (right - left) * static_cast<double>(i + 1) / static_cast<double>(points.size()),
                        y_of(power_of(points[i]))});
  if (places.empty()) return picture.text();
  picture.path(places, {palette::blue, 2, {}});
  picture.words({places.back().x + 6, places.back().y - 6}, curve.name, {.size = 12, .color = palette::blue});
  return picture.text();
}

std::vector<std::string> convergence_text(const convergence& curve, std::size_t columns, std::size_t lines,
                                          bool unicode) {
  const decades range = decades_of(curve.residuals, curve.goal);
  // A character of Braille is two dots wide and four high.
  const std::size_t dots_across = unicode ? 2 : 1;
  const std::size_t dots_up = unicode ? 4 : 1;
  const std::size_t width = columns * dots_across;
  const std::size_t height = lines * dots_up;
  std::vector<std::vector<bool>> dots(height, std::vector<bool>(width, false));
  const auto row_of = [&](double residual) {
    const double share = (power_of(residual) - range.first) / (range.last - range.first);
    const auto up = static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * static_cast<double>(height - 1) + 0.5);
    return height - 1 - up;
  };
  const std::vector<double> places = sampled(curve.residuals, width);
  std::optional<std::size_t> last;
  if (curve.from_one) last = row_of(1);
  for (std::size_t x = 0; x < places.size(); ++x) {
    if (!std::isfinite(places[x])) continue;
    const std::size_t here = row_of(places[x]);
    const std::size_t before = last.value_or(here);
    for (std::size_t y = std::min(before, here); y <= std::max(before, here); ++y) dots[y][x] = true;
    last = here;
  }
  std::vector<std::string> text;
  for (std::size_t line = 0; line < lines; ++line) {
    const double share = lines == 1 ? 1 : 1 - static_cast<double>(line) / static_cast<double>(lines - 1);
    const int power = range.first + static_cast<int>(std::lround(share * (range.last - range.first)));
    std::string row = power_text(power) + ' ';
    for (std::size_t c = 0; c < columns; ++c) {
      if (!unicode) {
        row += dots[line][c] ? '*' : ' ';
        continue;
      }
      constexpr int bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
      char32_t braille = 0x2800;
      for (std::size_t y = 0; y < 4; ++y)
        for (std::size_t x = 0; x < 2; ++x)
          if (dots[line * 4 + y][c * 2 + x]) braille |= static_cast<char32_t>(bits[y][x]);
      row += braille == 0x2800 ? std::string(" ") : utf8(braille);
    }
    row.erase(row.find_last_not_of(' ') + 1);
    text.push_back(std::move(row));
  }
  return text;
}

std::string convergence_spark(const std::vector<double>& residuals, std::size_t columns, double goal, bool unicode) {
  const double depth = goal > 0 ? -power_of(goal) : 8;
  std::string line;
  for (const double residual : sampled(residuals, std::min(columns, residuals.size()))) {
    const double left = std::clamp(1 + power_of(residual) / depth, 0.0, 1.0);
    const auto level = static_cast<std::size_t>(left * 7 + 0.5);
    line += unicode ? utf8(static_cast<char32_t>(0x2581 + level)) : std::string(1, "_.-~=+*#"[level]);
  }
  return line;
}

}  // namespace lacis::plot

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A roofline as SVG.
#include "plot/roofline.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "plot/numbers.hpp"
#include "plot/svg.hpp"

namespace lacis::plot {
namespace {

constexpr double chart_width = 800;
constexpr double chart_height = 600;
constexpr double left = 76;
constexpr double right = 776;
constexpr double top = 96;
constexpr double bottom = 536;
constexpr double label_size = 12;

constexpr std::string_view colors[] = {palette::blue,   palette::vermillion, palette::green,
                                       palette::purple, palette::orange,     palette::sky};

/// One logarithmic axis: numbers from first to last over pixels from begin to end.
struct axis {
  double first = 1;
  double last = 2;
  double begin = 0;
  double end = 1;

  [[nodiscard]] double at(double number) const {
    return begin + std::log(number / first) / std::log(last / first) * (end - begin);
  }
  /// Round numbers, four at least where that is possible.
  [[nodiscard]] std::vector<double> marks() const {
    const std::vector<double> digits[] = {{1}, {1, 2, 5}, {1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9}};
    std::vector<double> found;
    for (const std::vector<double>& some : digits) {
      found.clear();
      for (int power = static_cast<int>(std::floor(std::log10(first))); std::pow(10, power) <= last; ++power)
        for (const double digit : some)
          if (const double mark = digit * std::pow(10, power); mark >= first && mark <= last) found.push_back(mark);
      constexpr std::size_t enough = 4;
      if (found.size() >= enough) break;
    }
    return found;
  }
};

struct box {
  double x0, y0, x1, y1;
  [[nodiscard]] bool meets(const box& other) const {
    return x0 < other.x1 && other.x0 < x1 && y0 < other.y1 && other.y0 < y1;
  }
};

struct picture_frame {
  axis x;
  axis y;
  [[nodiscard]] place at(const roofline_point& p) const { return {x.at(p.intensity), y.at(p.gflops)}; }
};

picture_frame frame_of(const roofline_chart& chart) {
  const auto by = [](auto member) {
    return [member](const roofline_point& a, const roofline_point& b) { return a.*member < b.*member; };
  };
  const auto [x_least, x_most] =
      std::minmax_element(chart.points.begin(), chart.points.end(), by(&roofline_point::intensity));
  const auto [y_least, y_most] =
      std::minmax_element(chart.points.begin(), chart.points.end(), by(&roofline_point::gflops));
  // Room for labels at the sides; the roof above the middle of the points has to be in the picture.
  const double x_room = std::max(1.4, std::pow(x_most->intensity / x_least->intensity, 0.25));
  const double x_first = x_least->intensity / x_room;
  const double x_last = x_most->intensity * x_room;
  const double roof = chart.limit_gbs * std::sqrt(x_least->intensity * x_most->intensity);
  constexpr double y_room = 1.5;
  return {{x_first, x_last, left, right},
          {std::min(y_least->gflops, roof) / y_room, std::max(y_most->gflops, roof) * y_room, bottom, top}};
}

void draw_axes(svg& picture, const picture_frame& frame) {
  constexpr svg_stroke grid{palette::light_grey, 1, {}};
  constexpr svg_stroke line{palette::black, 1, {}};
  for (const double mark : frame.y.marks()) {
    const double y = frame.y.at(mark);
    picture.line({left, y}, {right, y}, grid);
    picture.words({left - 8, y + 4}, significant(mark), {.anchor = svg_anchor::end});
  }
  for (const double mark : frame.x.marks()) {
    const double x = frame.x.at(mark);
    picture.line({x, top}, {x, bottom}, grid);
    picture.words({x, bottom + 20}, significant(mark), {.anchor = svg_anchor::middle});
  }
  picture.line({left, bottom}, {right, bottom}, line);
  picture.line({left, top}, {left, bottom}, line);
  picture.words({(left + right) / 2, bottom + 42}, "operations per byte moved", {.anchor = svg_anchor::middle});
  picture.words({26, (top + bottom) / 2}, "GFLOP/s", {.anchor = svg_anchor::middle, .upwards = true});
}

/// Labels and what they must not cover.
class label_room {
 public:
  void keep_free(const box& b) { taken_.push_back(b); }

  /// Beside a point where there is room: near it first, then farther away with a line to it.
  void put(svg& picture, place point, double radius, const std::string& text, const svg_words& style) {
    const double width = 0.58 * style.size * static_cast<double>(text.size());
    const double height = style.size;
    for (double away = 0; away <= 120; away += 7)
      for (const double side : {1.0, -1.0})
        for (const double up : {0.0, 1.0, -1.0}) {
          if (away > 0 && up == 0 && side == 0) continue;
          const double gap = radius + 4 + (up == 0 ? away : away / 2);
          const double x0 = side > 0 ? point.x + gap : point.x - gap - width;
          const double y0 = point.y - height / 2 - up * away;
          const box wanted{x0, y0, x0 + width, y0 + height};
          if (!is_free(wanted)) continue;
          const place near{side > 0 ? wanted.x0 - 2 : wanted.x1 + 2, y0 + height / 2};
          constexpr double far = 10;
          if (away > far) picture.line(point, near, {style.color, 0.7, {}});
          picture.words({x0, y0 + 0.82 * height}, text, style);
          taken_.push_back(wanted);
          return;
        }
    picture.words({point.x + radius + 4, point.y + 4}, text, style);
  }

 private:
  [[nodiscard]] bool is_free(const box& b) const {
    if (b.x0 < left + 2 || b.x1 > right || b.y0 < top || b.y1 > bottom - 2) return false;
    return std::none_of(taken_.begin(), taken_.end(), [&](const box& other) { return b.meets(other); });
  }

  std::vector<box> taken_;
};

/// The slanted line, its name above its upper end; labels keep off it.
void draw_roof(svg& picture, const roofline_chart& chart, const picture_frame& frame, label_room& room) {
  const double first = std::max(frame.x.first, frame.y.first / chart.limit_gbs);
  const double last = std::min(frame.x.last, frame.y.last / chart.limit_gbs);
  const auto on_roof = [&](double x) { return place{frame.x.at(x), frame.y.at(x * chart.limit_gbs)}; };
  const place from = on_roof(first);
  const place to = on_roof(last);
  picture.line(from, to, {palette::black, 2, {}});
  constexpr int pieces = 200;
  for (int i = 0; i <= pieces; ++i) {
    const double x = from.x + (to.x - from.x) * i / pieces;
    const double y = from.y + (to.y - from.y) * i / pieces;
    room.keep_free({x - 2, y - 3, x + 2, y + 3});
  }
  const double width = 0.58 * label_size * static_cast<double>(chart.limit_name.size());
  // Left of the line it is free, as nothing is faster than the roof unless a cache holds it.
  const place at{std::max(left + 6 + width, to.x - 12), std::max(top + 14, to.y + 16)};
  picture.words(at, chart.limit_name, {.size = label_size, .anchor = svg_anchor::end});
  room.keep_free({at.x - width, at.y - label_size, at.x, at.y + 3});
}

}  // namespace

std::string drawn(const roofline_chart& chart) {
  svg picture(chart_width, chart_height);
  picture.words({24, 30}, chart.title, {.size = 18, .bold = true});
  picture.words({24, 51}, chart.subtitle, {.color = palette::grey});
  if (chart.points.empty()) return picture.text();
  const picture_frame frame = frame_of(chart);
  draw_axes(picture, frame);

  std::vector<std::string> names;
  std::vector<std::string> groups;
  for (const roofline_point& p : chart.points) {
    if (std::find(names.begin(), names.end(), p.name) == names.end()) names.push_back(p.name);
    if (std::find(groups.begin(), groups.end(), p.group) == groups.end()) groups.push_back(p.group);
  }
  const auto number_of = [&](const std::string& name) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  const auto color_of = [&](const std::string& name) { return colors[number_of(name) % std::size(colors)]; };
  const auto radius_of = [&](const std::string& name) { return number_of(name) == 0 ? 5.5 : 3.5; };
  double legend = left;
  for (const std::string& name : names) {
    picture.dot({legend + 6, 74}, radius_of(name), color_of(name));
    picture.words({legend + 16, 78}, name, {});
    legend += 40 + 7.0 * static_cast<double>(name.size());
  }

  label_room room;
  draw_roof(picture, chart, frame, room);
  for (const std::string& group : groups) {
    std::vector<place> joined;
    for (const roofline_point& p : chart.points)
      if (p.group == group) joined.push_back(frame.at(p));
    std::sort(joined.begin(), joined.end(), [](const place& a, const place& b) { return a.y < b.y; });
    picture.path(joined, {palette::grey, 0.8, "3 3"});
  }
  for (const roofline_point& p : chart.points) {
    const place at = frame.at(p);
    const double radius = radius_of(p.name);
    picture.dot(at, radius, color_of(p.name));
    room.keep_free({at.x - radius - 1, at.y - radius - 1, at.x + radius + 1, at.y + radius + 1});
  }
  // The names of groups first: they are the longest and matter most.
  for (const bool main : {true, false})
    for (const roofline_point& p : chart.points)
      if ((number_of(p.name) == 0) == main)
        room.put(picture, frame.at(p), radius_of(p.name), main ? p.group : p.name,
                 {.size = main ? label_size : label_size - 1, .color = main ? palette::black : palette::grey});
  return picture.text();
}

}  // namespace lacis::plot

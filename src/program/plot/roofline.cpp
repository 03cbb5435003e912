// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A roofline as SVG.
#include "plot/roofline.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

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
    const std::vector<double> digits[] = {
        {1}, {1, 2, 5}, {1, 1.5, 2, 3, 4, 5, 7}, {1, 1.2, 1.4, 1.6, 1.8, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9}};
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

double width_of(const std::string& text, double size) { return 0.62 * size * static_cast<double>(text.size()); }

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

/// Labels, what they must not cover, and what they had better not.
class label_room {
 public:
  void keep_free(const box& b) { taken_.push_back(b); }
  void keep_free(place from, place to) { keep_free(from, to, taken_); }
  void avoid(place from, place to) { keep_free(from, to, avoided_); }

  /// Beside a point where there is room: near it first, then farther away with a line to it.
  void put(svg& picture, place point, double radius, const std::string& text, const svg_words& style) {
    for (const auto& [may_cross, farthest] : {std::pair{false, 40.0}, std::pair{true, 160.0}})
      for (double away = 0; away <= farthest; away += 7)
        for (const double side : {1.0, -1.0})
          for (const double up : {0.0, 1.0, -1.0})
            if (try_at(picture, point, radius, text, style, {side, up, away}, may_cross)) return;
    picture.words({point.x + radius + 4, point.y + 4}, text, style);
  }

 private:
  struct offset {
    double side;  ///< 1: right of the point, -1: left
    double up;    ///< 1: above, 0: beside, -1: below
    double away;
  };

  bool try_at(svg& picture, place point, double radius, const std::string& text, const svg_words& style,
              const offset& where, bool may_cross) {
    const double width = width_of(text, style.size);
    const double gap = radius + 4 + (where.up == 0 ? where.away : where.away / 2);
    const double x = where.side > 0 ? point.x + gap : point.x - gap - width;
    const double y = point.y - style.size / 2 - where.up * where.away;
    const box wanted{x, y, x + width, y + style.size};
    if (!is_free(wanted, taken_) || (!may_cross && !is_free(wanted, avoided_))) return false;
    constexpr double far = 10;
    const place end{where.side > 0 ? wanted.x0 - 2 : wanted.x1 + 2, y + style.size / 2};
    if (where.away > far) picture.line(point, end, {style.color, 0.7, {}});
    picture.words({x, y + 0.82 * style.size}, text, style);
    taken_.push_back(wanted);
    return true;
  }

  /// Small boxes along a line.
  static void keep_free(place from, place to, std::vector<box>& into) {
    const int pieces = 1 + static_cast<int>(std::hypot(to.x - from.x, to.y - from.y) / 4);
    for (int i = 0; i <= pieces; ++i) {
      const double x = from.x + (to.x - from.x) * i / pieces;
      const double y = from.y + (to.y - from.y) * i / pieces;
      into.push_back({x - 2, y - 2, x + 2, y + 2});
    }
  }

  static bool is_free(const box& b, const std::vector<box>& taken) {
    if (b.x0 < left + 2 || b.x1 > right || b.y0 < top || b.y1 > bottom - 2) return false;
    return std::none_of(taken.begin(), taken.end(), [&](const box& other) { return b.meets(other); });
  }

  std::vector<box> taken_;
  std::vector<box> avoided_;
};

/// The slanted line, its name above its upper end; labels keep off both.
void draw_roof(svg& picture, const roofline_chart& chart, const picture_frame& frame, label_room& room) {
  const double first = std::max(frame.x.first, frame.y.first / chart.limit_gbs);
  const double last = std::min(frame.x.last, frame.y.last / chart.limit_gbs);
  const auto on_roof = [&](double x) { return place{frame.x.at(x), frame.y.at(x * chart.limit_gbs)}; };
  const place from = on_roof(first);
  const place to = on_roof(last);
  picture.line(from, to, {palette::black, 2, {}});
  room.keep_free(from, to);
  const double width = width_of(chart.limit_name, label_size);
  const double slope = (to.y - from.y) / (to.x - from.x);
  // Where the line leaves through the top, the name stands farther down on it.
  constexpr double name_height = 20;
  const double x = std::max(left + 6 + width, to.x + std::min(0.0, (top + name_height - to.y) / slope));
  const place at{x - 4, to.y + slope * (x - to.x) - 7};
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
  const auto mark = [&](place at, const roofline_point& p) {
    if (p.hollow)
      picture.ring(at, radius_of(p.name), color_of(p.name));
    else
      picture.dot(at, radius_of(p.name), color_of(p.name));
  };
  double legend = left;
  bool rings = false;
  for (const std::string& name : names) {
    const auto first =
        std::find_if(chart.points.begin(), chart.points.end(), [&](const roofline_point& p) { return p.name == name; });
    rings = rings || first->hollow;
    mark({legend + 6, 74}, *first);
    picture.words({legend + 16, 78}, name, {});
    legend += 40 + 7.0 * static_cast<double>(name.size());
  }
  if (rings) picture.words({legend, 78}, chart.hollow_name, {.color = palette::grey});

  label_room room;
  draw_roof(picture, chart, frame, room);
  for (const std::string& group : groups) {
    std::vector<place> joined;
    for (const roofline_point& p : chart.points)
      if (p.group == group) joined.push_back(frame.at(p));
    std::sort(joined.begin(), joined.end(), [](const place& a, const place& b) { return a.y < b.y; });
    picture.path(joined, {palette::grey, 0.8, "3 3"});
    for (std::size_t i = 1; i < joined.size(); ++i) room.avoid(joined[i - 1], joined[i]);
  }
  for (const roofline_point& p : chart.points) {
    const place at = frame.at(p);
    const double radius = radius_of(p.name);
    mark(at, p);
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

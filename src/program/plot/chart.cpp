// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Charts as SVG.
#include "plot/chart.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "plot/numbers.hpp"

namespace lacis::plot {
namespace {

constexpr double chart_width = 800;
constexpr double title_height = 64;
constexpr svg_stroke axis_stroke{palette::black, 1, {}};
constexpr svg_stroke grid_stroke{palette::light_grey, 1, {}};

/// A distance between the marks of a linear axis, 1, 2 or 5 times a power of ten, such that there are at most `marks`.
double step_for(double most, int marks) {
  const double least = most / marks;
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= least) return factor * power;
  return 10 * power;
}

void draw_title(svg& picture, const std::string& title, const std::string& subtitle) {
  picture.words({24, 30}, title, {.size = 18, .bold = true});
  picture.words({24, 51}, subtitle, {.size = 13, .color = palette::grey});
}

/// Where lines and marks of a panel go.
struct panel_frame {
  double left = 76;
  double right = 640;
  double top = 0;
  double bottom = 0;
  double x_first = 1;
  double x_last = 2;
  double y_first = 0;  ///< 0: linear
  double y_last = 1;

  [[nodiscard]] place at(place p) const {
    const double across = std::log2(p.x / x_first) / std::log2(x_last / x_first);
    const double up = y_first > 0 ? std::log2(p.y / y_first) / std::log2(y_last / y_first) : p.y / y_last;
    return {left + across * (right - left), bottom - up * (bottom - top)};
  }
};

/// The smallest and the largest number, {1, 2} when those are no range.
struct range {
  double least = std::numeric_limits<double>::max();
  double most = 0;

  void take(double number) {
    least = std::min(least, number);
    most = std::max(most, number);
  }
  [[nodiscard]] range or_some() const { return least < most ? *this : range{1, 2}; }
};

panel_frame frame_of(const chart_panel& panel, double top, double bottom) {
  range xs;
  range ys;
  for (const chart_line& line : panel.lines)
    for (const place& p : line.points) {
      xs.take(p.x);
      ys.take(p.y);
    }
  xs = xs.or_some();
  panel_frame frame{.top = top, .bottom = bottom, .x_first = xs.least, .x_last = xs.most};
  if (panel.y_doubles && ys.least > 0) {
    ys = ys.or_some();
    frame.y_first = std::exp2(std::floor(std::log2(ys.least)));
    frame.y_last = std::exp2(std::ceil(std::log2(ys.most)));
  } else {
    frame.y_last = ys.most > 0 ? 1.05 * ys.most : 1;
  }
  return frame;
}

std::vector<double> y_marks(const panel_frame& frame) {
  std::vector<double> marks;
  if (frame.y_first > 0) {
    for (double y = frame.y_first; y <= frame.y_last; y *= 2) marks.push_back(y);
  } else {
    const double step = step_for(frame.y_last, 7);
    for (int i = 0; i * step <= frame.y_last; ++i) marks.push_back(i * step);
  }
  return marks;
}

void draw_axes(svg& picture, const chart_panel& panel, const panel_frame& frame) {
  for (const double mark : y_marks(frame)) {
    const double y = frame.at({frame.x_first, mark}).y;
    picture.line({frame.left, y}, {frame.right, y}, grid_stroke);
    picture.words({frame.left - 8, y + 4}, significant(mark), {.anchor = svg_anchor::end});
  }
  for (double x = frame.x_first; x <= frame.x_last; x *= 2) {
    const double at = frame.at({x, 0}).x;
    picture.line({at, frame.bottom}, {at, frame.bottom + 5}, axis_stroke);
    picture.words({at, frame.bottom + 20}, grouped(std::llround(x)), {.anchor = svg_anchor::middle});
  }
  picture.line({frame.left, frame.bottom}, {frame.right, frame.bottom}, axis_stroke);
  picture.line({frame.left, frame.top}, {frame.left, frame.bottom}, axis_stroke);
  picture.words({(frame.left + frame.right) / 2, frame.bottom + 40}, panel.x_label, {.anchor = svg_anchor::middle});
  picture.words({26, (frame.top + frame.bottom) / 2}, panel.y_label, {.anchor = svg_anchor::middle, .upwards = true});
}

/// Names beside the ends of their lines, moved apart where they would stand on each other.
void draw_names(svg& picture, const chart_panel& panel, const panel_frame& frame) {
  constexpr double name_height = 15;
  std::vector<const chart_line*> named;
  for (const chart_line& line : panel.lines)
    if (!line.points.empty()) named.push_back(&line);
  const auto end_of = [&](const chart_line* line) { return frame.at(line->points.back()); };
  std::stable_sort(named.begin(), named.end(),
                   [&](const chart_line* a, const chart_line* b) { return end_of(a).y < end_of(b).y; });
  std::vector<double> heights;
  for (const chart_line* line : named) {
    const double wanted = end_of(line).y;
    heights.push_back(heights.empty() ? wanted : std::max(wanted, heights.back() + name_height));
  }
  // Those that ended below the panel push the others up.
  for (std::size_t i = heights.size(); i-- > 0;)
    heights[i] = std::min(heights[i], i + 1 == heights.size() ? frame.bottom : heights[i + 1] - name_height);
  for (std::size_t i = 0; i < named.size(); ++i) {
    const place end = end_of(named[i]);
    svg_stroke thin = named[i]->stroke;
    thin.width = 1;
    thin.dashes = {};
    picture.line({end.x + 3, end.y}, {frame.right + 18, heights[i]}, thin);
    picture.line({frame.right + 18, heights[i]}, {frame.right + 44, heights[i]}, named[i]->stroke);
    picture.words({frame.right + 49, heights[i] + 4}, named[i]->name, {.size = 12});
  }
}

void draw_panel(svg& picture, const chart_panel& panel, double top, double bottom) {
  const panel_frame frame = frame_of(panel, top, bottom);
  draw_axes(picture, panel, frame);
  // Wide lines first, so that narrow ones on the same way show.
  std::vector<const chart_line*> order;
  for (const chart_line& line : panel.lines) order.push_back(&line);
  std::stable_sort(order.begin(), order.end(),
                   [](const chart_line* a, const chart_line* b) { return a->stroke.width > b->stroke.width; });
  for (const chart_line* line : order) {
    std::vector<place> places;
    for (const place& p : line->points) places.push_back(frame.at(p));
    picture.path(places, line->stroke);
    for (const place& p : places) picture.dot(p, 2.5, line->stroke.color);
  }
  draw_names(picture, panel, frame);
}

}  // namespace

std::string line_chart(const std::string& title, const std::string& subtitle, const std::vector<chart_panel>& panels) {
  constexpr double panel_height = 330;
  constexpr double below_panel = 62;
  svg picture(chart_width, title_height + static_cast<double>(panels.size()) * (panel_height + below_panel));
  draw_title(picture, title, subtitle);
  double top = title_height + 10;
  for (const chart_panel& panel : panels) {
    draw_panel(picture, panel, top, top + panel_height - 10);
    top += panel_height + below_panel;
  }
  return picture.text();
}

std::string drawn(const bar_chart& chart) {
  constexpr double row_height = 34;
  constexpr double bar_height = 12;
  constexpr double left = 180;
  constexpr double right = 660;
  constexpr std::string_view upper_color = palette::orange;
  constexpr std::string_view lower_color = palette::blue;
  const double top = title_height + 34;
  const double bottom = top + static_cast<double>(chart.rows.size()) * row_height;
  svg picture(chart_width, bottom + 56);
  draw_title(picture, chart.title, chart.subtitle);

  double legend = left;
  const auto name_color = [&](const std::string& name, std::string_view color) {
    picture.rectangle({legend, title_height + 4}, 14, bar_height, color);
    picture.words({legend + 19, title_height + 15}, name, {});
    legend += 40 + 7.0 * static_cast<double>(name.size());
  };
  name_color(chart.upper_name, upper_color);
  name_color(chart.lower_name, lower_color);
  picture.line({legend + 7, title_height + 2}, {legend + 7, title_height + 18}, {palette::black, 2.5, {}});
  picture.words({legend + 19, title_height + 15}, chart.mark_name, {});
  picture.words({chart_width - 24, title_height + 15}, chart.note_name, {.anchor = svg_anchor::end});

  double most = std::accumulate(chart.rows.begin(), chart.rows.end(), 0.0, [](double so_far, const bar_row& row) {
    return std::max({so_far, row.upper, row.lower, row.mark});
  });
  if (most <= 0) most = 1;
  const auto across = [&](double value) { return value / most * (right - left); };
  const double step = step_for(most, 8);
  for (int i = 0; i * step <= most; ++i) {
    const double x = left + across(i * step);
    picture.line({x, top}, {x, bottom}, grid_stroke);
    picture.words({x, bottom + 18}, significant(i * step), {.anchor = svg_anchor::middle});
  }
  double y = top + 4;
  for (const bar_row& row : chart.rows) {
    picture.words({left - 8, y + bar_height + 4}, row.name, {.anchor = svg_anchor::end});
    picture.rectangle({left, y}, across(row.upper), bar_height, upper_color);
    picture.rectangle({left, y + bar_height}, across(row.lower), bar_height, lower_color);
    const double mark = left + across(row.mark);
    picture.line({mark, y - 2}, {mark, y + 2 * bar_height + 2}, {palette::black, 2.5, {}});
    picture.words({chart_width - 24, y + bar_height + 4}, row.note, {.anchor = svg_anchor::end});
    y += row_height;
  }
  picture.line({left, top}, {left, bottom}, axis_stroke);
  picture.words({(left + right) / 2, bottom + 40}, chart.x_label, {.anchor = svg_anchor::middle});
  return picture.text();
}

}  // namespace lacis::plot

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Groups of bars as SVG.
#include "plot/grouped_bars.hpp"

#include <algorithm>
#include <cmath>

#include "plot/numbers.hpp"
#include "plot/svg.hpp"

namespace lacis::plot {
namespace {

constexpr double width = 800;
constexpr double left = 210;
constexpr double right = 740;
constexpr double bar_height = 11;
constexpr double between_bars = 1;
constexpr double between_groups = 14;
constexpr double legend_row = 20;
constexpr double legend_top = 64;

double letters(std::string_view text) { return 7.0 * static_cast<double>(text.size()); }

/// The names of the series in their colours, as many a row as there is room for; returns where it ends.
double draw_legend(svg& picture, const std::vector<bar_series>& series) {
  double x = 24;
  double y = legend_top;
  for (const bar_series& one : series) {
    const double room = 40 + letters(one.name);
    if (x + room > width - 24) {
      x = 24;
      y += legend_row;
    }
    picture.rectangle({x, y}, 14, 12, one.color);
    picture.words({x + 19, y + 11}, one.name, {});
    x += room;
  }
  return y + legend_row;
}

double bars_of(const bar_group& group) {
  const auto present =
      std::count_if(group.values.begin(), group.values.end(), [](const auto& v) { return v.has_value(); });
  return std::max(2.0, static_cast<double>(present));  // the name and the note need two rows
}

double height_of(const bar_group& group) { return bars_of(group) * (bar_height + between_bars) + between_groups; }

/// 1, 2, 5, 10, 20, ... up to `most`.
std::vector<double> marks_to(double most) {
  std::vector<double> marks;
  for (double power = 1; power <= most; power *= 10)
    for (const double factor : {1.0, 2.0, 5.0})
      if (factor * power <= most) marks.push_back(factor * power);
  return marks;
}

}  // namespace

std::string drawn(const grouped_bar_chart& chart) {
  double most = 2;
  double height = 0;
  for (const bar_group& group : chart.groups) {
    height += height_of(group);
    for (const auto& value : group.values) most = std::max(most, value.value_or(1));
  }
  svg unseen(1, 1);
  const double top = draw_legend(unseen, chart.series) + 14;
  const double bottom = top + height;
  svg picture(width, bottom + 56);
  picture.words({24, 30}, chart.title, {.size = 18, .bold = true});
  picture.words({24, 51}, chart.subtitle, {.size = 13, .color = palette::grey});
  draw_legend(picture, chart.series);

  const auto across = [&](double value) { return std::log(std::max(value, 1.0)) / std::log(most) * (right - left); };
  for (const double mark : marks_to(most)) {
    const double x = left + across(mark);
    picture.line({x, top}, {x, bottom}, {palette::light_grey, 1, {}});
    picture.words({x, bottom + 18}, significant(mark), {.anchor = svg_anchor::middle});
  }
  double group_top = top;
  for (const bar_group& group : chart.groups) {
    const double middle = group_top + bars_of(group) * (bar_height + between_bars) / 2;
    picture.words({left - 8, middle}, group.name, {.anchor = svg_anchor::end});
    picture.words({left - 8, middle + 14}, group.note, {.size = 11, .anchor = svg_anchor::end, .color = palette::grey});
    double y = group_top;
    for (std::size_t i = 0; i < group.values.size(); ++i) {
      if (!group.values[i]) continue;
      constexpr double sliver = 2;  // the slowest has a bar, too
      const double length = std::max(sliver, across(*group.values[i]));
      picture.rectangle({left, y}, length, bar_height, chart.series[i].color);
      picture.words({left + length + 4, y + bar_height - 1}, significant(*group.values[i]), {.size = 10});
      y += bar_height + between_bars;
    }
    group_top += height_of(group);
  }
  picture.line({left, top}, {left, bottom}, {palette::black, 1, {}});
  picture.words({(left + right) / 2, bottom + 40}, chart.x_label, {.anchor = svg_anchor::middle});
  return picture.text();
}

}  // namespace lacis::plot

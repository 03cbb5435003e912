// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Charts as SVG: lines over a logarithmic axis in panels, and pairs of bars.
#pragma once

#include <string>
#include <vector>

#include "plot/svg.hpp"

namespace lacis::plot {

struct chart_line {
  std::string name;
  svg_stroke stroke;
  std::vector<place> points;  ///< x above 0, ascending
};

/// Lines over an axis that doubles from mark to mark; their names stand at their right ends.
struct chart_panel {
  std::string x_label;
  std::string y_label;
  bool y_doubles = false;  ///< the other axis doubles too, instead of beginning at 0
  std::vector<chart_line> lines;
};

/// The panels below each other, 800 pixels wide.
[[nodiscard]] std::string line_chart(const std::string& title, const std::string& subtitle,
                                     const std::vector<chart_panel>& panels);

struct bar_row {
  std::string name;
  double upper = 0;
  double lower = 0;
  double mark = 0;   ///< a line across the bars, such as the least possible
  std::string note;  ///< beside the bars
};

struct bar_chart {
  std::string title;
  std::string subtitle;
  std::string x_label;
  std::string upper_name;
  std::string lower_name;
  std::string mark_name;
  std::string note_name;
  std::vector<bar_row> rows;
};

/// Two bars per row, from 0, 800 pixels wide.
[[nodiscard]] std::string drawn(const bar_chart& chart);

}  // namespace lacis::plot

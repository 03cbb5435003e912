// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A roofline as SVG: speed over operations per byte, below what the memory allows.
#pragma once

#include <string>
#include <vector>

namespace lacis::plot {

struct roofline_point {
  std::string group;     ///< what was computed: points of one group are joined
  std::string name;      ///< who computed it: the points of one name have one colour
  double intensity = 1;  ///< operations per byte, above 0
  double gflops = 1;     ///< above 0
  bool hollow = false;   ///< drawn as a ring: its bytes are not those that moved
};

struct roofline_chart {
  std::string title;
  std::string subtitle;
  double limit_gbs = 1;     ///< the slope of the roof, above 0
  std::string limit_name;   ///< stands at the roof
  std::string hollow_name;  ///< what rings are, at the end of the legend
  /// The first name is the main one: its points are larger and carry the name of their group, the others their own.
  std::vector<roofline_point> points;
};

/// Both axes logarithmic, 800 pixels wide; labels are moved until none lies on another label or point.
[[nodiscard]] std::string drawn(const roofline_chart& chart);

}  // namespace lacis::plot

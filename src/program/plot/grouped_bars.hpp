// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Contestants side by side for one case after the other, as SVG.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lacis::plot {

struct bar_series {
  std::string name;
  std::string_view color;
};

struct bar_group {
  std::string name;
  std::string note;                           ///< smaller, below the name
  std::vector<std::optional<double>> values;  ///< one a series; nothing where one is missing
};

/// Values from 1 on, over a logarithmic axis that begins at 1.
struct grouped_bar_chart {
  std::string title;
  std::string subtitle;
  std::string x_label;
  std::vector<bar_series> series;
  std::vector<bar_group> groups;
};

/// The groups below each other, 800 pixels wide, the number of each bar at its end.
[[nodiscard]] std::string drawn(const grouped_bar_chart& chart);

}  // namespace lacis::plot

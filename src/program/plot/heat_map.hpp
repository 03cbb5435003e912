// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A raster as SVG: darker where more is.
#pragma once

#include <string>

#include "plot/shades.hpp"

namespace lacis::plot {

struct heat_map {
  std::string title;
  std::string subtitle;
  std::string x_label;
  std::string y_label;
  std::string unit;    ///< of what one place holds: "KiB from one rank to another"
  double factor = 1;   ///< from the counts of the raster to that unit
  spy_raster picture;  ///< square
};

/// The cells that a map draws either way; what is larger is to be counted so coarsely.
inline constexpr std::int64_t heat_map_cells = 128;

/// 800 pixels wide, with a scale of shades.
[[nodiscard]] std::string drawn(const heat_map& map);

}  // namespace lacis::plot

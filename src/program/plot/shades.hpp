// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// How dark the cells of a raster are drawn.
#pragma once

#include <vector>

#include <lacis/spy.hpp>

namespace lacis::plot {

/// How densities become shades: logarithmic from densest / range, which is still well seen, up to densest.
struct tone {
  double densest = 1;
  double range = 10;

  /// 0 for an empty cell, 1 for the densest.
  [[nodiscard]] double shade(double density) const;
};

/// The range from the sparsest cell with an entry to the densest, but at least ten and at most a thousand: noise is not
/// drawn as contrast, and a thousandth of the darkest is seen.
[[nodiscard]] tone tone_of(const spy_raster& picture);

/// The shade of every cell, row by row.
[[nodiscard]] std::vector<float> shades(const spy_raster& picture);

}  // namespace lacis::plot

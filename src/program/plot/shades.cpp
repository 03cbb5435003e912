// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Densities as shades.
#include "plot/shades.hpp"

#include <algorithm>
#include <cmath>

namespace lacis::plot {

double tone::shade(double density) const {
  return density > 0 ? std::log1p(range * density / densest) / std::log1p(range) : 0;
}

tone tone_of(const spy_raster& picture) {
  const double densest = picture.densest();
  if (densest <= 0) return {densest, 10};
  double sparsest = densest;
  for (std::int64_t y = 0; y < picture.height; ++y)
    for (std::int64_t x = 0; x < picture.width; ++x)
      if (picture.count(x, y) > 0) sparsest = std::min(sparsest, picture.density(x, y));
  return {densest, std::clamp(densest / sparsest, 10.0, 1000.0)};
}

std::vector<float> shades(const spy_raster& picture) {
  const tone scale = tone_of(picture);
  std::vector<float> all(picture.counts.size());
  for (std::int64_t y = 0; y < picture.height; ++y)
    for (std::int64_t x = 0; x < picture.width; ++x)
      all[static_cast<std::size_t>(y * picture.width + x)] = static_cast<float>(scale.shade(picture.density(x, y)));
  return all;
}

}  // namespace lacis::plot

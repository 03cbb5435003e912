// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The spy plot as a picture: frame, axes, a scale of shades.
#pragma once

#include <cstdint>
#include <string_view>

#include "plot/canvas.hpp"
#include "plot/shades.hpp"

namespace lacis::plot {

/// The pixels of the plotting area for a rows x cols matrix whose longer side takes `size` pixels; the shorter side
/// gets at least a twentieth of that, so extreme shapes are drawn out of proportion.
struct picture_size {
  std::int64_t width = 0;
  std::int64_t height = 0;
};
[[nodiscard]] picture_size spy_picture_size(std::int64_t rows, std::int64_t cols, std::int64_t size);

/// Draws the raster (counted for `area`, or smaller: then it is stretched) with the title above it.
[[nodiscard]] canvas spy_picture(const spy_raster& counted, picture_size area, std::string_view title);

/// The colour of a shade from 0 (paper) to 1.
[[nodiscard]] color ink(double shade);

/// The distance between ticks on an axis of `size` > 0: 1, 2 or 5 times a power of ten that gives at most `most` ticks.
[[nodiscard]] std::int64_t tick_step(std::int64_t size, std::int64_t most);

}  // namespace lacis::plot

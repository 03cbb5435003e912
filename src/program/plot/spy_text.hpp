// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The spy plot for a terminal: braille dots, or ASCII where the terminal has no better.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plot/shades.hpp"

namespace lacis::plot {

/// What the terminal can show.
struct text_style {
  bool unicode = true;
  bool color = false;  ///< 256-colour escapes
};

/// The size of a plot in characters.
struct text_size {
  std::int64_t columns = 0;
  std::int64_t lines = 0;
};

/// The largest plot of a rows x cols matrix in its own proportions, characters being twice as high as wide. At least
/// one character either way, so extreme shapes are drawn out of proportion.
[[nodiscard]] text_size spy_text_size(std::int64_t rows, std::int64_t cols, text_size limit);
/// The grid that spy_text needs for a plot of that size: 2 x 4 dots per character, 1 x 1 in ASCII.
[[nodiscard]] text_size spy_text_cells(text_size size, bool unicode);

/// The plot, one string a line, each `size.columns` characters wide. Dots are dithered by shade; a character that
/// covers an entry always shows at least one dot. Colour, if any, follows the mean shade of a character's dots.
[[nodiscard]] std::vector<std::string> spy_text(const spy_raster& picture, text_size size, text_style style);

}  // namespace lacis::plot

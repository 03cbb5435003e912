// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Bars in eighths of a character.
#include "plot/bars.hpp"

#include <algorithm>
#include <cmath>

namespace lacis::plot {
namespace {

constexpr const char* eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};

struct measured {
  std::string text;
  int columns = 0;
};

measured measure(double share, int columns, bool unicode) {
  const int steps = unicode ? 8 : 1;
  const double clamped = std::clamp(share, 0.0, 1.0);
  int filled = static_cast<int>(std::lround(clamped * columns * steps));
  if (clamped > 0 && columns > 0) filled = std::max(filled, 1);
  measured result;
  for (result.columns = 0; filled > 0; ++result.columns, filled -= steps)
    result.text += unicode ? eighths[std::min(filled, 8)] : "#";
  return result;
}

}  // namespace

std::string bar(double share, int columns, bool unicode) { return measure(share, columns, unicode).text; }

std::string padded_bar(double share, int columns, bool unicode) {
  const measured drawn = measure(share, columns, unicode);
  return drawn.text + std::string(static_cast<std::size_t>(columns - drawn.columns), ' ');
}

}  // namespace lacis::plot

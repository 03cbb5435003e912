// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// How a residual falls: on a terminal, and as SVG.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace lacis::plot {

/// The residuals of one method, one an iteration, none of them negative.
struct convergence {
  std::string title;
  std::string subtitle;
  std::string name;  ///< of the method, at the end of the line
  std::vector<double> residuals;
  double goal = 0;       ///< a line across; 0: none
  bool from_one = true;  ///< the residual is 1 before the first iteration
};

/// A chart of 800 x 420 pixels: iterations across, powers of ten up.
[[nodiscard]] std::string convergence_svg(const convergence& curve);

/// Lines of text, powers of ten at their left; `unicode` draws dots of Braille, otherwise asterisks.
[[nodiscard]] std::vector<std::string> convergence_text(const convergence& curve, std::size_t columns,
                                                        std::size_t lines, bool unicode);

/// The course of the residuals in so many characters, from full to empty: for a line that is drawn again and again.
[[nodiscard]] std::string convergence_spark(const std::vector<double>& residuals, std::size_t columns, double goal,
                                            bool unicode);

}  // namespace lacis::plot

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A vector picture as SVG text: lines, rectangles and words on white, or on black for who prefers that.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace lacis::plot {

struct place {
  double x = 0;
  double y = 0;
};

/// Colours that people with any colour vision tell apart (Okabe and Ito).
namespace palette {
inline constexpr std::string_view black = "#000000";
inline constexpr std::string_view blue = "#0072b2";
inline constexpr std::string_view vermillion = "#d55e00";
inline constexpr std::string_view green = "#009e73";
inline constexpr std::string_view purple = "#cc79a7";
inline constexpr std::string_view sky = "#56b4e9";
inline constexpr std::string_view orange = "#e69f00";
inline constexpr std::string_view grey = "#666666";
inline constexpr std::string_view light_grey = "#dddddd";
}  // namespace palette

struct svg_stroke {
  std::string_view color = palette::black;
  double width = 1;
  std::string_view dashes;  ///< "6 3": drawn and left out in turn; empty: a whole line
};

enum class svg_anchor { start, middle, end };

struct svg_words {
  double size = 13;
  svg_anchor anchor = svg_anchor::start;
  std::string_view color = palette::black;
  bool bold = false;
  bool upwards = false;  ///< turned by a quarter, to be read from below
};

/// Coordinates are pixels from the upper left corner.
class svg {
 public:
  svg(double width, double height);
  void line(place from, place to, const svg_stroke& stroke);
  void path(std::span<const place> places, const svg_stroke& stroke);
  void rectangle(place corner, double width, double height, std::string_view color);
  void dot(place center, double radius, std::string_view color);
  void ring(place center, double radius, std::string_view color);
  /// Words whose base line begins, is centred or ends at a place.
  void words(place at, std::string_view text, const svg_words& style);
  /// The whole file.
  [[nodiscard]] std::string text() const { return body_ + "</svg>\n"; }

 private:
  std::string body_;
};

}  // namespace lacis::plot

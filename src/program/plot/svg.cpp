// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A vector picture as SVG text.
#include "plot/svg.hpp"

#include <charconv>

namespace lacis::plot {
namespace {

/// A coordinate in tenths of a pixel, the same in every locale.
std::string tenths(double number) {
  char digits[64];
  std::string text(digits, std::to_chars(digits, digits + sizeof digits, number, std::chars_format::fixed, 1).ptr);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

std::string attribute(std::string_view name, std::string_view value) {
  return ' ' + std::string(name) + "=\"" + std::string(value) + '"';
}
std::string attribute(std::string_view name, double value) { return attribute(name, tenths(value)); }

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        // XML has no place for other control characters, and a file's name may hold one.
        result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
  }
  return result;
}

std::string drawn_with(const svg_stroke& stroke) {
  std::string text = attribute("stroke", stroke.color) + attribute("stroke-width", stroke.width);
  if (!stroke.dashes.empty()) text += attribute("stroke-dasharray", stroke.dashes);
  return text;
}

/// Where the reader prefers dark pages: the ground, the words and the darker colours change sides. Style sheets win
/// over the attributes of elements, so the elements know nothing of it.
constexpr std::string_view in_the_dark = R"(<style>@media (prefers-color-scheme: dark) {
[fill="#ffffff"] { fill: #16191d } [fill="#000000"] { fill: #e8e8e8 } [stroke="#000000"] { stroke: #e8e8e8 }
[fill="#666666"] { fill: #a8a8a8 } [stroke="#666666"] { stroke: #a8a8a8 } [stroke="#dddddd"] { stroke: #3a3f45 }
[fill="#0072b2"] { fill: #3d9fdd } [stroke="#0072b2"] { stroke: #3d9fdd }
}</style>
)";

}  // namespace

svg::svg(double width, double height) {
  body_ = "<svg xmlns=\"http://www.w3.org/2000/svg\"" + attribute("width", width) + attribute("height", height) +
          attribute("viewBox", "0 0 " + tenths(width) + ' ' + tenths(height)) +
          " font-family=\"Helvetica, Arial, DejaVu Sans, sans-serif\">\n";
  body_ += in_the_dark;
  rectangle({0, 0}, width, height, "#ffffff");
}

void svg::line(place from, place to, const svg_stroke& stroke) {
  body_ += "<line" + attribute("x1", from.x) + attribute("y1", from.y) + attribute("x2", to.x) + attribute("y2", to.y) +
           drawn_with(stroke) + "/>\n";
}

void svg::path(std::span<const place> places, const svg_stroke& stroke) {
  std::string all;
  for (const place& p : places) all += (all.empty() ? "" : " ") + tenths(p.x) + ',' + tenths(p.y);
  body_ += "<polyline fill=\"none\" stroke-linejoin=\"round\"" + attribute("points", all) + drawn_with(stroke) + "/>\n";
}

void svg::rectangle(place corner, double width, double height, std::string_view color) {
  body_ += "<rect" + attribute("x", corner.x) + attribute("y", corner.y) + attribute("width", width) +
           attribute("height", height) + attribute("fill", color) + "/>\n";
}

void svg::dot(place center, double radius, std::string_view color) {
  body_ += "<circle" + attribute("cx", center.x) + attribute("cy", center.y) + attribute("r", radius) +
           attribute("fill", color) + "/>\n";
}

void svg::ring(place center, double radius, std::string_view color) {
  body_ += "<circle" + attribute("cx", center.x) + attribute("cy", center.y) + attribute("r", radius) +
           attribute("fill", "none") + attribute("stroke", color) + attribute("stroke-width", 1.6) + "/>\n";
}

void svg::words(place at, std::string_view text, const svg_words& style) {
  constexpr std::string_view anchors[] = {"start", "middle", "end"};
  body_ += "<text" + attribute("x", at.x) + attribute("y", at.y) + attribute("font-size", style.size) +
           attribute("text-anchor", anchors[static_cast<int>(style.anchor)]) + attribute("fill", style.color);
  if (style.bold) body_ += attribute("font-weight", "bold");
  if (style.upwards) body_ += attribute("transform", "rotate(-90 " + tenths(at.x) + ' ' + tenths(at.y) + ')');
  body_ += '>' + escaped(text) + "</text>\n";
}

}  // namespace lacis::plot

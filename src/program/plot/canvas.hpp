// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A picture in memory: pixels, rectangles and small letters.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace lacis::plot {

struct color {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;
  friend bool operator==(const color&, const color&) = default;
};

inline constexpr color white{255, 255, 255};

/// Drawing outside the picture is clipped.
class canvas {
 public:
  canvas(std::int64_t width, std::int64_t height, color background = white)
      : width_(width), height_(height), pixels_(static_cast<std::size_t>(width * height), background) {}

  [[nodiscard]] std::int64_t width() const { return width_; }
  [[nodiscard]] std::int64_t height() const { return height_; }
  [[nodiscard]] color at(std::int64_t x, std::int64_t y) const { return pixels_[place(x, y)]; }
  /// Row by row from the top, three bytes a pixel.
  [[nodiscard]] const std::vector<color>& pixels() const { return pixels_; }

  void set(std::int64_t x, std::int64_t y, color c);
  void fill(std::int64_t x, std::int64_t y, std::int64_t width, std::int64_t height, color c);
  /// The outline of a rectangle, `thickness` pixels wide, drawn inside it.
  void frame(std::int64_t x, std::int64_t y, std::int64_t width, std::int64_t height, std::int64_t thickness, color c);
  /// Text with its upper left corner at (x, y): letters are 5 x 8 dots, one apart, each dot scale x scale pixels.
  /// Characters that the font lacks are drawn as a box.
  void text(std::int64_t x, std::int64_t y, std::string_view words, std::int64_t scale, color c);

 private:
  [[nodiscard]] std::size_t place(std::int64_t x, std::int64_t y) const {
    return static_cast<std::size_t>(y * width_ + x);
  }

  std::int64_t width_;
  std::int64_t height_;
  std::vector<color> pixels_;
};

/// The pixels that canvas::text takes.
[[nodiscard]] std::int64_t text_width(std::string_view words, std::int64_t scale);
inline constexpr std::int64_t text_height = 8;  ///< times scale

}  // namespace lacis::plot

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Pixels, rectangles, and a font of our own.
#include "plot/canvas.hpp"

#include <algorithm>

namespace lacis::plot {
namespace {

// Eight rows of five dots, the top row in the highest bits; the last row is for descenders.
struct letter {
  char character;
  std::uint64_t dots;
};

constexpr std::int64_t letter_width = 5;
constexpr std::int64_t letter_step = 6;
constexpr std::uint64_t unknown_letter = 0xfc631887e0;

constexpr letter font[] = {
    {' ', 0},
    {'%', 0xce84442e60},
    {'(', 0x1110841040},
    {')', 0x4104211100},
    {'+', 0x0109f21000},
    {',', 0x0000003088},
    {'-', 0x0001f00000},
    {'.', 0x0000003180},
    {'/', 0x0844444200},
    {'0', 0x74675cc5c0},
    {'1', 0x23084211c0},
    {'2', 0x74422223e0},
    {'3', 0x744260c5c0},
    {'4', 0x11952f8840},
    {'5', 0xfc3c10c5c0},
    {'6', 0x7461e8c5c0},
    {'7', 0xf844421080},
    {'8', 0x7462e8c5c0},
    {'9', 0x7462f0c5c0},
    {':', 0x0108021000},
    {'=', 0x003e0f8000},
    {'@', 0x746f5b41c0},
    {'A', 0x7463f8c620},
    {'B', 0xf463e8c7c0},
    {'C', 0x74610845c0},
    {'D', 0xf46318c7c0},
    {'E', 0xfc21e843e0},
    {'F', 0xfc21e84200},
    {'G', 0x746178c5c0},
    {'H', 0x8c63f8c620},
    {'I', 0x71084211c0},
    {'J', 0x3884214980},
    {'K', 0x8ca98a4a20},
    {'L', 0x84210843e0},
    {'M', 0x8eeb58c620},
    {'N', 0x8e6b59c620},
    {'O', 0x746318c5c0},
    {'P', 0xf463e84200},
    {'Q', 0x74631ac9a0},
    {'R', 0xf463ea4a20},
    {'S', 0x7c20e087c0},
    {'T', 0xf908421080},
    {'U', 0x8c6318c5c0},
    {'V', 0x8c63152880},
    {'W', 0x8c635aee20},
    {'X', 0x8c54454620},
    {'Y', 0x8c54421080},
    {'Z', 0xf8444443e0},
    {'_', 0x00000003e0},
    {'a', 0x001c17c5e0},
    {'b', 0x843d18c7c0},
    {'c', 0x001d0845c0},
    {'d', 0x085f18c5e0},
    {'e', 0x001d1fc1c0},
    {'f', 0x323c842100},
    {'g', 0x001f18bc2e},
    {'h', 0x843d18c620},
    {'i', 0x20184211c0},
    {'j', 0x100c210a4c},
    {'k', 0x84254c5240},
    {'l', 0x61084211c0},
    {'m', 0x00355ad6a0},
    {'n', 0x003d18c620},
    {'o', 0x001d18c5c0},
    {'p', 0x003d18fa10},
    {'q', 0x001f18bc21},
    {'r', 0x002d984200},
    {'s', 0x001f0707c0},
    {'t', 0x423c8424c0},
    {'u', 0x002318cda0},
    {'v', 0x002318a880},
    {'w', 0x00231ad540},
    {'x', 0x0022a22a20},
    {'y', 0x002318bc2e},
    {'z', 0x003e2223e0},
};

std::uint64_t dots_of(char character) {
  const auto* found =
      std::find_if(std::begin(font), std::end(font), [&](const letter& l) { return l.character == character; });
  return found == std::end(font) ? unknown_letter : found->dots;
}

}  // namespace

void canvas::set(std::int64_t x, std::int64_t y, color c) {
  if (x >= 0 && x < width_ && y >= 0 && y < height_) pixels_[place(x, y)] = c;
}

void canvas::fill(std::int64_t x, std::int64_t y, std::int64_t width, std::int64_t height, color c) {
  for (std::int64_t row = y; row < y + height; ++row)
    for (std::int64_t column = x; column < x + width; ++column) set(column, row, c);
}

void canvas::frame(std::int64_t x, std::int64_t y, std::int64_t width, std::int64_t height, std::int64_t thickness,
                   color c) {
  fill(x, y, width, thickness, c);
  fill(x, y + height - thickness, width, thickness, c);
  fill(x, y, thickness, height, c);
  fill(x + width - thickness, y, thickness, height, c);
}

void canvas::text(std::int64_t x, std::int64_t y, std::string_view words, std::int64_t scale, color c) {
  for (const char character : words) {
    const std::uint64_t dots = dots_of(character);
    for (std::int64_t bit = 0; bit < letter_width * text_height; ++bit)
      if (dots >> (letter_width * text_height - 1 - bit) & 1)
        fill(x + bit % letter_width * scale, y + bit / letter_width * scale, scale, scale, c);
    x += letter_step * scale;
  }
}

std::int64_t text_width(std::string_view words, std::int64_t scale) {
  return words.empty() ? 0 : (static_cast<std::int64_t>(words.size()) * letter_step - 1) * scale;
}

}  // namespace lacis::plot

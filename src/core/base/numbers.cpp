// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them.
#include "base/numbers.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace lacis::numbers {
namespace {

std::string in_format(double number, std::chars_format style, int precision) {
  char digits[64];
  return {digits, std::to_chars(digits, digits + sizeof digits, number, style, precision).ptr};
}

/// The number over the largest power of `base` that leaves it above 1, and that power's prefix.
template <std::size_t Count>
std::string prefixed(double number, double base, const std::array<const char*, Count>& prefixes) {
  std::size_t prefix = 0;
  // What would be rounded up to the next prefix is shown with that prefix.
  while (prefix + 1 < Count && number >= 0.9995 * base) {
    number /= base;
    ++prefix;
  }
  return significant(number) + ' ' + prefixes[prefix];
}

std::string two_digits(long long number) { return (number < 10 ? "0" : "") + std::to_string(number); }

}  // namespace

std::string grouped(std::int64_t number) {
  std::string digits = std::to_string(number);
  const std::int64_t first = number < 0 ? 1 : 0;
  for (auto at = static_cast<std::int64_t>(digits.size()) - 3; at > first; at -= 3)
    digits.insert(static_cast<std::size_t>(at), 1, ',');
  return digits;
}

std::string significant(double number) {
  const double size = std::abs(number);
  if (size == 0) return "0";
  if (size < 1e-4 || size >= 1e15) return in_format(number, std::chars_format::scientific, 1);
  if (size >= 99.95) return grouped(std::llround(number));
  const int before = static_cast<int>(std::floor(std::log10(size)));
  std::string text = in_format(number, std::chars_format::fixed, std::max(0, 2 - before));
  if (text.find('.') != std::string::npos) {
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
  }
  return text;
}

std::string percent(double share) { return significant(100 * share) + " %"; }

std::string bytes_text(double bytes) {
  return prefixed(bytes, 1024, std::array{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB"});
}

std::string short_count(double count) {
  if (count < 10000) return grouped(std::llround(count));
  return prefixed(count, 1000, std::array{"", "k", "M", "G", "T", "P", "E", "Z", "Y"});
}

std::string duration_text(double seconds) {
  if (seconds < 0.9995) return significant(seconds * 1000) + " ms";
  if (seconds < 59.95) return significant(seconds) + " s";
  const long long whole = std::llround(seconds);
  if (whole < 3600) return std::to_string(whole / 60) + " min " + two_digits(whole % 60) + " s";
  return std::to_string(whole / 3600) + " h " + two_digits(whole / 60 % 60) + " min";
}

}  // namespace lacis::numbers

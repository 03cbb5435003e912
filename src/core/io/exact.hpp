// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Integers that a double holds exactly; others are rounded only when read_options::round_integers allows it.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <string_view>

#include "io/numbers.hpp"

namespace lacis::detail {

template <class Whole> [[nodiscard]] bool fits_double(Whole number) {
  const auto nearest = static_cast<double>(number);
  // The largest number rounds up to a power of two that the type itself cannot hold.
  if (number > 0 && nearest >= static_cast<double>(std::numeric_limits<Whole>::max())) return false;
  return static_cast<Whole>(nearest) == number;
}

/// Whether first .. last, a number in text, is an integer written in digits that no double equals.
[[nodiscard]] inline bool is_inexact_whole(const char* first, const char* last) {
  constexpr std::ptrdiff_t always_exact = 15;
  if (last - first <= always_exact) return false;
  if (*first == '+' || *first == '-') ++first;
  if (!std::all_of(first, last, is_digit)) return false;
  first = std::find_if(first, last, [](char c) { return c != '0'; });
  double nearest = 0;
  if (first == last || parse_real(first, last, nearest).status != number_status::ok) return false;
  // Printed in full, a double that is an integer has exactly its digits.
  char digits[320];
  const char* const end = std::to_chars(digits, digits + sizeof digits, nearest, std::chars_format::fixed).ptr;
  return std::string_view(first, last) != std::string_view(digits, end);
}

inline constexpr std::string_view inexact_hint = "; set read_options::round_integers to take the nearest one";

}  // namespace lacis::detail

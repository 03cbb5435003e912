// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Messages put together without locales and without a formatting library.
#pragma once

#include <charconv>
#include <string>
#include <string_view>
#include <type_traits>

namespace lacis::detail {

inline void append_text(std::string& out, std::string_view part) { out += part; }
inline void append_text(std::string& out, char part) { out += part; }
template <class Number>
  requires std::is_arithmetic_v<Number>
void append_text(std::string& out, Number number) {
  char digits[64];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  out.append(digits, end);
}

/// The parts one after the other: text("row ", 3, " is empty").
template <class... Parts> [[nodiscard]] std::string text(const Parts&... parts) {
  std::string out;
  (append_text(out, parts), ...);
  return out;
}

}  // namespace lacis::detail

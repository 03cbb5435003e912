// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Messages put together without locales and without a formatting library.
#pragma once

#include <charconv>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

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

/// One part of a message. Messages are put together by one function, not by one per list of types.
using text_part = std::variant<std::string_view, char, long long, unsigned long long, float, double>;

template <class Part> [[nodiscard]] text_part part_of(const Part& part) {
  if constexpr (std::is_same_v<Part, char> || std::is_floating_point_v<Part>)
    return part;
  else if constexpr (std::is_integral_v<Part>)
    return static_cast<std::conditional_t<std::is_signed_v<Part>, long long, unsigned long long>>(part);
  else
    return std::string_view(part);
}

[[nodiscard]] std::string join_parts(std::initializer_list<text_part> parts);

/// The parts one after the other: text("row ", 3, " is empty").
template <class... Parts> [[nodiscard]] std::string text(const Parts&... parts) {
  return join_parts({part_of(parts)...});
}

}  // namespace lacis::detail

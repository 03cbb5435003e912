// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A text file in memory, and the errors that point at a line of it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include <lacis/error.hpp>

#include "base/text.hpp"
#include "io/numbers.hpp"

namespace lacis::detail {

/// What some editors put in front of UTF-8.
inline constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

struct text_input {
  std::string_view text;
  std::string name;               ///< for messages: "name:line: what; hint"
  std::int64_t lines_before = 0;  ///< of the file that the text is a part of
};

/// The number of the line that `where`, a place in the text or its end, stands in; the first of the file is 1. Counts
/// from the start of the text, which only an error has to pay for.
[[nodiscard]] inline std::int64_t line_number(const text_input& input, const char* where) {
  return input.lines_before + 1 + std::count(input.text.data(), where, '\n');
}

/// The error for a fault at `where`.
[[nodiscard]] inline error error_at(const text_input& input, const char* where, std::string_view what_and_hint,
                                    errc code = errc::bad_input) {
  return {code, text(input.name, ':', line_number(input, where), ": ", what_and_hint)};
}

/// What stands at `where`, up to the next blank or line end, fit for a message: in quotes, cut when long, without
/// characters that a terminal would act on.
[[nodiscard]] inline std::string quoted_word(std::string_view text, const char* where) {
  constexpr std::ptrdiff_t longest = 32;
  const char* last = text.data() + text.size();
  if (where == last) return "the end of the file";
  const char* end = where;
  while (!at_line_end(end, last) && !is_blank(*end)) ++end;
  if (end == where) return "the end of the line";
  std::string out = "'";
  for (const char* p = where; p != end && p - where < longest; ++p) out += *p >= ' ' && *p <= '~' ? *p : '?';
  out += end - where > longest ? "...'" : "'";
  return out;
}

}  // namespace lacis::detail

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A text cut into chunks of whole lines that threads parse independently.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace lacis::detail {

/// A piece of a text that begins and ends with a line, and the entries (lines that are not blank) it may hold.
struct line_chunk {
  const char* first;
  const char* last;
  std::int64_t first_entry;  ///< how many entries stand before it
  std::int64_t entries;
};

/// The end of the text without trailing blanks and line ends.
[[nodiscard]] const char* trim_end(std::string_view text);

/// The chunks of a text, which ends without blanks and line ends (trim_end); their entries number at most `limit`
/// altogether and are never more than there are lines. Where the text holds fewer entries than a chunk says, the text
/// holds fewer than `limit`.
[[nodiscard]] std::vector<line_chunk> cut_lines(const char* first, const char* last, std::int64_t limit);

/// Where entry number `entry`, counted from 0, begins.
[[nodiscard]] const char* find_entry(const char* first, const char* last, std::int64_t entry);

}  // namespace lacis::detail

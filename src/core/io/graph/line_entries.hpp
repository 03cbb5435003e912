// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Entries that stand one on a line: how many each chunk of a text holds, and where one begins.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace lacis::detail {

/// The text without trailing blanks and line ends.
[[nodiscard]] std::string_view trim_end(std::string_view text);

/// For each chunk of a trimmed text how many entries stand before it, and last how many there are: never more than
/// `limit`, nor than there are lines. Blank lines are no entries; yet where the text has exactly `limit` lines they are
/// counted, so that a chunk may turn out to hold fewer entries than it has room for, and the text fewer than `limit`.
[[nodiscard]] std::vector<std::int64_t> count_entries(const std::vector<std::string_view>& chunks, std::int64_t limit);

/// Where entry number `entry`, counted from 0, begins.
[[nodiscard]] const char* find_entry(std::string_view text, std::int64_t entry);

}  // namespace lacis::detail

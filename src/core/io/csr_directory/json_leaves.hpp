// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Small JSON texts that describe other files, without a library for JSON.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace lacis::detail {

/// Every string, number and word of a JSON text by the way to it: {"shape": [3, 4]} has "shape.0" -> "3" and
/// "shape.1" -> "4". Of names that come twice the first counts; characters beyond ASCII that are spelled as \u and four
/// digits become question marks.
using json_leaves = std::map<std::string, std::string, std::less<>>;

/// Nothing when the text is no JSON, or nests deeper than 16 levels.
[[nodiscard]] std::optional<json_leaves> leaves_of_json(std::string_view text);

}  // namespace lacis::detail

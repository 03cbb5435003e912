// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What every command prints with --json.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace lacis::app {

/// The version of what --json prints: raised when a key goes or changes its meaning.
inline constexpr int json_schema = 2;

/// The object with "schema" as its first key, or an array whose objects have it; indented, with a line feed. Bytes that
/// are no UTF-8 are replaced.
[[nodiscard]] std::string json_text(const nlohmann::ordered_json& result);

}  // namespace lacis::app

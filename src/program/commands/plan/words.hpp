// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What plans are asked for on a command line, and the rates that they get from the machine's profile.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <lacis/plan.hpp>

namespace lacis::app {

/// Each takes the word after its option; an empty word is nothing, none, exact. Other words are
/// error(invalid_argument) with a suggestion.
[[nodiscard]] std::optional<plan_layout> parse_layout(const std::string& word);
[[nodiscard]] reordering parse_reordering(const std::string& word, std::string_view option = "--reorder");
[[nodiscard]] plan_values parse_plan_values(const std::string& word);

/// A positive number of bytes: "1000000", "500M", "1.5G", "2GiB"; K, M, G and T are powers of 1024.
[[nodiscard]] std::int64_t parse_bytes(const std::string& text, const std::string& option);

/// The rates in the profile that lacis doctor --measure keeps. Nothing when there is none, or, with a reason in
/// `remark`, when it cannot be used or another processor wrote it.
[[nodiscard]] std::shared_ptr<const machine_rates> rates_of_profile(std::string& remark);

}  // namespace lacis::app

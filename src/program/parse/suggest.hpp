// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// "Did you mean": the word someone may have meant.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace lacis::app {

/// How many letters must be inserted, removed, changed or swapped with their neighbour to turn one word into another.
[[nodiscard]] int edit_distance(std::string_view from, std::string_view to);

/// The shortest candidate that `word` begins, or the nearest one if it is near enough (about one mistake in three
/// letters); otherwise empty. Capitals are no mistakes.
[[nodiscard]] std::string nearest(std::string_view word, std::span<const std::string> candidates);

/// "; did you mean 'info'?" or nothing.
[[nodiscard]] std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

/// Throws error(invalid_argument): "--type must be one of float, double (got 'flot'); did you mean 'float'?"
[[noreturn]] void refuse_choice(std::string_view option, std::string_view word, std::span<const std::string> choices);

}  // namespace lacis::app

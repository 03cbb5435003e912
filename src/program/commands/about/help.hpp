// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Help on the terminal, and the manual's part about commands.
#pragma once

#include <string>
#include <string_view>

#include "parse/command.hpp"

namespace lacis::app {

/// Prints the list of commands, or the help of one. Throws error(invalid_argument) when there is no such command.
void show_help(const std::string& name);

/// "look" and what its commands do.
struct group_words {
  std::string_view name;
  std::string_view what;
};
[[nodiscard]] group_words words_of(command_group group);

/// The section COMMANDS of lacis(1), as mdoc.
[[nodiscard]] std::string manual_of_commands();

}  // namespace lacis::app

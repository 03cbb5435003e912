// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The command line as data: which commands there are, which options they take; and the parser.
#pragma once

#include <string>
#include <vector>

namespace lacis::app {

struct option_description {
  std::vector<std::string> names;  ///< "-o", "--output"; empty for an argument without a name
  std::string value;               ///< "FILE", "N", "bash|zsh|fish"; empty for a flag
  std::string text;
  bool required = false;
  bool repeated = false;  ///< an argument without a name that may come several times

  [[nodiscard]] bool positional() const { return names.empty(); }
};

struct command_description {
  std::string name;
  std::string summary;
  std::vector<option_description> options;
};

/// Every command, in the order of the help text.
[[nodiscard]] const std::vector<command_description>& all_commands();
/// The command of that name; throws error(invalid_argument) with a suggestion when there is none.
[[nodiscard]] const command_description& command_named(const std::string& name);

/// Parses the arguments after the program's name and runs what they ask for. Throws error(invalid_argument) when they
/// make no sense.
void run(const std::vector<std::string>& arguments);

}  // namespace lacis::app

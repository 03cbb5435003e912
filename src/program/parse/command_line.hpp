// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The command line: finds the command, parses its arguments, runs it.
#pragma once

#include <string>
#include <vector>

namespace lacis::app {

/// Parses the arguments after the program's name and runs the command. Throws error(invalid_argument) when they are
/// wrong.
void run(const std::vector<std::string>& arguments);

}  // namespace lacis::app

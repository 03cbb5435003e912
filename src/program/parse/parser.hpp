// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Arguments to the variables of a command's options.
#pragma once

#include <string>
#include <vector>

#include "parse/command.hpp"

namespace lacis::app {

/// Sets the variables of the command's options from the arguments after its name. Throws error(invalid_argument) when
/// an argument is wrong, too much or missing.
void parse_arguments(const command& chosen, const std::vector<std::string>& arguments);

}  // namespace lacis::app

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Options that are right one by one, and not together.
#pragma once

#include <string>
#include <vector>

#include "parse/command.hpp"

namespace lacis::app {

/// Throws error(invalid_argument) where an option has no effect without another one, where two results would have one
/// file, and where a result would replace a file that is read. `given` are the names of the options on the command
/// line.
void require_agreement(const command& chosen, const std::vector<std::string>& given);

/// Whether both are names of one regular file or directory that exists, perhaps by links.
[[nodiscard]] bool is_same_file(const std::string& one, const std::string& other);

}  // namespace lacis::app

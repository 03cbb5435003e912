// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Commands that another program has: lacis-workshop, with which lacis is measured and verified. `lacis` lists them and
// starts it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "parse/command.hpp"

namespace lacis::app {

/// What `lacis` knows of such a command: name, group and summary.
[[nodiscard]] command workshop_command(std::string_view name);

/// Whether lacis-workshop is beside this program.
[[nodiscard]] bool has_workshop();

/// Starts lacis-workshop in place of this program, with these arguments. Throws error(unsupported), which says where to
/// get it, when it is not beside this program.
[[noreturn]] void start_workshop(const std::vector<std::string>& arguments);

/// The same for what only a program with all commands can answer, and no more than a return where this is that program,
/// or there is none.
void let_workshop_answer(const std::vector<std::string>& arguments);

}  // namespace lacis::app

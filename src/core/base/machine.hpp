// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What the operating system says about this machine and about what this process may use of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/machine_memory.hpp"

namespace lacis::app {

using detail::address_space_limit;
using detail::first_line;
using detail::group_limits;
using detail::limits_of_groups;
using detail::memory_of_machine;
using detail::memory_of_process;
using detail::memory_state;
using detail::process_memory;
using detail::usable_memory;

[[nodiscard]] std::string processor_model();
/// Instruction sets that sparse kernels can use and this processor has, oldest first.
[[nodiscard]] std::vector<std::string> instruction_sets();
/// How many hardware threads this process may run on.
[[nodiscard]] int allowed_processors();
/// The word in brackets of a sysfs choice: "madvise" of "always [madvise] never".
[[nodiscard]] std::string chosen_word(std::string_view choices);
/// When memory is given out in huge pages: "always", "madvise", "never", or empty when unknown.
[[nodiscard]] std::string huge_page_mode();

/// Where a program is on the PATH, or empty. Folders that are named relative to the current one are passed over.
[[nodiscard]] std::string find_program(std::string_view name);

}  // namespace lacis::app

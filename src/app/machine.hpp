// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What the operating system says about this machine and about what this process may use of it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lacis::app {

struct memory_state {
  std::int64_t total = 0;
  std::int64_t available = 0;
  std::int64_t swap = 0;
};

/// Limits of the control groups that this process is in; nothing where there is none.
struct group_limits {
  std::optional<double> processors;
  std::optional<std::int64_t> memory;
};

[[nodiscard]] memory_state memory_of_machine();

/// What this process holds in memory, and the most that it ever did; 0 where the system does not tell.
struct process_memory {
  std::int64_t resident = 0;
  std::int64_t peak = 0;
};
[[nodiscard]] process_memory memory_of_process();

/// Both versions of control groups, the tightest limit on the way up; `root` is "/" but for tests.
[[nodiscard]] group_limits limits_of_groups(const std::filesystem::path& root = "/");
/// The limit on address space (ulimit -v), if there is one.
[[nodiscard]] std::optional<std::int64_t> address_space_limit();
/// Physical memory, or less where a control group or ulimit allows less.
[[nodiscard]] std::int64_t usable_memory();

[[nodiscard]] std::string processor_model();
/// Instruction sets that sparse kernels can use and this processor has, oldest first.
[[nodiscard]] std::vector<std::string> instruction_sets();
/// How many hardware threads this process may run on.
[[nodiscard]] int allowed_processors();
/// The word in brackets of a sysfs choice: "madvise" of "always [madvise] never".
[[nodiscard]] std::string chosen_word(std::string_view choices);
/// When memory is given out in huge pages: "always", "madvise", "never", or empty when unknown.
[[nodiscard]] std::string huge_page_mode();

/// The first line of a file, or empty.
[[nodiscard]] std::string first_line(const std::filesystem::path& path);
/// Where a program is on the PATH, or empty.
[[nodiscard]] std::string find_program(std::string_view name);

}  // namespace lacis::app

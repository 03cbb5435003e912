// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// How much memory the operating system has, and how much of it this process may take.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include <lacis/export.hpp>

namespace lacis::detail {

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

[[nodiscard]] LACIS_API memory_state memory_of_machine();
/// Both versions of control groups, the tightest limit on the way up; `root` is "/" but for tests.
[[nodiscard]] LACIS_API group_limits limits_of_groups(const std::filesystem::path& root = "/");
/// The limit on address space (ulimit -v), if there is one.
[[nodiscard]] LACIS_API std::optional<std::int64_t> address_space_limit();

/// What this process holds in memory, and the most that it ever did; 0 where the system does not tell.
struct process_memory {
  std::int64_t resident = 0;
  std::int64_t peak = 0;
};
[[nodiscard]] LACIS_API process_memory memory_of_process();

/// Physical memory, or less where a control group or ulimit allows less.
[[nodiscard]] LACIS_API std::int64_t usable_memory();
/// The memory that is available now, or less where a control group or ulimit allows less; the largest number where the
/// system does not tell.
[[nodiscard]] LACIS_API std::int64_t available_memory();

/// The first line of a file, or empty.
[[nodiscard]] LACIS_API std::string first_line(const std::filesystem::path& path);

}  // namespace lacis::detail

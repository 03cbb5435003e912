// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Memory and the limits on it, as the files of /proc and /sys tell them.
#include "base/machine_memory.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>
#include <sys/resource.h>

namespace lacis::detail {
namespace {

std::optional<std::int64_t> parse_number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end == text.data()) return std::nullopt;
  return number;
}

template <class T> void tighten(std::optional<T>& limit, std::optional<T> found) {
  if (found && (!limit || *found < *limit)) limit = found;
}

/// "max 100000" or "200000 100000": quota and period in microseconds.
std::optional<double> parse_quota(std::string_view line) {
  const std::size_t space = line.find(' ');
  const auto quota = parse_number(line.substr(0, space));
  const auto period = space == std::string_view::npos ? std::nullopt : parse_number(line.substr(space + 1));
  if (!quota || !period || *quota <= 0 || *period <= 0) return std::nullopt;
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

void read_group(const std::filesystem::path& folder, group_limits& limits) {
  tighten(limits.processors, parse_quota(first_line(folder / "cpu.max")));
  tighten(limits.processors,
          parse_quota(first_line(folder / "cpu.cfs_quota_us") + ' ' + first_line(folder / "cpu.cfs_period_us")));
  tighten(limits.memory, parse_number(first_line(folder / "memory.max")));
  auto old_limit = parse_number(first_line(folder / "memory.limit_in_bytes"));
  // Version 1 says "no limit" as a number near 2^63.
  if (old_limit && *old_limit < std::int64_t{1} << 60) tighten(limits.memory, old_limit);
}

}  // namespace

std::string first_line(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

memory_state memory_of_machine() {
  memory_state state;
  std::ifstream file("/proc/meminfo");
  std::string name;
  std::string unit;
  std::int64_t kilobytes = 0;
  while (file >> name >> kilobytes && std::getline(file, unit)) {
    if (name == "MemTotal:") state.total = kilobytes * 1024;
    if (name == "MemAvailable:") state.available = kilobytes * 1024;
    if (name == "SwapTotal:") state.swap = kilobytes * 1024;
  }
  return state;
}

group_limits limits_of_groups(const std::filesystem::path& root) {
  group_limits limits;
  std::ifstream file(root / "proc/self/cgroup");
  // Lines are "0::/path" (version 2) or "4:memory:/path" (version 1, mounted under its controllers' names).
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::filesystem::path mount = root / "sys/fs/cgroup" / controllers;
    std::filesystem::path group = std::filesystem::path(line.substr(second + 1)).relative_path();
    while (!group.empty()) {
      read_group(mount / group, limits);
      group = group.parent_path();
    }
    read_group(mount, limits);
  }
  return limits;
}

std::optional<std::int64_t> address_space_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  return static_cast<std::int64_t>(limit.rlim_cur);
}

process_memory memory_of_process() {
  process_memory state;
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);) {
    const std::size_t digits = line.find_first_of("0123456789");
    if (digits == std::string::npos) continue;
    const std::int64_t bytes = parse_number(std::string_view(line).substr(digits)).value_or(0) * 1024;
    if (line.starts_with("VmRSS:")) state.resident = bytes;
    if (line.starts_with("VmHWM:")) state.peak = bytes;
  }
  return state;
}

std::int64_t usable_memory() {
  std::optional<std::int64_t> memory = memory_of_machine().total;
  tighten(memory, limits_of_groups().memory);
  tighten(memory, address_space_limit());
  return *memory;
}

std::int64_t available_memory() {
  const std::int64_t available = memory_of_machine().available;
  std::optional<std::int64_t> memory;
  if (available > 0) memory = available;
  tighten(memory, limits_of_groups().memory);
  tighten(memory, address_space_limit());
  return memory.value_or(std::numeric_limits<std::int64_t>::max());
}

}  // namespace lacis::detail

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Programs on the path, processors, instruction sets.
#include "base/machine.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sched.h>
#include <unistd.h>

#include "base/machine_memory.hpp"

namespace lacis::detail {

std::string find_program(std::string_view name) {
  const char* path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "" : path;
  while (!rest.empty()) {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    const std::string candidate = std::string(rest.substr(0, colon)) + '/' + std::string(name);
    // A folder that is named relative to the current one may be anyone's.
    if (rest.starts_with('/') && access(candidate.c_str(), X_OK) == 0) return candidate;
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
  return {};
}

std::string processor_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    const bool names_it = line.starts_with("model name") || line.starts_with("cpu model") || line.starts_with("Model");
    if (names_it && colon != std::string::npos) return line.substr(colon + 2);
  }
  return {};
}

namespace {

/// What the C library knows of a cache, or what is usual.
std::int64_t cache_bytes([[maybe_unused]] int level, std::int64_t usual) {
  std::int64_t found = 0;
#ifdef _SC_LEVEL3_CACHE_SIZE
  found = sysconf(level == 2 ? _SC_LEVEL2_CACHE_SIZE : _SC_LEVEL3_CACHE_SIZE);
#endif
  return found > 0 ? found : usual;
}

}  // namespace

std::int64_t l2_cache_bytes() {
  static const std::int64_t bytes = cache_bytes(2, std::int64_t{1} << 20);
  return bytes;
}

std::int64_t last_cache_bytes() {
  static const std::int64_t bytes = std::max(cache_bytes(3, std::int64_t{32} << 20), l2_cache_bytes());
  return bytes;
}

std::vector<std::string> instruction_sets() {
  std::vector<std::string> found;
#if defined(__x86_64__)
  __builtin_cpu_init();
  const auto add = [&](int has, const char* name) {
    if (has != 0) found.emplace_back(name);
  };
  add(__builtin_cpu_supports("sse2"), "sse2");
  add(__builtin_cpu_supports("sse4.2"), "sse4.2");
  add(__builtin_cpu_supports("avx"), "avx");
  add(__builtin_cpu_supports("avx2"), "avx2");
  add(__builtin_cpu_supports("fma"), "fma");
  add(__builtin_cpu_supports("bmi2"), "bmi2");
  add(__builtin_cpu_supports("avx512f"), "avx512f");
  add(__builtin_cpu_supports("avx512dq"), "avx512dq");
  add(__builtin_cpu_supports("avx512bw"), "avx512bw");
  add(__builtin_cpu_supports("avx512vl"), "avx512vl");
  add(__builtin_cpu_supports("avx512vbmi2"), "avx512vbmi2");
#elif defined(__aarch64__)
  found.emplace_back("neon");
#endif
  return found;
}

int allowed_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  // Fails on machines with more processors than the set holds; then all of them count.
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
  return static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
}

std::string chosen_word(std::string_view choices) {
  const std::size_t open = choices.find('[');
  const std::size_t close = choices.find(']', open + 1);
  if (open == std::string_view::npos || close == std::string_view::npos) return {};
  return std::string(choices.substr(open + 1, close - open - 1));
}

std::string huge_page_mode() { return chosen_word(first_line("/sys/kernel/mm/transparent_hugepage/enabled")); }

}  // namespace lacis::detail

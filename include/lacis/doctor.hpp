// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What this machine offers to sparse matrices, and what could be improved.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <lacis/export.hpp>

namespace lacis {

/// How much a finding matters.
enum class finding_mark {
  ok,    ///< nothing to do
  note,  ///< something is absent or limited; the advice says what that means
  warn   ///< something slows products down or prevents them; the advice says how to change that
};

/// "ok", "note", "warn".
[[nodiscard]] LACIS_API std::string_view name_of(finding_mark mark);

/// What one check found.
struct finding {
  finding_mark mark = finding_mark::ok;  ///< how much it matters
  std::string name;                      ///< of what was checked, each once: "memory", "CUDA", ...
  std::string state;                     ///< what was found, in words
  std::string advice;                    ///< what to do; may be empty when the mark is ok, and only then
};

/// The caches of one level.
struct cache_level {
  std::string name;        ///< "L1d", "L2", ...
  std::int64_t bytes = 0;  ///< of one instance
  int instances = 0;       ///< how many the machine has
};

/// Cores, caches and memory nodes of a machine.
struct machine_topology {
  bool known = false;               ///< the other members are filled
  int packages = 0;                 ///< processors in sockets
  int cores = 0;                    ///< in all packages
  int hardware_threads = 0;         ///< of all cores
  int memory_nodes = 0;             ///< NUMA nodes
  std::vector<cache_level> caches;  ///< smallest level first

  /// Of all caches of the last level together; 0 when unknown.
  [[nodiscard]] std::int64_t last_level_bytes() const {
    return caches.empty() ? 0 : caches.back().bytes * caches.back().instances;
  }
};

/// One finding per check: version and features of this library, processor and kernels, memory and its limits, threads,
/// CUDA and MPI. `topology` adds cores, caches and memory nodes; the library itself does not read them (`lacis doctor`
/// takes them from hwloc). Runs `mpirun --version` where mpirun is on the PATH; changes nothing.
[[nodiscard]] LACIS_API std::vector<finding> doctor(const machine_topology& topology = {});

}  // namespace lacis

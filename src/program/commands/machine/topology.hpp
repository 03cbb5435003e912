// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Cores, caches and NUMA nodes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lacis::app {

struct cache {
  std::string name;  ///< "L1d", "L2"
  std::int64_t bytes = 0;
  int instances = 0;
};

struct topology {
  bool known = false;  ///< false in a build without hwloc
  int packages = 0;
  int cores = 0;
  int hardware_threads = 0;
  int memory_nodes = 0;
  std::vector<cache> caches;  ///< smallest level first

  /// Of all caches of the last level together; 0 when unknown.
  [[nodiscard]] std::int64_t last_level_bytes() const {
    return caches.empty() ? 0 : caches.back().bytes * caches.back().instances;
  }
};

[[nodiscard]] topology topology_of_machine();

}  // namespace lacis::app

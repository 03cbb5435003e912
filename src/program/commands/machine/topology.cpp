// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Cores, caches and NUMA nodes through hwloc.
#include "commands/machine/topology.hpp"

#ifdef LACIS_WITH_HWLOC
#include <algorithm>
#include <hwloc.h>

namespace lacis::app {
namespace {

struct loaded_topology {
  hwloc_topology_t handle = nullptr;
  bool good = false;
  loaded_topology() { good = hwloc_topology_init(&handle) == 0 && hwloc_topology_load(handle) == 0; }
  loaded_topology(const loaded_topology&) = delete;
  loaded_topology& operator=(const loaded_topology&) = delete;
  ~loaded_topology() {
    if (handle != nullptr) hwloc_topology_destroy(handle);
  }
};

struct cache_kind {
  hwloc_obj_type_t type;
  const char* name;
};

constexpr cache_kind cache_kinds[] = {
    {HWLOC_OBJ_L1CACHE, "L1d"}, {HWLOC_OBJ_L2CACHE, "L2"}, {HWLOC_OBJ_L3CACHE, "L3"}, {HWLOC_OBJ_L4CACHE, "L4"}};

}  // namespace

machine_topology topology_of_machine() {
  const loaded_topology machine;
  machine_topology found;
  if (!machine.good) return found;
  const auto count = [&](hwloc_obj_type_t type) { return std::max(0, hwloc_get_nbobjs_by_type(machine.handle, type)); };
  found.known = true;
  found.packages = count(HWLOC_OBJ_PACKAGE);
  found.cores = count(HWLOC_OBJ_CORE);
  found.hardware_threads = count(HWLOC_OBJ_PU);
  found.memory_nodes = count(HWLOC_OBJ_NUMANODE);
  for (const cache_kind& kind : cache_kinds)
    if (const hwloc_obj_t first = hwloc_get_obj_by_type(machine.handle, kind.type, 0); first != nullptr)
      found.caches.push_back({kind.name, static_cast<std::int64_t>(first->attr->cache.size), count(kind.type)});
  return found;
}

}  // namespace lacis::app

#else

namespace lacis::app {

machine_topology topology_of_machine() { return {}; }

}  // namespace lacis::app

#endif

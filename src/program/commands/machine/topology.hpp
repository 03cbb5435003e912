// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Cores, caches and NUMA nodes.
#pragma once

#include <lacis/doctor.hpp>

namespace lacis::app {

/// As hwloc reports them; not known in a build without it.
[[nodiscard]] machine_topology topology_of_machine();

}  // namespace lacis::app

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What a slot of a packed slice costs on this processor, measured once per process.
#pragma once

#include "base/internal.hpp"

namespace lacis::cpu {

/// Nanoseconds of one thread for a slot, all data in the first cache.
struct slot_costs {
  double gathered = 0;     ///< x by a gather
  double loaded_each = 0;  ///< x by a load of each element
  double run_on = 0;       ///< consecutive elements of x
};
[[nodiscard]] const slot_costs& measured_slot_costs();

/// Whether kernels load elements of x one by one instead of gathering them: where that was faster, or as the variable
/// LACIS_GATHER (on, off) says.
[[nodiscard]] LACIS_INTERNAL bool loads_each();

}  // namespace lacis::cpu

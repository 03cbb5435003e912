// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The plugin that interprets PTX, as programs use it.
#pragma once

#include <string>
#include <vector>

#include "device/table.hpp"
#include "ptx/control.hpp"

namespace lacis::interpreted {

/// Opens the plugin for the PTX of an architecture, 80 for compute capability 8.0; 0: the first there is. Throws
/// error(no_device), which says what is missing.
[[nodiscard]] const lacis_runtime& runtime_for(int architecture);

/// For all launches from now on; counters start again.
void set_options(const lacis_ptx_options& options);
[[nodiscard]] lacis_ptx_counters counters();

/// What the counted launches of one kernel did, since the plugin was opened.
struct kernel_counters {
  std::string symbol;  ///< as in the PTX: mangled
  lacis_ptx_counters counted{};
};
[[nodiscard]] std::vector<kernel_counters> counters_by_kernel();

}  // namespace lacis::interpreted

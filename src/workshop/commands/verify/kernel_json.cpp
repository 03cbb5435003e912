// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What lacis verify and lacis doctor say of kernels to a program.
#include "commands/verify/kernel_json.hpp"

namespace lacis::app {

nlohmann::ordered_json kernel_json(const kernel_report& report) {
  nlohmann::ordered_json counts = nlohmann::ordered_json::array();
  for (const kernel_count& count : report.table)
    counts.push_back(
        {{"what", count.what}, {"order", count.order}, {"runs", count.runs}, {"differing", count.differing}});
  return {
      {"good", report.good()},
      {"runs", report.runs},
      {"differing", report.differing},
      {"kernels", report.kernels},
      {"instantiations", report.instantiations},
      {"launches", report.launches},
      {"schedules", report.schedules},
      {"compiler", report.compiler},
      {"swept", report.swept},
      {"faults", report.faults},
      {"never_launched", report.never_launched},
      {"stopped", report.stopped.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(report.stopped)},
      {"table", std::move(counts)}};
}

}  // namespace lacis::app

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Everything that lacis info finds out, and its two renderings.
#pragma once

#include <string>

#include <lacis/facts.hpp>
#include <lacis/storage_costs.hpp>

#include "console/console.hpp"
#include "input/load.hpp"

namespace lacis::app {

struct info_report {
  const loaded& source;
  const matrix_facts& facts;
  const storage_costs& storage;
};

[[nodiscard]] std::string info_screen(const info_report& report, const terminal& where);
[[nodiscard]] std::string info_json(const info_report& report);
/// The spy plot in a frame.
[[nodiscard]] std::string spy_screen(const any_csr& matrix, const terminal& where);

}  // namespace lacis::app

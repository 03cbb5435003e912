// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Timing the machine once, for lacis doctor --measure.
#pragma once

#include <string>

#include "console/console.hpp"
#include "measure/profile.hpp"
#include "parse/options.hpp"

namespace lacis::app {

/// Streams and gathers with one thread and with all of them; takes less than half a minute.
[[nodiscard]] measure::machine_profile measure_machine(const common_options& common);

/// The profile as tables.
[[nodiscard]] std::string profile_screen(const measure::machine_profile& profile, const terminal& where);

/// Writes the profile to the file, or to its usual place when the name is empty. Returns where it is.
std::string keep_profile(const measure::machine_profile& profile, const std::string& file);

}  // namespace lacis::app

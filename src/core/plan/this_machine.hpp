// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What this machine is able to do, for the cost model.
#pragma once

#include <lacis/machine.hpp>
#include <lacis/plan.hpp>

#include "base/internal.hpp"

namespace lacis::detail {

/// Rates of this machine with one thread and with `threads` of them, measured now.
[[nodiscard]] LACIS_INTERNAL machine_rates measured_machine(int threads);

/// Rates of this machine, measured once per process in a few milliseconds.
[[nodiscard]] LACIS_INTERNAL const machine_rates& this_machine();

/// What is usual: for matrices so small that measuring would take longer than their products.
[[nodiscard]] LACIS_INTERNAL const machine_rates& usual_machine();

/// Rates that were given, and those of this machine where they leave something open.
[[nodiscard]] LACIS_INTERNAL machine_rates completed(machine_rates given);

/// The rates for a plan: small matrices take usual ones.
[[nodiscard]] machine_rates rates_for(std::int64_t rows_and_entries, const plan_options& options);

}  // namespace lacis::detail

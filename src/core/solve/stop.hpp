// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// How a monitor that asks to stop leaves a step.
#pragma once

#include <lacis/export.hpp>

namespace lacis::solver {

/// Thrown by every rank after the same iteration; x is then as that iteration left it.
struct LACIS_API stop_asked{};

}  // namespace lacis::solver

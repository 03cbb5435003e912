// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis lab --sweep rows: the same x and number of entries, in rows from 1 to 1024 entries long.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "commands/lab/report.hpp"

namespace lacis::app {

/// One thread per row, parts of a warp, a warp, and the formats that turn rows into columns of slots.
[[nodiscard]] std::vector<std::string> sweep_kernels();

/// Runs the kernels of the options on each matrix, all of it, for float and double.
template <class Value> [[nodiscard]] lab_sweep sweep_rows(lab::lab_options options);

}  // namespace lacis::app

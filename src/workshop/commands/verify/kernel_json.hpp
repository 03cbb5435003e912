// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A verification of kernels as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "verify/verify.hpp"

namespace lacis::app {

[[nodiscard]] nlohmann::ordered_json kernel_json(const kernel_report& report);

}  // namespace lacis::app

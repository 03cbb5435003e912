// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What each method of a sparse product did, as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include <lacis/spgemm.hpp>

namespace lacis::app {

/// The methods that had rows, each with its share of the time.
[[nodiscard]] nlohmann::ordered_json shares_json(const spgemm_report& report);

}  // namespace lacis::app

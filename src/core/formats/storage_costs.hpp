// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The parts of a format's cost.
#pragma once

#include <lacis/storage_costs.hpp>

namespace lacis::detail {

/// The bytes of a format that do not depend on the entries.
[[nodiscard]] std::int64_t fixed_bytes(matrix_format which, const matrix_facts& facts,
                                       const convert_options& options = {});
/// The largest number of entries below (dense - fixed) / entry_bytes, between 0 and `places`.
[[nodiscard]] double break_even(double dense, double fixed, double entry_bytes, double places);

}  // namespace lacis::detail

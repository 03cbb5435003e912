// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// 64-bit columns as 32-bit ones, for the kernels of those.
#pragma once

#include <cstdint>

namespace lacis::cpu {

/// Writes `count` columns to `narrow`. False where one of them is negative or above 2^31 - 1.
[[nodiscard]] bool narrow_columns(const std::int64_t* columns, std::int64_t count, std::int32_t* narrow);

}  // namespace lacis::cpu

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Which of the passes of foreach_target.h compile kernels. CMakeLists.txt says which targets of Highway there are.
#pragma once

#include <lacis/isa.hpp>

#include "base/internal.hpp"

#define LACIS_SIMD_TARGET (HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3)

namespace lacis::cpu {

/// Whether kernels of this set exist in this build and run on this processor. What fills a table with kernels is
/// compiled with their instructions too, and must not run without them.
[[nodiscard]] LACIS_INTERNAL bool is_supported(isa set);

}  // namespace lacis::cpu

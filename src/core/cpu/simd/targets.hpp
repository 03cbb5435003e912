// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Which of the passes of foreach_target.h compile kernels. CMakeLists.txt says which targets of Highway there are.
#pragma once

#define LACIS_SIMD_TARGET (HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3)

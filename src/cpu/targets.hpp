// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Which of Highway's targets the kernels are compiled for; included before any header of Highway.
#pragma once

// Below AVX2 there is no gather: the portable kernels are as good there. AVX3 is Highway's word for AVX-512.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)

/// True in the passes of foreach_target.h that compile kernels.
#define LACIS_SIMD_TARGET (HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3)

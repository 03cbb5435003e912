// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// How many registers a kernel gets whose launch chooses the size of its blocks.
#pragma once

namespace lacis::cuda {

/// Per thread, so that a multiprocessor with 65536 registers holds as many threads as it can: 1024 of compute
/// capability 7.5, 2048 of 8.0 and 9.0, 1536 of 12.0.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
inline constexpr int registers_when_full = 64;
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 1200
inline constexpr int registers_when_full = 32;
#else
inline constexpr int registers_when_full = 40;
#endif

/// Values of 16 bytes would spill with less than 40. All are at most 64, so blocks of 1024 threads can be launched.
/// `__launch_bounds__(1024)` ensures that too, but ptxas then takes 64 on 12.0, where a multiprocessor holds one such
/// block, and smaller blocks would not fill it.
template <class Value>
inline constexpr int most_registers = sizeof(Value) == 16 && registers_when_full < 40 ? 40 : registers_when_full;

}  // namespace lacis::cuda

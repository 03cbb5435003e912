// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The kernels that were compiled for CUDA, by number.
#pragma once

#include <kernels/headers.hpp>

namespace lacis::cuda {

struct cuda_kernel {
  const char* name = nullptr;
  const void* entry = nullptr;     ///< what cudaLaunchKernel takes; null when the kernel was not compiled
  int shared_bytes_by_thread = 0;  ///< that a launch gives
  int argument_count = 0;
};

// One function per header in src/core/kernels, in a generated file of its own.
#define LACIS_DECLARE(header) void add_##header##_kernels(cuda_kernel* table);
LACIS_FOR_EACH_KERNEL_HEADER(LACIS_DECLARE)
#undef LACIS_DECLARE

}  // namespace lacis::cuda

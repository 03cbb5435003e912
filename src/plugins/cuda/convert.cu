// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The kernels of kernels/convert.hpp, compiled for GPUs.
#include "cuda/entry.cuh"
#include "kernels/convert.hpp"

namespace lacis::cuda {

void add_convert_kernels(cuda_kernel* table) { add_kernels(kernels::convert_kernels{}, table); }

}  // namespace lacis::cuda

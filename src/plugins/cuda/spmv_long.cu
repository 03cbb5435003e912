// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The kernels of kernels/spmv_long.hpp, compiled for GPUs.
#include "cuda/entry.cuh"
#include "kernels/spmv_long.hpp"

namespace lacis::cuda {

void add_spmv_long_kernels(cuda_kernel* table) { add_kernels(kernels::spmv_long_kernels{}, table); }

}  // namespace lacis::cuda

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The kernels of kernels/spmm.hpp, compiled for GPUs.
#include "cuda/entry.cuh"
#include "kernels/spmm.hpp"

namespace lacis::cuda {

void add_spmm_kernels(cuda_kernel* table) { add_kernels(kernels::spmm_kernels{}, table); }

}  // namespace lacis::cuda

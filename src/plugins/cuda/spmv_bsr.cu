// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The kernels of kernels/spmv_bsr.hpp, compiled for GPUs.
#include "cuda/entry.cuh"
#include "kernels/spmv_bsr.hpp"

namespace lacis::cuda {

void add_spmv_bsr_kernels(cuda_kernel* table) { add_kernels(kernels::spmv_bsr_kernels{}, table); }

}  // namespace lacis::cuda

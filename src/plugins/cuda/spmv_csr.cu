// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The kernels of kernels/spmv_csr.hpp, compiled for GPUs.
#include "cuda/entry.cuh"
#include "kernels/spmv_csr.hpp"

namespace lacis::cuda {

void add_spmv_csr_kernels(cuda_kernel* table) { add_kernels(kernels::spmv_csr_kernels{}, table); }

}  // namespace lacis::cuda

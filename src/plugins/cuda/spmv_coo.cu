// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The kernels of kernels/spmv_coo.hpp, compiled for GPUs.
#include "cuda/entry.cuh"
#include "kernels/spmv_coo.hpp"

namespace lacis::cuda {

void add_spmv_coo_kernels(cuda_kernel* table) { add_kernels(kernels::spmv_coo_kernels{}, table); }

}  // namespace lacis::cuda

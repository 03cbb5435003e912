// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The kernels of kernels/spmv_jds.hpp, compiled for GPUs.
#include "cuda/entry.cuh"
#include "kernels/spmv_jds.hpp"

namespace lacis::cuda {

void add_spmv_jds_kernels(cuda_kernel* table) { add_kernels(kernels::spmv_jds_kernels{}, table); }

}  // namespace lacis::cuda

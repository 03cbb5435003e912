// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The kernels of kernels/spmv_ell.hpp, compiled for GPUs.
#include "cuda/entry.cuh"
#include "kernels/spmv_ell.hpp"

namespace lacis::cuda {

void add_spmv_ell_kernels(cuda_kernel* table) { add_kernels(kernels::spmv_ell_kernels{}, table); }

}  // namespace lacis::cuda

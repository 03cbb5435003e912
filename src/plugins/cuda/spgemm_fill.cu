// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The kernels of kernels/spgemm_fill.hpp, compiled for GPUs.
#include "cuda/entry.cuh"
#include "kernels/spgemm_fill.hpp"

namespace lacis::cuda {

void add_spgemm_fill_kernels(cuda_kernel* table) { add_kernels(kernels::spgemm_fill_kernels{}, table); }

}  // namespace lacis::cuda

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The kernels of kernels/spgemm_count.hpp, compiled for GPUs.
#include "cuda/entry.cuh"
#include "kernels/spgemm_count.hpp"

namespace lacis::cuda {

void add_spgemm_count_kernels(cuda_kernel* table) { add_kernels(kernels::spgemm_count_kernels{}, table); }

}  // namespace lacis::cuda

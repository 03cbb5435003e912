// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The kernels of kernels/spgemm_hash.hpp, compiled for GPUs.
#include "cuda/entry.cuh"
#include "kernels/spgemm_hash.hpp"

namespace lacis::cuda {

void add_spgemm_hash_kernels(cuda_kernel* table) { add_kernels(kernels::spgemm_hash_kernels{}, table); }

}  // namespace lacis::cuda

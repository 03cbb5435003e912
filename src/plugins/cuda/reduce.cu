// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The kernels of kernels/reduce.hpp, compiled for GPUs.
#include "cuda/entry.cuh"
#include "kernels/reduce.hpp"

namespace lacis::cuda {

void add_reduce_kernels(cuda_kernel* table) { add_kernels(kernels::reduce_kernels{}, table); }

}  // namespace lacis::cuda

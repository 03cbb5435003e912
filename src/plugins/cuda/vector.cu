// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The kernels of kernels/vector.hpp, compiled for GPUs.
#include "cuda/entry.cuh"
#include "kernels/vector.hpp"

namespace lacis::cuda {

void add_vector_kernels(cuda_kernel* table) { add_kernels(kernels::vector_kernels{}, table); }

}  // namespace lacis::cuda

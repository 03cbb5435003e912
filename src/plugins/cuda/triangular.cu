// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The kernels of kernels/triangular.hpp, compiled for GPUs.
#include "cuda/entry.cuh"
#include "kernels/triangular.hpp"

namespace lacis::cuda {

void add_triangular_kernels(cuda_kernel* table) { add_kernels(kernels::triangular_kernels{}, table); }

}  // namespace lacis::cuda

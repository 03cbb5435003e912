// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The kernels of kernels/dense.hpp, compiled for GPUs.
#include "cuda/entry.cuh"
#include "kernels/dense.hpp"

namespace lacis::cuda {

void add_dense_kernels(cuda_kernel* table) { add_kernels(kernels::dense_kernels{}, table); }

}  // namespace lacis::cuda

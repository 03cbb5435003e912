// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of CSR matrices with a vector, by threads, warps and parts of warps.
#pragma once

#include "kernels/kernel.hpp"

namespace lacis::kernels {

using spmv_csr_kernels = kernel_list<>;

}  // namespace lacis::kernels

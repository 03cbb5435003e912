// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of long CSR rows: a warp a chunk, chunks joined by the tree.
#pragma once

#include "kernels/kernel.hpp"

namespace lacis::kernels {

using spmv_long_kernels = kernel_list<>;

}  // namespace lacis::kernels

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of BSR matrices with a vector.
#pragma once

#include "kernels/kernel.hpp"

namespace lacis::kernels {

using spmv_bsr_kernels = kernel_list<>;

}  // namespace lacis::kernels

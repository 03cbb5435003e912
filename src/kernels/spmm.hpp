// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of CSR matrices with dense columns.
#pragma once

#include "kernels/kernel.hpp"

namespace lacis::kernels {

using spmm_kernels = kernel_list<>;

}  // namespace lacis::kernels

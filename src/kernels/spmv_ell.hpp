// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of ELL matrices with a vector.
#pragma once

#include "kernels/kernel.hpp"

namespace lacis::kernels {

using spmv_ell_kernels = kernel_list<>;

}  // namespace lacis::kernels

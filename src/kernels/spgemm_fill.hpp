// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Sparse products, second kernel: columns and values.
#pragma once

#include "kernels/kernel.hpp"

namespace lacis::kernels {

using spgemm_fill_kernels = kernel_list<>;

}  // namespace lacis::kernels

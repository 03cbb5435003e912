// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Sparse products, third kernel: columns of each row in order.
#pragma once

#include "kernels/kernel.hpp"

namespace lacis::kernels {

using spgemm_sort_kernels = kernel_list<>;

}  // namespace lacis::kernels

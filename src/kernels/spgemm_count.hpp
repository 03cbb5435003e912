// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Sparse products, first kernel: how many entries each row of the result has.
#pragma once

#include "kernels/kernel.hpp"

namespace lacis::kernels {

using spgemm_count_kernels = kernel_list<>;

}  // namespace lacis::kernels

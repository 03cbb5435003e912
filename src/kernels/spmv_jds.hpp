// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of JDS matrices with a vector.
#pragma once

#include "kernels/kernel.hpp"

namespace lacis::kernels {

using spmv_jds_kernels = kernel_list<>;

}  // namespace lacis::kernels

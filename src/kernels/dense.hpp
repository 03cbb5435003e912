// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of dense matrices.
#pragma once

#include "kernels/kernel.hpp"

namespace lacis::kernels {

using dense_kernels = kernel_list<>;

}  // namespace lacis::kernels

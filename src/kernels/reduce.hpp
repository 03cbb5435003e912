// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Sums over vectors: dot products, norms, the reductions of the texts.
#pragma once

#include "kernels/kernel.hpp"

namespace lacis::kernels {

using reduce_kernels = kernel_list<>;

}  // namespace lacis::kernels

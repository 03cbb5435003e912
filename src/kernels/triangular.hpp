// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Triangular solves.
#pragma once

#include "kernels/kernel.hpp"

namespace lacis::kernels {

using triangular_kernels = kernel_list<>;

}  // namespace lacis::kernels

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Conversions from CSR to the other formats.
#pragma once

#include "kernels/kernel.hpp"

namespace lacis::kernels {

using convert_kernels = kernel_list<>;

}  // namespace lacis::kernels

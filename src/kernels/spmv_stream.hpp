// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of CSR matrices whose short rows are staged in shared memory.
#pragma once

#include "kernels/kernel.hpp"

namespace lacis::kernels {

using spmv_stream_kernels = kernel_list<>;

}  // namespace lacis::kernels

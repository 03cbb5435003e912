// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The kernels of kernels/reduce.hpp, compiled for the host executor.
#include "simt/host_kernels.hpp"
#include "kernels/reduce.hpp"

namespace lacis::device {

void add_reduce_kernels(host_kernel_table& table) { add_kernels(kernels::reduce_kernels{}, table); }

}  // namespace lacis::device

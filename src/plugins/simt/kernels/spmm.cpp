// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The kernels of kernels/spmm.hpp, compiled for the host executor.
#include "simt/host_kernels.hpp"
#include "kernels/spmm.hpp"

namespace lacis::device {

void add_spmm_kernels(host_kernel_table& table) { add_kernels(kernels::spmm_kernels{}, table); }

}  // namespace lacis::device

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The kernels of kernels/spmv_coo.hpp, compiled for the host executor.
#include "simt/host_kernels.hpp"
#include "kernels/spmv_coo.hpp"

namespace lacis::device {

void add_spmv_coo_kernels(host_kernel_table& table) { add_kernels(kernels::spmv_coo_kernels{}, table); }

}  // namespace lacis::device

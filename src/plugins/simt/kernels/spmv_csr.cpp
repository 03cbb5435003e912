// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The kernels of kernels/spmv_csr.hpp, compiled for the host executor.
#include "simt/host_kernels.hpp"
#include "kernels/spmv_csr.hpp"

namespace lacis::device {

void add_spmv_csr_kernels(host_kernel_table& table) { add_kernels(kernels::spmv_csr_kernels{}, table); }

}  // namespace lacis::device

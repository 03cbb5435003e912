// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The kernels of kernels/dense.hpp, compiled for the host executor.
#include "simt/host_kernels.hpp"
#include "kernels/dense.hpp"

namespace lacis::device {

void add_dense_kernels(host_kernel_table& table) { add_kernels(kernels::dense_kernels{}, table); }

}  // namespace lacis::device

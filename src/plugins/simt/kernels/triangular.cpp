// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The kernels of kernels/triangular.hpp, compiled for the host executor.
#include "simt/host_kernels.hpp"
#include "kernels/triangular.hpp"

namespace lacis::device {

void add_triangular_kernels(host_kernel_table& table) { add_kernels(kernels::triangular_kernels{}, table); }

}  // namespace lacis::device

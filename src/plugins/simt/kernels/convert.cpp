// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The kernels of kernels/convert.hpp, compiled for the host executor.
#include "simt/host_kernels.hpp"
#include "kernels/convert.hpp"

namespace lacis::device {

void add_convert_kernels(host_kernel_table& table) { add_kernels(kernels::convert_kernels{}, table); }

}  // namespace lacis::device

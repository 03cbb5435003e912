// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The kernels of kernels/vector.hpp, compiled for the host executor.
#include "simt/host_kernels.hpp"
#include "kernels/vector.hpp"

namespace lacis::device {

void add_vector_kernels(host_kernel_table& table) { add_kernels(kernels::vector_kernels{}, table); }

}  // namespace lacis::device

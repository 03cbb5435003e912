// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The kernels of kernels/spgemm_hash.hpp, compiled for the host executor.
#include "simt/host_kernels.hpp"
#include "kernels/spgemm_hash.hpp"

namespace lacis::device {

void add_spgemm_hash_kernels(host_kernel_table& table) { add_kernels(kernels::spgemm_hash_kernels{}, table); }

}  // namespace lacis::device

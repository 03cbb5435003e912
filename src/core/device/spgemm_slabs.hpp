// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A sparse product from and to host memory, in as many slabs of rows as the memory of the device asks for.
#pragma once

#include <lacis/device_spgemm.hpp>

#include "device/spgemm.hpp"

namespace lacis::device {

/// See lacis::multiply(where, A, B): operands are canonical, and fit each other.
template <class Value, class Index>
[[nodiscard]] csr_matrix<Value, Index> multiply_in_slabs(runtime& device, const csr_view<Value, Index>& a,
                                                         const csr_view<Value, Index>& b,
                                                         const device_spgemm_options& options,
                                                         const spgemm_tuning& tuning, device_spgemm_report& report);

}  // namespace lacis::device

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of CSR matrices with dense columns on a device.
#pragma once

#include <cstdint>

#include <lacis/dense.hpp>

#include "base/internal.hpp"
#include "device/matrix.hpp"
#include "device/row_bins.hpp"
#include "device/runtime.hpp"

namespace lacis::device {

/// What is found out about a matrix once, for many products with up to `columns` dense columns. It holds the chunk sums
/// of a product under way, so one stream uses it at a time.
template <class Value> struct spmm_plan {
  std::int64_t columns = 0;
  row_bins bins;
  device_array<device_of<Value>> sums;
};

template <class Value, class Index>
[[nodiscard]] LACIS_INTERNAL spmm_plan<Value> plan_spmm(runtime& device, const device_csr<Value, Index>& a,
                                                        std::int64_t columns);

/// Y = alpha A X + beta Y in the canonical order for every column, scaled as summation::combine has it: beta = 0 does
/// not read Y, alpha = 0 reads neither A nor X. The views point to arrays on the device that lie apart; what lies
/// between the rows or columns of Y stays. Canonical rows are the caller's to ensure.
template <class Value, class Index>
LACIS_INTERNAL void spmm(runtime& device, const spmm_plan<Value>& plan, const device_csr<Value, Index>& a, Value alpha,
                         dense_view<const device_of<Value>> x, Value beta, dense_view<device_of<Value>> y);

}  // namespace lacis::device

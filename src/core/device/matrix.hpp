// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A CSR matrix on a device.
#pragma once

#include <cstdint>

#include <lacis/csr.hpp>

#include "device/runtime.hpp"

namespace lacis::device {

/// The arrays of a csr_view; one value when it is iso.
template <class Value, class Index> struct device_csr {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t nnz = 0;
  bool iso = false;
  device_array<std::int64_t> row_offsets;
  device_array<Index> columns;
  device_array<device_of<Value>> values;
};

template <class Value, class Index> device_csr<Value, Index> upload(runtime& device, const csr_view<Value, Index>& a) {
  return {a.rows,
          a.cols,
          a.nnz(),
          a.values.iso,
          device.upload<std::int64_t>(a.row_offsets),
          device.upload<Index>(a.columns),
          device.upload<Value>(a.values.data)};
}

}  // namespace lacis::device

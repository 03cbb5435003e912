// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A CSR matrix in host memory becomes a SELL-32 matrix on a device, without a CSR matrix there.
#pragma once

#include <cstdint>
#include <span>

#include <lacis/buffer.hpp>

#include "device/convert.hpp"
#include "device/runtime.hpp"

namespace lacis::device {

/// Where rows go: those of lacis::convert<sell_matrix> with slices of 32 rows and the default window.
template <class Index> struct sell_places {
  buffer<Index> permutation;
  buffer<std::int64_t> slice_offsets;

  explicit sell_places(std::span<const std::int64_t> row_offsets);
  [[nodiscard]] std::int64_t slots() const { return slice_offsets[slice_offsets.size() - 1]; }
};

/// The arrays of to_sell(), bit for bit. Entries travel in parts of whole windows, about a sixteenth of the matrix
/// each, so that the device never holds much more than the result.
template <class Value, class Index>
[[nodiscard]] device_sell<Value, Index> upload_sell(runtime& device, const csr_view<Value, Index>& a,
                                                    const sell_places<Index>& places);

}  // namespace lacis::device

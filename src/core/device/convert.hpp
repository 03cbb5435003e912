// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Matrices on a device in the formats other than CSR, and their conversion from CSR, on the device too.
#pragma once

#include <cstdint>

#include <lacis/format.hpp>

#include "base/internal.hpp"
#include "device/matrix.hpp"
#include "device/runtime.hpp"

namespace lacis::device {

/// The arrays of a coo_view; one value when it is iso, as in all of these.
template <class Value, class Index> struct device_coo {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  bool iso = false;
  device_array<Index> row_indices;
  device_array<Index> columns;
  device_array<device_of<Value>> values;

  [[nodiscard]] std::int64_t nnz() const { return columns.size(); }
};

/// The arrays of an ell_view.
template <class Value, class Index> struct device_ell {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t width = 0;
  std::int64_t entries = 0;
  bool iso = false;
  device_array<Index> row_lengths;
  device_array<Index> columns;
  device_array<device_of<Value>> values;
};

/// The arrays of a hyb_view, and where the rest of each row begins in its COO part: rows + 1 offsets.
template <class Value, class Index> struct device_hyb {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  device_ell<Value, Index> ell;
  device_coo<Value, Index> coo;
  device_array<std::int64_t> rest_offsets;
};

/// The arrays of a jds_view.
template <class Value, class Index> struct device_jds {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  bool iso = false;
  device_array<Index> permutation;
  device_array<std::int64_t> diagonal_offsets;
  device_array<Index> columns;
  device_array<device_of<Value>> values;

  [[nodiscard]] std::int64_t diagonals() const { return diagonal_offsets.size() - 1; }
};

/// The arrays of a sell_view.
template <class Value, class Index> struct device_sell {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t entries = 0;
  std::int64_t slice_height = 1;
  std::int64_t sort_window = 1;
  bool iso = false;
  device_array<Index> permutation;
  device_array<Index> row_lengths;
  device_array<std::int64_t> slice_offsets;
  device_array<Index> columns;
  device_array<device_of<Value>> values;
};

/// The arrays of a bsr_view.
template <class Value, class Index> struct device_bsr {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t entries = 0;
  std::int64_t block_size = 1;
  bool iso = false;
  device_array<std::int64_t> row_offsets;
  device_array<Index> block_columns;
  device_array<std::uint8_t> mask;
  device_array<device_of<Value>> values;
};

// The arrays that lacis::convert makes, bit for bit, padding included. Formats with padding refuse to become larger
// than options.memory_limit, or three quarters of the device's memory when that is 0: error(out_of_memory).

template <class Value, class Index>
[[nodiscard]] LACIS_INTERNAL device_coo<Value, Index> to_coo(runtime& device, const device_csr<Value, Index>& a);
template <class Value, class Index>
[[nodiscard]] LACIS_INTERNAL device_ell<Value, Index> to_ell(runtime& device, const device_csr<Value, Index>& a,
                                                             const convert_options& options = {});
template <class Value, class Index>
[[nodiscard]] LACIS_INTERNAL device_hyb<Value, Index> to_hyb(runtime& device, const device_csr<Value, Index>& a,
                                                             const convert_options& options = {});
template <class Value, class Index>
[[nodiscard]] LACIS_INTERNAL device_jds<Value, Index> to_jds(runtime& device, const device_csr<Value, Index>& a);
template <class Value, class Index>
[[nodiscard]] LACIS_INTERNAL device_sell<Value, Index> to_sell(runtime& device, const device_csr<Value, Index>& a,
                                                               const convert_options& options = {});
/// Throws error(invalid_matrix) when rows are not canonical: a block has one slot for each place.
template <class Value, class Index>
[[nodiscard]] LACIS_INTERNAL device_bsr<Value, Index> to_bsr(runtime& device, const device_csr<Value, Index>& a,
                                                             const convert_options& options = {});

/// Takes over the arrays of a COO matrix whose entries are grouped by ascending row, which is the caller's to ensure,
/// and finds out where rows begin.
template <class Value, class Index>
[[nodiscard]] LACIS_INTERNAL device_csr<Value, Index> to_csr(runtime& device, device_coo<Value, Index>&& a);

}  // namespace lacis::device

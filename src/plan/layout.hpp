// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The arrays that a plan multiplies with.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <lacis/csr.hpp>
#include <lacis/plan.hpp>
#include <lacis/sell.hpp>

namespace lacis::detail {

/// One matrix in the layout chosen for it. As CSR: everything in `rows_apart`. As SELL: rows that the order sums from
/// left to right in `short_rows`, side by side, whose permutation names rows of the matrix; the longer ones in
/// `rows_apart`, whose row k is row long_rows[k] of the matrix.
template <class Value, class Index> struct layout {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  bool is_sell = false;
  sell_matrix<Value, Index> short_rows;
  csr_matrix<Value, Index> rows_apart;
  buffer<Index> long_rows;

  [[nodiscard]] std::int64_t nnz() const { return short_rows.nnz() + rows_apart.nnz(); }
};

/// What a plan holds.
template <class Value, class Index> struct plan_data {
  plan_options options;
  lacis::isa set = isa::scalar;
  layout<Value, Index> plain;
  std::optional<layout<Value, Index>> transposed;
  std::optional<layout<Value, Index>> conjugate_transposed;
  /// The pattern as it was given, where it was not canonical: update_values needs it.
  std::optional<csr_matrix<Value, Index>> given_pattern;
  std::string reason;
};

/// Slices have a lane for each element of a 64-byte vector.
template <class Value>
inline constexpr std::int64_t slice_height = 64 / static_cast<std::int64_t>(sizeof(real_of<Value>));
/// Rows are sorted by length within so many.
inline constexpr std::int64_t sort_window = 256;

/// A canonical matrix as CSR or as SELL with long rows apart.
template <class Value, class Index>
[[nodiscard]] layout<Value, Index> make_layout(const csr_view<Value, Index>& a, bool is_sell);
/// The matrix that a layout holds.
template <class Value, class Index> [[nodiscard]] csr_matrix<Value, Index> csr_of(const layout<Value, Index>& l);
/// Puts the values of `a`, which has the layout's pattern, in their places.
template <class Value, class Index> void set_values(layout<Value, Index>& l, const csr_view<Value, Index>& a);
template <class Value, class Index> [[nodiscard]] std::int64_t bytes_of(const layout<Value, Index>& l);

}  // namespace lacis::detail

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The arrays that a plan multiplies with.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <lacis/csr.hpp>
#include <lacis/plan.hpp>

#include "plan/packed.hpp"

namespace lacis::detail {

/// One matrix in the layout chosen for it. As CSR: everything in `rows_apart`. As SELL: rows that the order sums from
/// left to right in `blocks`, packed side by side; the longer ones in `rows_apart`, whose row k is row long_rows[k] of
/// the matrix. There is one block, or one for each range of columns where x is larger than the caches: as sums go from
/// left to right, a block goes on from the sums of the one before. The first block has every short row.
template <class Value, class Index> struct layout {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  bool is_sell = false;
  std::vector<packed_rows<Value, Index>> blocks;
  csr_matrix<Value, Index> rows_apart;
  buffer<Index> long_rows;

  [[nodiscard]] std::int64_t nnz() const {
    std::int64_t entries = rows_apart.nnz();
    for (const auto& block : blocks) entries += block.entries;
    return entries;
  }
};

/// Which layout, and why.
struct layout_choice {
  bool is_sell = false;
  int blocks = 1;
  std::string reason;
};

template <class Value, class Index> struct device_part;

/// What a plan holds.
template <class Value, class Index> struct plan_data {
  plan_options options;
  lacis::isa set = isa::scalar;
  /// A plan of a device has its arrays there, and layouts without entries.
  std::shared_ptr<device_part<Value, Index>> on_device;
  layout<Value, Index> plain;
  std::optional<layout<Value, Index>> transposed;
  std::optional<layout<Value, Index>> conjugate_transposed;
  /// The pattern as it was given, where it was not canonical: update_values needs it.
  std::optional<csr_matrix<Value, Index>> given_pattern;
  std::string reason;
  plan_report report;
  buffer<std::int64_t> order;
};

/// Throws error(invalid_argument): the plan does not hold that side.
[[noreturn]] void throw_side_missing(side which);

/// The layout for a canonical matrix.
template <class Value, class Index>
[[nodiscard]] layout_choice choose_layout(const csr_view<Value, Index>& a, const plan_options& options);
template <class Value, class Index>
[[nodiscard]] layout<Value, Index> make_layout(const csr_view<Value, Index>& a, const layout_choice& choice);
/// The matrix that a layout holds.
template <class Value, class Index> [[nodiscard]] csr_matrix<Value, Index> csr_of(const layout<Value, Index>& l);
/// Puts the values of `a`, which has the layout's pattern, in their places.
template <class Value, class Index> void set_values(layout<Value, Index>& l, const csr_view<Value, Index>& a);
template <class Value, class Index> [[nodiscard]] std::int64_t bytes_of(const layout<Value, Index>& l);

}  // namespace lacis::detail

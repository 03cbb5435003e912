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

#include "plan/layouts/sell/packed.hpp"
#include "plan/layouts/staged/staged.hpp"
#include "plan/layouts/stencil/stencil.hpp"
#include "plan/spare_workspace.hpp"

namespace lacis::detail {

/// One matrix in the layout chosen for it.
///
/// csr: everything in `rows_apart`. The others keep rows that the order sums from left to right in arrays of their own,
/// and longer ones in `rows_apart`, whose row k is row long_rows[k] of the matrix.
/// sell: short rows in `blocks`, packed side by side. There is one block, or one for each range of columns where x is
/// larger than the caches: as sums go from left to right, a block goes on from the sums of the one before. The first
/// block has every short row.
/// stencil: rows with a pattern in `stencil`, other short rows in one block.
/// staged: everything in `staged`.
template <class Value, class Index> struct layout {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  plan_layout kind = plan_layout::csr;
  cpu::value_form form = cpu::value_form::full;
  std::vector<packed_rows<Value, Index>> blocks;
  csr_matrix<Value, Index> rows_apart;
  buffer<Index> long_rows;
  stencil_rows<Value> stencil;
  staged_rows<Value, Index> staged;

  [[nodiscard]] std::int64_t nnz() const {
    std::int64_t entries = rows_apart.nnz() + stencil.entries + staged.entries;
    for (const auto& block : blocks) entries += block.entries;
    return entries;
  }
};

/// Which layout.
struct layout_choice {
  plan_layout kind = plan_layout::csr;
  int blocks = 1;                                ///< sell: ranges of columns
  cpu::value_form form = cpu::value_form::full;  ///< of values, or one that is narrower than that
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
  std::uint64_t hash = 0;  ///< entries_hash(), 0 while nobody has asked; read and written atomically
  spare_workspace memory;
};

/// Throws error(invalid_argument): the plan does not hold that side.
[[noreturn]] void throw_side_missing(side which);

template <class Value, class Index>
[[nodiscard]] layout<Value, Index> make_layout(const csr_view<Value, Index>& a, const layout_choice& choice);
/// The matrix that a layout holds.
template <class Value, class Index> [[nodiscard]] csr_matrix<Value, Index> csr_of(const layout<Value, Index>& l);
/// Puts the values of `a`, which has the layout's pattern, in their places, in that form.
template <class Value, class Index>
void set_values(layout<Value, Index>& l, const csr_view<Value, Index>& a, cpu::value_form form);
template <class Value, class Index> [[nodiscard]] std::int64_t bytes_of(const layout<Value, Index>& l);
/// Bytes that one product moves at least: the arrays, what is staged once more, x and y once. Every screen shows this.
template <class Value, class Index> [[nodiscard]] std::int64_t moved_bytes_of(const layout<Value, Index>& l);

/// Over the size, the places and the values of all entries; the same for every layout. Never 0.
template <class Value, class Index> [[nodiscard]] std::uint64_t hash_of(const csr_view<Value, Index>& a);
/// That of the matrix that a plan multiplies with, computed once.
template <class Value, class Index> [[nodiscard]] std::uint64_t entries_hash(const plan<Value, Index>& p);

}  // namespace lacis::detail

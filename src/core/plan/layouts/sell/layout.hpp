// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The layout `sell`: short rows packed side by side, longer ones as csr. Other layouts keep what does not fit them so.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <lacis/workspace.hpp>

#include "cpu/launch.hpp"
#include "cpu/spmv/row_source.hpp"
#include "plan/cost.hpp"
#include "plan/layouts/sell/packed.hpp"
#include "plan/layouts/shared.hpp"
#include "plan/row_reach.hpp"

namespace lacis::detail {

/// Short rows in `blocks`. There is one block, or one for each range of columns where x is larger than the caches: as
/// sums go from left to right, a block goes on from the sums of the one before. The first block has every short row.
/// Rows that the order does not sum from left to right are in `csr_part`, whose row k is row long_rows[k] of the
/// matrix.
template <class Value, class Index> struct sell_layout {
  std::int64_t rows = 0;
  std::vector<packed_rows<Value, Index>> blocks;
  csr_matrix<Value, Index> csr_part;
  buffer<Index> long_rows;

  [[nodiscard]] std::int64_t entries() const {
    std::int64_t entries = csr_part.nnz();
    for (const auto& block : blocks) entries += block.entries;
    return entries;
  }
  [[nodiscard]] bool has_rows() const {
    return !long_rows.empty() ||
           std::any_of(blocks.begin(), blocks.end(), [](const auto& block) { return !block.headers.empty(); });
  }
  /// Whether a row has parts in several blocks.
  [[nodiscard]] bool in_parts() const { return blocks.size() > 1; }
};

template <class Value, class Index>
[[nodiscard]] cpu::value_form build(sell_layout<Value, Index>& l, const csr_view<Value, Index>& given,
                                    const layout_choice& choice);
template <class Value, class Index>
void set_values(sell_layout<Value, Index>& l, const csr_view<Value, Index>& a, cpu::value_form form);
template <class Value, class Index> [[nodiscard]] std::int64_t bytes_of(const sell_layout<Value, Index>& l);
template <class A, class Index, class X, class T>
void multiply_layout(const cpu::launch& how, const cpu::scaling<T>& scale, const sell_layout<A, Index>& l, const X* x,
                     T* y, workspace& memory);
/// Whether each of `threads` threads can multiply a share of its own: all short rows are in one block, and no long row
/// has to be cut between threads.
template <class Value, class Index> [[nodiscard]] bool has_shares(const sell_layout<Value, Index>& l, int threads);
/// One thread's share of the short rows and of the long ones, inside cpu::run. Waking threads once more for the long
/// rows takes longer than a small product. Inspection has looked at the columns, so they are not checked.
template <class A, class Index, class X, class T>
void multiply_share(isa set, const cpu::scaling<T>& scale, const sell_layout<A, Index>& l, const X* x, T* y, int thread,
                    int threads);
template <class A, class Index>
bool supply_rows(const cpu::launch& how, const sell_layout<A, Index>& l, const cpu::row_work<A, Index>& work);

template <class T, class Index> [[nodiscard]] row_reach reach_of(const sell_layout<T, Index>& l);
/// Rows begin .. end of y = A x; a range as the reach says.
template <class T, class Index>
void multiply_range(isa set, const sell_layout<T, Index>& l, const row_reach& reach, const T* x, std::int64_t begin,
                    std::int64_t end, T* y);

/// The listed rows of a matrix, all of them long, and the short ones among the listed others, in one block.
template <class Value, class Index>
[[nodiscard]] sell_layout<Value, Index> keep_rows(const csr_view<Value, Index>& a, buffer<Index> long_rows,
                                                  buffer<Index> short_rows, cpu::value_form form);
/// Rows that are longer than the order sums from left to right, of those that are `wanted`; and the shorter ones.
template <class Value, class Index, class Wanted>
[[nodiscard]] std::pair<buffer<Index>, buffer<Index>> long_and_short(const csr_view<Value, Index>& a, Wanted&& wanted) {
  const auto is_long = [&](std::int64_t i) { return length_of(a.row_offsets, i) > summation::canonical.short_limit; };
  return {rows_where<Index>(a.rows, [&](std::int64_t i) { return is_long(i) && wanted(i); }),
          rows_where<Index>(a.rows, [&](std::int64_t i) { return !is_long(i) && wanted(i); })};
}

struct sell_model {
  void add_candidates(const costing& c, std::vector<costed_layout>& all) const;
  [[nodiscard]] std::string reason(const features& f, const costed_layout& chosen) const;
};
/// Nanoseconds of one thread to make it, for each entry and row.
inline constexpr double making_of_sell_entry = 5;
inline constexpr double making_of_sell_row = 40;

/// The cost of a share of the short rows as SELL and a share of the long ones as csr; `storage` gets their bytes.
[[nodiscard]] product_cost packed_part(const costing& c, double short_share, double long_share, double& storage);

}  // namespace lacis::detail

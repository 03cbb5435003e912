// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The layout `bsr`: rows that come in full square blocks, with one column index per block; other rows as sell.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "plan/layouts/sell/layout.hpp"

namespace lacis::detail {

/// Rows of the largest block that is looked for, and of the smallest.
inline constexpr std::int64_t largest_block = 4;
inline constexpr std::int64_t smallest_block = 2;

/// Up to `height` block rows, a lane each. Rows of short and of longer block rows are not in one slice: they are summed
/// differently.
struct bsr_slice {
  std::int64_t slots = 0;     ///< its first slot; slot s of lane l is the s-th block of the l-th block row
  std::uint8_t shortest = 0;  ///< blocks of a block row; 0 when lanes are empty
  std::uint8_t longest = 0;
  std::uint8_t count = 0;  ///< block rows
  bool is_short = true;    ///< rows are summed from left to right
};

/// Block row k has rows k * block to k * block + block - 1. They have the same columns, which come in runs of `block`
/// consecutive ones; nothing is filled up. Element (i, j) of slot s of lane l is value
/// ((slice.slots + s) * block^2 + j * block + i) * height + l; the slot's first column is
/// columns[(slice.slots + s) * height + l]. Block rows are sorted by length in windows.
template <class Value, class Index> struct bsr_layout {
  static constexpr std::int64_t height = cpu::slice_height<Value>;

  std::int64_t block = smallest_block;
  std::int64_t entries_in_blocks = 0;
  buffer<bsr_slice> slices;
  buffer<Index> block_rows;      ///< height for each slice
  buffer<std::uint8_t> lengths;  ///< in blocks, height for each slice
  buffer<Index> columns;
  packed_values<Value> values;
  sell_layout<Value, Index> others;

  [[nodiscard]] std::int64_t entries() const { return entries_in_blocks + others.entries(); }
  [[nodiscard]] std::string label() const { return text("bsr-", block); }
  [[nodiscard]] std::int64_t slots() const { return columns.size() / height; }
  /// The slice at which part `part` of `parts` begins when slots are shared evenly.
  [[nodiscard]] std::int64_t cut(int part, int parts) const;
  [[nodiscard]] std::int64_t value_slot(std::int64_t slot, std::int64_t i, std::int64_t j, std::int64_t lane) const {
    return ((slot * block + j) * block + i) * height + lane;
  }
};

template <class Value, class Index>
[[nodiscard]] cpu::value_form build(bsr_layout<Value, Index>& l, const csr_view<Value, Index>& given,
                                    const layout_choice& choice);
template <class Value, class Index>
void set_values(bsr_layout<Value, Index>& l, const csr_view<Value, Index>& a, cpu::value_form form);
template <class Value, class Index> [[nodiscard]] std::int64_t bytes_of(const bsr_layout<Value, Index>& l) {
  return array_bytes(l.slices, l.block_rows, l.lengths, l.columns) + l.values.bytes() + bytes_of(l.others);
}
template <class A, class Index, class X, class T>
void multiply_layout(const cpu::launch& how, const cpu::scaling<T>& scale, const bsr_layout<A, Index>& l, const X* x,
                     T* y, workspace& memory);
template <class A, class Index>
bool supply_rows(const cpu::launch& how, const bsr_layout<A, Index>& l, const cpu::row_work<A, Index>& work);

/// What a sample of a matrix says about blocks.
struct bsr_model {
  std::int64_t block = smallest_block;
  double short_share = 0;  ///< of the entries in short rows, those in full blocks
  double long_share = 0;   ///< of the entries in longer rows
  double row_share = 0;    ///< of the rows
  double padding = 1;      ///< slots for each block

  void add_candidates(const costing& c, std::vector<costed_layout>& all) const;
  [[nodiscard]] std::string reason(const features& f, const costed_layout& chosen) const;
};
template <class Value, class Index> void take_sample(bsr_model& m, const csr_view<Value, Index>& a);

}  // namespace lacis::detail

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Two canonical matrices of one size, walked through together row by row.
#pragma once

#include <cstdint>

#include "formats/rows.hpp"

namespace lacis::detail {

/// Row offsets by which threads share the work of walking through both.
template <value Value, index Index>
buffer<std::int64_t> joint_offsets(const csr_view<Value, Index>& a, const csr_view<Value, Index>& b) {
  buffer<std::int64_t> offsets(a.rows + 1);
  parallel_for(a.rows + 1, [&](std::int64_t i) { offsets[i] = a.row_offsets.data()[i] + b.row_offsets.data()[i]; });
  return offsets;
}

/// visit(column, k, l) for every column stored in row `row` of a or b, ascending; k and l are the entries of a and b
/// there, or -1.
template <value Value, index Index, class Visit>
void walk_together(const csr_view<Value, Index>& a, const csr_view<Value, Index>& b, std::int64_t row, Visit&& visit) {
  std::int64_t k = a.row_offsets.data()[row];
  std::int64_t l = b.row_offsets.data()[row];
  const std::int64_t a_end = a.row_offsets.data()[row + 1];
  const std::int64_t b_end = b.row_offsets.data()[row + 1];
  while (k < a_end || l < b_end) {
    const bool takes_a = l == b_end || (k < a_end && a.columns.data()[k] <= b.columns.data()[l]);
    const bool takes_b = k == a_end || (l < b_end && b.columns.data()[l] <= a.columns.data()[k]);
    const Index column = takes_a ? a.columns.data()[k] : b.columns.data()[l];
    visit(column, takes_a ? k++ : -1, takes_b ? l++ : -1);
  }
}

}  // namespace lacis::detail

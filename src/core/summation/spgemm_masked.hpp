// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The reference of masked products: the whole product, and what a mask leaves of it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>

#include <lacis/csr.hpp>
#include <lacis/spgemm_masked.hpp>

#include "summation/rows.hpp"
#include "summation/spgemm.hpp"

namespace lacis::summation {

/// The entries of C at places that the mask stores, or those at all other places, with their bits. Both are canonical.
template <value T, index Index>
[[nodiscard]] csr_matrix<T, Index> select(const csr_view<T, Index>& c, const pattern_view<Index>& mask,
                                          mask_side side) {
  row_list<T, Index> rows;
  for (std::size_t i = 0; i < static_cast<std::size_t>(c.rows); ++i) {
    const auto begin = mask.columns.begin() + mask.row_offsets[i];
    const auto end = mask.columns.begin() + mask.row_offsets[i + 1];
    std::map<Index, T> row;
    for (std::int64_t p = c.row_offsets[i]; p < c.row_offsets[i + 1]; ++p) {
      const Index column = c.columns[static_cast<std::size_t>(p)];
      if (std::binary_search(begin, end, column) == (side == mask_side::stored)) row[column] = c.values[p];
    }
    rows.append(row);
  }
  return rows.matrix(c.cols);
}

template <value T, index Index>
[[nodiscard]] csr_matrix<T, Index> spgemm_masked(const csr_view<T, Index>& a, const csr_view<T, Index>& b,
                                                 const pattern_view<Index>& mask, mask_side side) {
  const csr_matrix<T, Index> product = spgemm(a, b);
  return select(product.view(), mask, side);
}

}  // namespace lacis::summation

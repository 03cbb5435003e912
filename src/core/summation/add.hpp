// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The reference sum of two sparse matrices.
#pragma once

#include <cstdint>
#include <map>

#include <lacis/csr.hpp>

#include "summation/arithmetic.hpp"
#include "summation/environment.hpp"
#include "summation/rows.hpp"
#include "summation/scale.hpp"

namespace lacis::summation {

/// alpha A + beta B for canonical matrices of one size. Entry (i, j) exists when A or B has it: where both do, it is
/// round(round(alpha a) + round(beta b)), otherwise the scaled value of the one that does. A factor of 1 skips its
/// product, so an entry that stands alone keeps its bits, the sign of a zero too.
template <value T, index Index>
[[nodiscard]] csr_matrix<T, Index> add(T alpha, const csr_view<T, Index>& a, T beta, const csr_view<T, Index>& b) {
  const rounding_guard guard;
  row_list<T, Index> rows;
  for (std::size_t i = 0; i < static_cast<std::size_t>(a.rows); ++i) {
    std::map<Index, T> row;
    for (std::int64_t p = a.row_offsets[i]; p < a.row_offsets[i + 1]; ++p)
      row[a.columns[static_cast<std::size_t>(p)]] = scale(alpha, a.values[p]);
    for (std::int64_t q = b.row_offsets[i]; q < b.row_offsets[i + 1]; ++q) {
      const T scaled = scale(beta, b.values[q]);
      const auto [place, is_new] = row.try_emplace(b.columns[static_cast<std::size_t>(q)], scaled);
      if (!is_new) place->second = add(place->second, scaled);
    }
    rows.append(row);
  }
  return rows.matrix(a.cols);
}

}  // namespace lacis::summation

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The reference product of two dense matrices at the places of a pattern.
#pragma once

#include <cstdint>
#include <map>

#include <lacis/csr.hpp>
#include <lacis/dense.hpp>
#include <lacis/pattern.hpp>

#include "summation/arithmetic.hpp"
#include "summation/environment.hpp"
#include "summation/rows.hpp"

namespace lacis::summation {

/// c_ij at every place (i, j) of the mask: it starts at +0 and takes in round(x_ik y_kj) in ascending k, one
/// accumulator however many there are.
template <value T, index Index>
[[nodiscard]] csr_matrix<T, Index> sddmm(const pattern_view<Index>& mask, const dense_view<const T>& x,
                                         const dense_view<const T>& y) {
  const rounding_guard guard;
  row_list<T, Index> rows;
  for (std::int64_t i = 0; i < mask.rows; ++i) {
    std::map<Index, T> row;
    for (std::int64_t p = mask.row_offsets[static_cast<std::size_t>(i)];
         p < mask.row_offsets[static_cast<std::size_t>(i) + 1]; ++p) {
      T& sum = row[mask.columns[static_cast<std::size_t>(p)]];  // a new one is +0
      const std::int64_t j = mask.columns[static_cast<std::size_t>(p)];
      for (std::int64_t k = 0; k < x.cols; ++k) sum = add(sum, multiply(x(i, k), y(k, j)));
    }
    rows.append(row);
  }
  return rows.matrix(mask.cols);
}

}  // namespace lacis::summation

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A matrix that is symmetric except for rounding errors.
#pragma once

#include <cmath>
#include <cstdint>

#include <lacis/csr.hpp>

namespace lacis::test {

/// A in which half of the entries above the diagonal are rounded differently, as sums in another order are.
template <class T> csr_matrix<T> assembled_otherwise(csr_matrix<T> a) {
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      if (a.columns[k] > i && (i + a.columns[k]) % 2 == 0 && a.values[k] != T(0))
        a.values.data[k] += real_of<T>(std::ldexp(a.columns[k] % 3 == 0 ? 1.0 : -1.0, -52));
  return a;
}

}  // namespace lacis::test

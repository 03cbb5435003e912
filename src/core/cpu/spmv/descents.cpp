// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Columns that do not ascend, counted, and columns outside a matrix, found, in plain C++.
#include "cpu/spmv/descents.hpp"

#include <algorithm>

namespace lacis::cpu::portable {

template <class Index> std::int64_t descents(const Index* columns, std::int64_t count, std::int64_t cols) {
  constexpr std::int64_t part = 4096;  // counts of a part are as narrow as the columns, so they share vectors
  if (count == 0) return 0;
  std::int64_t found = 0;
  Index least = columns[0];
  Index most = columns[0];
  for (std::int64_t first = 1; first < count; first += part) {
    Index some = 0;
    const std::int64_t last = std::min(count, first + part);
    for (std::int64_t k = first; k < last; ++k) {
      some += columns[k - 1] < columns[k] ? 0 : 1;
      least = std::min(least, columns[k]);
      most = std::max(most, columns[k]);
    }
    found += some;
  }
  return least < 0 || most >= cols ? -1 : found;
}

template std::int64_t descents(const std::int32_t*, std::int64_t, std::int64_t);
template std::int64_t descents(const std::int64_t*, std::int64_t, std::int64_t);

}  // namespace lacis::cpu::portable

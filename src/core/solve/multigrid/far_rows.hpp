// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Rows of a second matrix that entries of a first refer to, asked for before they are needed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include <lacis/csr.hpp>

#include "base/ask_for.hpp"

namespace lacis::multigrid {

/// Entries between one that is worked on and one whose row is asked for; what says where that row is is asked for twice
/// as early. Where unknowns are in no good order rows that follow each other are far apart.
inline constexpr std::int64_t ahead = 16;

/// Whether the rows of P that nearby rows of A refer to are too many for the L2 cache, judging by some rows of A.
template <class S, class Index> bool is_far_apart(const csr_view<S, Index>& a, const csr_view<S, Index>& p) {
  constexpr double in_cache = 1 << 19;  // bytes
  constexpr std::int64_t some = 256;    // rows
  if (a.nnz() == 0) return false;
  double distance = 0;
  double entries = 0;
  for (std::int64_t i = 0; i < a.rows; i += std::max<std::int64_t>(1, a.rows / some))
    for (auto k = a.row_offsets[static_cast<std::size_t>(i)]; k < a.row_offsets[static_cast<std::size_t>(i + 1)]; ++k) {
      distance += static_cast<double>(std::abs(a.columns[static_cast<std::size_t>(k)] - i));
      ++entries;
    }
  const double bytes_of_row =
      8 + static_cast<double>(p.nnz()) / static_cast<double>(p.rows) * static_cast<double>(sizeof(S) + sizeof(Index));
  return 2 * distance / std::max(1.0, entries) * bytes_of_row > in_cache;
}

/// The row that the entry `distance` after entry k refers to.
template <class S, class Index>
std::size_t row_after(const csr_view<S, Index>& a, std::int64_t k, std::int64_t distance) {
  return static_cast<std::size_t>(a.columns[static_cast<std::size_t>(std::min(k + distance, a.nnz() - 1))]);
}

}  // namespace lacis::multigrid

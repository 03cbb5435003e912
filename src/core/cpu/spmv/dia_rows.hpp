// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Whether the diagonals of a DIA matrix, and the slots that its mask names, are places of it.
#pragma once

#include <algorithm>
#include <cstdint>

#include <lacis/dia.hpp>

namespace lacis::cpu {

/// The bits of word `word` of a mask that stand for rows first .. last.
[[nodiscard]] inline std::uint64_t bits_of_rows(std::int64_t word, std::int64_t first, std::int64_t last) {
  const std::int64_t low = std::clamp<std::int64_t>(first - word * 64, 0, 64);
  const std::int64_t high = std::clamp<std::int64_t>(last - word * 64, low, 64);
  const auto below = [](std::int64_t bit) { return bit == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bit) - 1; };
  return below(high) & ~below(low);
}

/// Whether diagonals ascend inside the matrix, and words begin .. end of their masks name no slot outside of it. The
/// words in which every row of the diagonal is one of the matrix are not read.
template <class A, class Index>
[[nodiscard]] bool diagonals_fit(const dia_view<A, Index>& a, std::int64_t begin, std::int64_t end) {
  for (std::size_t d = 0; d < a.diagonals.size(); ++d) {
    const std::int64_t diagonal = a.diagonals[d];
    if (diagonal <= -a.rows || diagonal >= a.cols || (d > 0 && diagonal <= a.diagonals[d - 1])) return false;
    const std::int64_t first = std::max<std::int64_t>(0, -diagonal);
    const std::int64_t last = diagonal >= a.cols - a.rows ? a.cols - diagonal : a.rows;
    const std::uint64_t* mask = a.mask.data() + static_cast<std::int64_t>(d) * a.mask_words();
    const auto has_outside = [&](std::int64_t word) { return (mask[word] & ~bits_of_rows(word, first, last)) != 0; };
    for (std::int64_t word = begin; word < std::min(end, first / 64 + 1); ++word)
      if (has_outside(word)) return false;
    for (std::int64_t word = std::max(begin, last / 64); word < end; ++word)
      if (has_outside(word)) return false;
  }
  return true;
}

}  // namespace lacis::cpu

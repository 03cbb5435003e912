// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Random columns of one row: different from each other and ascending, for rows of any length.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <lacis/types.hpp>

#include "generate/random.hpp"

namespace lacis::detail {

/// Stores `count` of the columns 0 .. cols, every choice about equally likely: the images of 0 .. count under a
/// bijection of the row's own, so none repeats. O(c log c) with c the smaller of count and cols - count.
template <index Index> void draw_columns(std::int64_t count, std::int64_t cols, random_words words, Index* out) {
  const bijection shuffle(cols, words);
  if (count <= cols / 2) {
    for (std::int64_t k = 0; k < count; ++k) out[k] = static_cast<Index>(shuffle(k));
    std::sort(out, out + count);
    return;
  }
  std::vector<Index> absent;
  absent.reserve(static_cast<std::size_t>(cols - count));
  for (std::int64_t k = count; k < cols; ++k) absent.push_back(static_cast<Index>(shuffle(k)));
  std::sort(absent.begin(), absent.end());
  std::int64_t next = 0;
  for (const Index gap : absent) {
    for (; next < gap; ++next) *out++ = static_cast<Index>(next);
    ++next;
  }
  for (; next < cols; ++next) *out++ = static_cast<Index>(next);
}

}  // namespace lacis::detail

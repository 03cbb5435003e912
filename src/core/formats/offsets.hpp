// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Offsets of rows, looked at before what they point to is read.
#pragma once

#include <cstdint>
#include <span>

#include "base/parallel.hpp"

namespace lacis::detail {

/// Whether `count` rows begin and end in 0 .. entries, each not before it begins.
[[nodiscard]] inline bool offsets_rise(const std::int64_t* offsets, std::int64_t count, std::int64_t entries) {
  auto signs = static_cast<std::uint64_t>(offsets[0]);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto next = static_cast<std::uint64_t>(offsets[i + 1]);
    signs |= next | (next - static_cast<std::uint64_t>(offsets[i]));
  }
  return static_cast<std::int64_t>(signs) >= 0 && offsets[count] <= entries;
}

/// balanced_cut() for offsets that nobody has looked at: their sums may wrap, and the cut is a row all the same.
[[nodiscard]] inline std::int64_t cut_of_any_rows(std::span<const std::int64_t> row_offsets, int part, int parts) {
  const auto rows = static_cast<std::int64_t>(row_offsets.size()) - 1;
  const auto weight = [&](std::int64_t row) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(row) +
                                     static_cast<std::uint64_t>(row_offsets[static_cast<std::size_t>(row)]));
  };
  if (part <= 0) return 0;
  if (part >= parts) return rows;
  const std::int64_t target = even_cut(weight(rows), part, parts);
  std::int64_t low = 0;
  std::int64_t high = rows;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (weight(middle) < target)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

}  // namespace lacis::detail

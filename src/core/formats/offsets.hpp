// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Offsets of rows, looked at before what they point to is read.
#pragma once

#include <cstdint>

namespace lacis::detail {

/// Whether `count` rows begin and end in 0 .. entries, each not before it begins.
template <class Offset>
[[nodiscard]] bool offsets_rise(const Offset* offsets, std::int64_t count, std::int64_t entries) {
  auto signs = static_cast<std::uint64_t>(offsets[0]);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto next = static_cast<std::uint64_t>(offsets[i + 1]);
    signs |= next | (next - static_cast<std::uint64_t>(offsets[i]));
  }
  return static_cast<std::int64_t>(signs) >= 0 && offsets[count] <= entries;
}

}  // namespace lacis::detail

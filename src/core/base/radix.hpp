// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A stable parallel order of numbers by an integer key.
#pragma once

#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <lacis/buffer.hpp>
#include <lacis/types.hpp>

#include "base/parallel.hpp"

namespace lacis::detail {

/// 0 .. size ordered by ascending key(i), which lies in 0 .. largest_key; equal keys keep their order. Radix sort,
/// O(size) for every 11 bits of the largest key.
template <index Index, class Key>
[[nodiscard]] buffer<Index> order_by_key(std::int64_t size, std::int64_t largest_key, Key&& key) {
  constexpr int digit_bits = 11;
  constexpr std::int64_t digits = 1 << digit_bits;
  buffer<Index> from(size);
  buffer<Index> to(size);
  parallel_for(size, [&](std::int64_t i) { from[i] = static_cast<Index>(i); });
  const int threads = threads_for(size);
  std::vector<std::int64_t> start(static_cast<std::size_t>(digits * threads) + 1);
  for (int shift = 0; shift < 63 && (largest_key >> shift) != 0; shift += digit_bits) {
    const auto digit_of = [&](Index i) { return (static_cast<std::int64_t>(key(i)) >> shift) & (digits - 1); };
    on_threads(threads, [&](int t, int parts) {
      std::array<std::int64_t, digits> count{};
      const std::int64_t end = even_cut(size, t + 1, parts);
      for (std::int64_t k = even_cut(size, t, parts); k < end; ++k)
        ++count[static_cast<std::size_t>(digit_of(from[k]))];
      for (std::int64_t d = 0; d < digits; ++d)
        start[static_cast<std::size_t>(d * parts + t)] = count[static_cast<std::size_t>(d)];
    });
    counts_to_offsets(start);
    on_threads(threads, [&](int t, int parts) {
      std::array<std::int64_t, digits> next;
      for (std::int64_t d = 0; d < digits; ++d)
        next[static_cast<std::size_t>(d)] = start[static_cast<std::size_t>(d * parts + t)];
      const std::int64_t end = even_cut(size, t + 1, parts);
      for (std::int64_t k = even_cut(size, t, parts); k < end; ++k)
        to[next[static_cast<std::size_t>(digit_of(from[k]))]++] = from[k];
    });
    std::swap(from, to);
  }
  return from;
}

}  // namespace lacis::detail

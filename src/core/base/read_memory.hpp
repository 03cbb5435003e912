// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A loop that reads memory and does little else: what streams are measured with.
#pragma once

#include <cstdint>

namespace lacis::detail {

/// Makes the compiler believe that a result is used.
template <class T> void keep(const T& result) { asm volatile("" : : "m"(result) : "memory"); }

/// Two doubles: the widest load that every x86-64 and ARM processor has.
using pair_of_doubles [[gnu::vector_size(16)]] = double;
/// How many places one thread reads from interleaved. Prefetchers follow several streams at once, and with a single one
/// a core reads little more than half of what it can.
inline constexpr std::int64_t read_streams = 4;
/// Pairs in a cache line; each has its own accumulator, so that no addition waits for the one before.
inline constexpr std::int64_t line_pairs = 4;
/// Sizes of what is read are multiples of so many elements.
inline constexpr std::int64_t read_step = read_streams * 2 * line_pairs;

/// Reads every element once. `size` is a multiple of read_step, and the data is aligned to 16 bytes.
inline void read_all(const double* data, std::int64_t size) {
  const std::int64_t part = size / read_streams;
  pair_of_doubles sums[read_streams][line_pairs] = {};
  for (std::int64_t i = 0; i < part; i += 2 * line_pairs)
    for (std::int64_t s = 0; s < read_streams; ++s)
      for (std::int64_t k = 0; k < line_pairs; ++k)
        sums[s][k] += *reinterpret_cast<const pair_of_doubles*>(data + s * part + i + 2 * k);
  keep(sums);
}

}  // namespace lacis::detail

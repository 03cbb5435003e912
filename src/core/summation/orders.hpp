// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Orders other than the canonical one that kernels of the field compute, by name.
#pragma once

#include <cstdint>
#include <limits>

#include "summation/sum.hpp"

namespace lacis::summation {

inline constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

/// One accumulator, left to right: a plain loop, SciPy, one GPU thread per row (the CUDA texts' CSR and ELL kernels).
inline constexpr order serial{unlimited, 1, unlimited, false};
/// The same as nvcc or -ffp-contract=fast compile it.
inline constexpr order serial_fused{unlimited, 1, unlimited, true};

/// `lanes` strided accumulators over the whole row, joined by halving, however short the row: a warp per row (Villa).
[[nodiscard]] constexpr order strided(std::int64_t lanes, bool fused = false) { return {0, lanes, unlimited, fused}; }
inline constexpr order warp_per_row = strided(32);
inline constexpr order warp_per_row_fused = strided(32, true);

/// Strided accumulators in chunks counted from the start of the row, however short the row.
[[nodiscard]] constexpr order chunked(std::int64_t lanes, std::int64_t chunk, bool fused = false) {
  return {0, lanes, chunk, fused};
}

/// Dot products and norms: blocks of 4096 elements of the global index range, 32 lanes in each.
inline constexpr order blocked = chunked(32, 4096);

}  // namespace lacis::summation

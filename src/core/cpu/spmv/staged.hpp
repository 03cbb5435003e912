// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A product in two phases, for rows that access x irregularly: first x is gathered, piece by piece, into one buffer per
// block of rows; then each block reads its own buffer. Or there is one buffer that all blocks read, a permutation of x.
#pragma once

#include <cstdint>

#include <lacis/types.hpp>

#include "cpu/spmv/packed.hpp"

namespace lacis::cpu {

/// Elements of x in a piece, and of x that a block may read: what 16 bits count, and what stays near a core.
inline constexpr std::int64_t piece_size = std::int64_t{1} << 16;

/// What is copied where. Piece p of x goes, in parts, to every block: part p * blocks + b is its elements
/// places[first[part]] .. places[first[part + 1]], counted from the beginning of the piece, to staged[target[part]] on.
struct staging {
  std::int64_t blocks = 0;
  std::int64_t cols = 0;
  const std::int64_t* first = nullptr;
  const std::int64_t* target = nullptr;
  const std::uint16_t* places = nullptr;
};

/// Up to piece_size rows that read up to piece_size elements of x. Short rows are sorted by falling length and packed
/// in slices; longer ones follow as chunks.
struct staged_block {
  std::int64_t region = 0;       ///< its first element of the staged x
  std::int64_t region_size = 0;  ///< elements; 0 where blocks share all
  std::int64_t first_row = 0;
  std::int64_t slots = 0;   ///< of its slices, among places and values
  std::int64_t lanes = 0;   ///< of its slices, among rows and lengths: slice_height for each slice
  std::int64_t rows = 0;    ///< short ones
  std::int64_t chunks = 0;  ///< its first chunk
  std::int64_t chunk_count = 0;
};

/// A whole row of up to chunk_size entries, or a chunk of a longer one.
struct staged_chunk {
  std::int64_t slots = 0;  ///< its first slot among places and values
  std::int64_t count = 0;
  std::int64_t target = 0;  ///< the row; or, negative, the complement of its place among the partial sums
};

/// Blocks, borrowed. Places of entries count from the block's region; those of a permutation of x need more bits.
template <value A> struct staged_blocks {
  const staged_block* blocks = nullptr;
  std::int64_t count = 0;
  const staged_chunk* chunks = nullptr;
  const std::uint16_t* places = nullptr;
  const std::int32_t* shared_places = nullptr;  ///< instead of these where blocks share a permutation of x
  stored_values<A> values;
  const std::uint16_t* rows = nullptr;  ///< counted from the block's first
  const std::uint8_t* lengths = nullptr;

  [[nodiscard]] std::int64_t place_of(std::int64_t slot) const {
    return shared_places != nullptr ? shared_places[slot] : places[slot];
  }
};

}  // namespace lacis::cpu

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Short rows packed in slices, with one column index for a slot whose columns run on from row to row: a plan's SELL.
#pragma once

#include <cstdint>

#include <lacis/types.hpp>

#include "cpu/simd/stored_values.hpp"

namespace lacis::cpu {

/// Rows in a slice: a lane for each element of a 64-byte vector.
template <class A> inline constexpr std::int64_t slice_height = 64 / static_cast<std::int64_t>(sizeof(real_of<A>));

/// One slice: up to slice_height rows of at most 32 entries, a lane each.
struct slice_header {
  std::int64_t slots = 0;      ///< its first slot among the values
  std::int64_t columns = 0;    ///< its first index among the columns
  std::int64_t first_row = 0;  ///< of lane 0
  std::uint32_t run_on = 0;    ///< bit s: slot s has one index, the column of lane 0; lane l has the l-th after it
  std::uint8_t shortest = 0;   ///< length of a row; 0 when lanes are empty
  std::uint8_t longest = 0;
  std::uint8_t count = 0;   ///< rows
  bool contiguous = false;  ///< the rows follow each other
};

/// Slices, borrowed. Value of slot s of lane l: header.slots + s * slice_height + l. A slot that does not run on has
/// slice_height indices. What lanes without that slot hold is a column of the matrix, and a value that is not used.
template <value A, index Index> struct packed_slices {
  const slice_header* headers = nullptr;
  std::int64_t count = 0;
  stored_values<A> values;
  const Index* columns = nullptr;
  const std::uint8_t* lengths = nullptr;  ///< slice_height for each slice
  const Index* rows = nullptr;            ///< slice_height for each slice
  /// Elements of x are loaded one by one where columns do not run on, instead of gathered.
  bool loads_each = false;
};

}  // namespace lacis::cpu

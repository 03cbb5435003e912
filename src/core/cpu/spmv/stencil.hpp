// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Slices of consecutive rows that lie on the diagonals of one of a few patterns: a plan's stencils.
#pragma once

#include <cstdint>

#include <lacis/types.hpp>

#include "cpu/spmv/packed.hpp"

namespace lacis::cpu {

/// The diagonals of a slice, in the order in which its rows are summed.
struct stencil_pattern {
  std::int32_t first = 0;  ///< its first slot among the diagonals and masks
  std::int32_t slots = 0;
  std::uint16_t rows = 0;  ///< bit l: the row of lane l is in the slice; other rows are elsewhere
  bool full = false;       ///< every row is in it and has every slot
};

/// Slices that follow each other and have one pattern.
struct stencil_run {
  std::int64_t first_row = 0;
  std::int64_t slots = 0;  ///< its first slot among the values
  std::int32_t slices = 0;
  std::int32_t pattern = 0;
};

/// Slices, borrowed. Slot s of lane l of a slice is the entry of its l-th row on diagonal s, when bit l of the mask is
/// set. Its value is at run.slots + (slice * slots + s) * slice_height + l; or, where slices of one pattern are equal
/// in their values too, at (pattern.first + s) * slice_height + l.
template <value A> struct stencil_slices {
  const stencil_run* runs = nullptr;
  std::int64_t count = 0;
  const stencil_pattern* patterns = nullptr;
  const std::int64_t* diagonals = nullptr;  ///< column minus row
  const std::uint16_t* masks = nullptr;
  stored_values<A> values;
  bool by_pattern = false;
};

}  // namespace lacis::cpu

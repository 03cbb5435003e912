// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Slices of consecutive rows that lie on the diagonals of one of a few patterns: a plan's stencils.
#pragma once

#include <cstdint>

#include <lacis/types.hpp>

#include "cpu/spmv/packed.hpp"

namespace lacis::cpu {

/// Slots that a pattern may have.
inline constexpr std::int64_t most_slots = 64;

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

/// Where a slice finds the values of a diagonal when a symmetric matrix has each stored once: `from` slots after the
/// first slot of the slice, from lane `lane` of that slice on into the next one.
struct upper_place {
  std::int64_t from = 0;
  std::int64_t lane = 0;
};

/// Slices, borrowed. Slot s of lane l of a slice is the entry of its l-th row on diagonal s, when bit l of the mask is
/// set. Its value is at run.slots + (slice * slots + s) * slice_height + l; or, where slices of one pattern are equal
/// in their values too, at (pattern.first + s) * slice_height + l.
///
/// Where the matrix is symmetric, every slice of the matrix has `upper` slots, one for each diagonal on or above the
/// main one, and one slice more comes before the first. The value of row i below the main diagonal is that of the row
/// as far above on the diagonal as far above.
template <value A> struct stencil_slices {
  const stencil_run* runs = nullptr;
  std::int64_t count = 0;
  const stencil_pattern* patterns = nullptr;
  const std::int64_t* diagonals = nullptr;  ///< column minus row
  const std::uint16_t* masks = nullptr;
  stored_values<A> values;
  bool by_pattern = false;
  const upper_place* places = nullptr;  ///< one for each of `diagonals`
  std::int64_t upper = 0;               ///< 0 where values are not stored for a symmetric matrix

  /// The first of a slice's own slots in a symmetric matrix.
  [[nodiscard]] std::int64_t upper_slots(std::int64_t first_row) const { return (first_row + slice_height<A>)*upper; }
  /// Where the value of slot s of lane l of a slice of a run is.
  [[nodiscard]] std::int64_t slot_of(const stencil_run& r, std::int64_t slice, std::int32_t s, std::int64_t l) const {
    constexpr std::int64_t height = slice_height<A>;
    const stencil_pattern& p = patterns[r.pattern];
    if (by_pattern) return (p.first + s) * height + l;
    if (upper == 0) return r.slots + (slice * p.slots + s) * height + l;
    const upper_place& place = places[p.first + s];
    const std::int64_t lane = place.lane + l;
    return upper_slots(r.first_row + slice * height) + place.from + lane / height * height * upper + lane % height;
  }
};

}  // namespace lacis::cpu

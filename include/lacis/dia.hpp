// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Diagonals: every diagonal that has an entry, stored whole, with a mask that tells entries from fill.
#pragma once

#include <cstdint>
#include <span>

#include <lacis/buffer.hpp>
#include <lacis/fwd.hpp>
#include <lacis/values.hpp>

namespace lacis {

/// A DIA matrix, borrowed. Entry (i, i + diagonals[d]) is at slot d * rows + i. Bit i of diagonal d's mask (word
/// d * mask_words() + i / 64, bit i % 64) says that the slot is an entry; the others are fill, hold 0 and never enter a
/// sum.
template <value Value, index Index> struct dia_view {
  /// Type of the values.
  using value_type = Value;
  /// Type of the indices.
  using index_type = Index;

  std::int64_t rows = 0;                    ///< number of rows
  std::int64_t cols = 0;                    ///< number of columns
  std::int64_t entries = 0;                 ///< stored: explicit zeros count, padding and fill do not
  std::span<const std::int64_t> diagonals;  ///< column minus row, strictly ascending
  std::span<const std::uint64_t> mask;      ///< diagonals * mask_words()
  values_view<Value> values;                ///< diagonals * rows, or one when iso

  /// Stored entries: explicit zeros count, fill does not.
  [[nodiscard]] std::int64_t nnz() const { return entries; }
  /// 64-bit words of the mask of one diagonal: one bit per row.
  [[nodiscard]] std::int64_t mask_words() const { return rows / 64 + (rows % 64 != 0 ? 1 : 0); }
  /// Whether row `row` has an entry on diagonal number `diagonal`; neither is checked.
  [[nodiscard]] bool occupied(std::int64_t diagonal, std::int64_t row) const {
    return (mask[static_cast<std::size_t>(diagonal * mask_words() + row / 64)] >> (row % 64) & 1) != 0;
  }
  /// Itself: functions take whatever has a view().
  [[nodiscard]] dia_view view() const { return *this; }
};

/// A DIA matrix, owned.
template <value Value, index Index> struct dia_matrix {
  /// Type of the values.
  using value_type = Value;
  /// Type of the indices.
  using index_type = Index;

  std::int64_t rows = 0;           ///< number of rows
  std::int64_t cols = 0;           ///< number of columns
  std::int64_t entries = 0;        ///< stored: explicit zeros count, padding and fill do not
  buffer<std::int64_t> diagonals;  ///< column minus row, strictly ascending
  buffer<std::uint64_t> mask;      ///< one bit per slot, dia_view::mask_words() words per diagonal
  values_array<Value> values;      ///< diagonals * rows, or one when iso

  /// Stored entries: explicit zeros count, fill does not.
  [[nodiscard]] std::int64_t nnz() const { return entries; }
  /// The arrays, borrowed; valid while the matrix lives and is not assigned to.
  [[nodiscard]] dia_view<Value, Index> view() const& { return {rows, cols, entries, diagonals, mask, values.view()}; }
  /// A view of a temporary would outlive it: give the matrix a name.
  void view() const&& = delete;
  /// Whether sizes, arrays and values are equal, as they are stored: NaN differs from itself, -0 equals +0.
  [[nodiscard]] friend bool operator==(const dia_matrix&, const dia_matrix&) = default;
};

}  // namespace lacis

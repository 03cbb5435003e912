// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Block CSR: dense square blocks, with a mask that tells stored entries from fill.
#pragma once

#include <cstdint>
#include <span>

#include <lacis/buffer.hpp>
#include <lacis/csr.hpp>
#include <lacis/fwd.hpp>

namespace lacis {

/// A BSR matrix, borrowed. Block row r owns the blocks row_offsets[r] .. row_offsets[r + 1]; a block is block_size^2
/// slots, row by row. Bit s of a block's mask (byte s / 8, bit s % 8) says that slot s is an entry; the others are
/// fill, hold 0 and never enter a sum. Block rows are canonical: strictly ascending block columns. Blocks at the edges
/// may reach past the matrix; what lies outside is fill.
template <value Value, index Index> struct bsr_view {
  /// Type of the values.
  using value_type = Value;
  /// Type of the indices.
  using index_type = Index;

  std::int64_t rows = 0;        ///< number of rows
  std::int64_t cols = 0;        ///< number of columns
  std::int64_t entries = 0;     ///< stored: explicit zeros count, padding and fill do not
  std::int64_t block_size = 1;  ///< rows and columns of a block, 1 to 64
  std::span<const std::int64_t> row_offsets =
      detail::no_offsets<std::int64_t>;  ///< block rows + 1, from 0 to the number of blocks
  std::span<const Index> block_columns;  ///< blocks
  std::span<const std::uint8_t> mask;    ///< blocks * mask_bytes()
  values_view<Value> values;             ///< blocks * block_size^2, or one when iso

  /// Stored entries: explicit zeros count, fill does not.
  [[nodiscard]] std::int64_t nnz() const { return entries; }
  /// Bytes of the mask of one block: one bit per slot, rounded up.
  [[nodiscard]] std::int64_t mask_bytes() const { return (block_size * block_size + 7) / 8; }
  /// The number of rows of blocks: rows / block_size, rounded up.
  [[nodiscard]] std::int64_t block_rows() const { return static_cast<std::int64_t>(row_offsets.size()) - 1; }
  /// Whether slot `slot` of block `block` is an entry; neither number is checked.
  [[nodiscard]] bool occupied(std::int64_t block, std::int64_t slot) const {
    return (mask[static_cast<std::size_t>(block * mask_bytes() + slot / 8)] >> (slot % 8) & 1) != 0;
  }
  /// Itself: functions take whatever has a view().
  [[nodiscard]] bsr_view view() const { return *this; }
};

/// A BSR matrix, owned.
template <value Value, index Index> struct bsr_matrix {
  /// Type of the values.
  using value_type = Value;
  /// Type of the indices.
  using index_type = Index;

  std::int64_t rows = 0;        ///< number of rows
  std::int64_t cols = 0;        ///< number of columns
  std::int64_t entries = 0;     ///< stored: explicit zeros count, padding and fill do not
  std::int64_t block_size = 1;  ///< rows and columns of a block, 1 to 64
  buffer<std::int64_t> row_offsets = buffer<std::int64_t>(1, 0);  ///< block rows + 1, from 0 to the number of blocks
  buffer<Index> block_columns;                                    ///< one per block: its first column over block_size
  buffer<std::uint8_t> mask;   ///< one bit per slot, bsr_view::mask_bytes() bytes per block
  values_array<Value> values;  ///< blocks * block_size^2, or one when iso

  /// Stored entries: explicit zeros count, fill does not.
  [[nodiscard]] std::int64_t nnz() const { return entries; }
  /// The arrays, borrowed; valid while the matrix lives and is not assigned to.
  [[nodiscard]] bsr_view<Value, Index> view() const& {
    return {rows, cols, entries, block_size, row_offsets, block_columns, mask, values.view()};
  }
  /// A view of a temporary would outlive it: give the matrix a name.
  void view() const&& = delete;
  /// Whether sizes, arrays and values are equal, as they are stored: NaN differs from itself, -0 equals +0.
  [[nodiscard]] friend bool operator==(const bsr_matrix&, const bsr_matrix&) = default;
};

}  // namespace lacis

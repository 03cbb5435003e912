// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The entries of one row of a BSR matrix after the other, fill left out.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include <lacis/bsr.hpp>

#include "cpu/spmv/kernels.hpp"
#include "formats/offsets.hpp"

namespace lacis::cpu {

template <class A, class Index> class bsr_row_reader {
 public:
  explicit bsr_row_reader(const bsr_view<A, Index>& a) : a_(a) {}

  /// Turns to row i; how many entries it has, -1 when the blocks of its block row are not canonical or reach outside.
  std::int64_t start(std::int64_t i) {
    const std::int64_t block_row = i / a_.block_size;
    if (block_row != block_row_) {
      block_row_ = block_row;
      fits_ = has_fitting_blocks();
    }
    if (!fits_) return -1;
    inner_ = i % a_.block_size;
    block_ = a_.row_offsets[static_cast<std::size_t>(block_row)];
    const std::int64_t last = a_.row_offsets[static_cast<std::size_t>(block_row + 1)];
    std::int64_t count = 0;
    for (std::int64_t b = block_; b < last; ++b) count += std::popcount(entries_in(b));
    left_ = block_ < last ? entries_in(block_) : 0;
    return count;
  }

  /// entry(slot, column) for each of the next `count` entries of the row.
  template <class Entry> void for_each(std::int64_t count, Entry&& entry) {
    while (count > 0) {
      for (; left_ == 0; left_ = entries_in(block_)) ++block_;
      const std::int64_t first_slot = (block_ * a_.block_size + inner_) * a_.block_size;
      const std::int64_t first_column = a_.block_columns[static_cast<std::size_t>(block_)] * a_.block_size;
      for (; left_ != 0 && count > 0; left_ &= left_ - 1, --count) {
        const int c = std::countr_zero(left_);
        entry(first_slot + c, first_column + c);
      }
    }
  }

  /// The next `count` entries of the row, at most chunk_size; valid until the next call.
  stored_entries<A, Index> read(std::int64_t count) {
    std::size_t k = 0;
    for_each(count, [&](std::int64_t slot, std::int64_t column) {
      values_[k] = a_.values[slot];
      columns_[k++] = static_cast<Index>(column);
    });
    return {values_.data(), false, columns_.data()};
  }

 private:
  [[nodiscard]] bool has_fitting_blocks() const {
    const std::int64_t* offsets = a_.row_offsets.data() + block_row_;
    const auto blocks = static_cast<std::int64_t>(a_.block_columns.size());
    if (!detail::offsets_rise(offsets, 1, blocks)) return false;
    const std::int64_t count = offsets[1] - offsets[0];
    const std::int64_t block_cols = a_.cols / a_.block_size + (a_.cols % a_.block_size != 0 ? 1 : 0);
    const Index* columns = a_.block_columns.data() + offsets[0];
    bool ascends = true;
    for (std::int64_t b = 0; b < count; ++b) ascends &= (b == 0 ? -1 : columns[b - 1]) < columns[b];
    if (!ascends || (count > 0 && columns[count - 1] >= block_cols)) return false;
    if (count == 0 || a_.cols % a_.block_size == 0 || columns[count - 1] != block_cols - 1) return true;
    const std::int64_t size = a_.block_size;  // the last block reaches past the matrix
    for (std::int64_t slot = 0; slot < size * size; ++slot)
      if (slot % size >= a_.cols % size && a_.occupied(offsets[1] - 1, slot)) return false;
    return true;
  }

  /// Bit c: the row has an entry in column c of the block. At most 64 columns, so they span nine bytes of the mask.
  [[nodiscard]] std::uint64_t entries_in(std::int64_t block) const {
    const std::uint8_t* mask = a_.mask.data() + block * a_.mask_bytes();
    const std::int64_t first = inner_ * a_.block_size;
    const std::int64_t end = first + a_.block_size;
    std::uint64_t bits = static_cast<std::uint64_t>(mask[first / 8]) >> (first % 8);
    for (std::int64_t at = (first / 8 + 1) * 8; at < end; at += 8)
      bits |= static_cast<std::uint64_t>(mask[at / 8]) << (at - first);
    return bits & (~std::uint64_t{0} >> (64 - a_.block_size));
  }

  const bsr_view<A, Index>& a_;
  std::int64_t block_row_ = -1;
  bool fits_ = true;
  std::int64_t inner_ = 0;
  std::int64_t block_ = 0;
  std::uint64_t left_ = 0;  ///< entries of block_ that have not been read
  std::array<A, static_cast<std::size_t>(chunk_size)> values_;
  std::array<Index, static_cast<std::size_t>(chunk_size)> columns_;
};

}  // namespace lacis::cpu

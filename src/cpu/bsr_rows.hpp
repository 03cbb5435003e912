// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The entries of one row of a BSR matrix after the other, fill left out.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include <lacis/bsr.hpp>

#include "cpu/kernels.hpp"

namespace lacis::cpu {

template <class A, class Index> class bsr_row_reader {
 public:
  explicit bsr_row_reader(const bsr_view<A, Index>& a) : a_(a) {}

  /// Whether no block of a block row has fill.
  [[nodiscard]] bool is_full(std::int64_t block_row) const {
    const std::int64_t slots = a_.block_size * a_.block_size;
    const auto* mask = a_.mask.data();
    const auto first = a_.row_offsets[static_cast<std::size_t>(block_row)];
    const auto last = a_.row_offsets[static_cast<std::size_t>(block_row + 1)];
    const auto rest = static_cast<std::uint8_t>((1 << (slots % 8)) - 1);
    for (std::int64_t b = first; b < last; ++b) {
      const auto* bytes = mask + b * a_.mask_bytes();
      if (!std::all_of(bytes, bytes + slots / 8, [](std::uint8_t byte) { return byte == 0xff; })) return false;
      if (slots % 8 != 0 && bytes[slots / 8] != rest) return false;
    }
    return true;
  }

  /// Turns to row i; how many entries it has. `full`: what is_full() says of its block row.
  std::int64_t start(std::int64_t i, bool full) {
    const std::int64_t block_row = i / a_.block_size;
    inner_ = i % a_.block_size;
    block_ = a_.row_offsets[static_cast<std::size_t>(block_row)];
    const std::int64_t last = a_.row_offsets[static_cast<std::size_t>(block_row + 1)];
    column_ = 0;
    if (full) return (last - block_) * a_.block_size;
    std::int64_t count = 0;
    for (std::int64_t b = block_; b < last; ++b)
      for (std::int64_t c = 0; c < a_.block_size; ++c) count += a_.occupied(b, inner_ * a_.block_size + c) ? 1 : 0;
    return count;
  }

  /// The next `count` entries of the row, at most chunk_size; valid until the next call.
  stored_entries<A, Index> read(std::int64_t count) {
    for (std::int64_t k = 0; k < count; ++column_) {
      if (column_ == a_.block_size) {
        column_ = 0;
        ++block_;
      }
      const std::int64_t slot = inner_ * a_.block_size + column_;
      if (!a_.occupied(block_, slot)) continue;
      values_[static_cast<std::size_t>(k)] = a_.values[block_ * a_.block_size * a_.block_size + slot];
      columns_[static_cast<std::size_t>(k)] =
          static_cast<Index>(a_.block_columns[static_cast<std::size_t>(block_)] * a_.block_size + column_);
      ++k;
    }
    return {values_.data(), false, columns_.data()};
  }

 private:
  const bsr_view<A, Index>& a_;
  std::int64_t inner_ = 0;
  std::int64_t block_ = 0;
  std::int64_t column_ = 0;
  std::array<A, static_cast<std::size_t>(chunk_size)> values_;
  std::array<Index, static_cast<std::size_t>(chunk_size)> columns_;
};

}  // namespace lacis::cpu

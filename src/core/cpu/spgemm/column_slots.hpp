// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Numbers kept for some columns while a row is computed: an array over a range of columns, or a hash table.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>

#include <lacis/buffer.hpp>

namespace lacis::cpu {

/// What a column has that no number was given.
inline constexpr int no_slot = -1;

/// An element for each column of a range, and a bit that tells the columns of a sum. Between rows all of them are
/// no_slot and no bit is set.
template <class Index> class dense_slots {
 public:
  static constexpr bool in_order = true;  ///< columns may be visited in their order

  /// From here on the columns are first .. last.
  void open(std::int64_t first, std::int64_t last) {
    first_ = first;
    width_ = static_cast<std::uint64_t>(last - first + 1);
    const auto needed = static_cast<std::int64_t>(std::bit_ceil(width_ + 1));
    if (slots_.size() >= needed) return;
    slots_ = buffer<Index>(needed, Index{no_slot});
    listed_ = buffer<std::uint64_t>(needed / 64 + 1, 0);
  }
  /// The number of any column. The element behind the range stands for all columns outside: no branch.
  [[nodiscard]] Index find(Index column) const {
    return slots_.data()[std::min(static_cast<std::uint64_t>(column - first_), width_)];
  }
  /// The number of a column of the range, to be read and set.
  [[nodiscard]] Index& at(Index column) { return slots_.data()[column - first_]; }

  /// Forgets the numbers of these columns.
  void forget(std::span<const Index> columns) {
    for (const Index column : columns) at(column) = Index{no_slot};
  }
  void close() {}

  [[nodiscard]] std::int64_t width() const { return static_cast<std::int64_t>(width_); }
  /// The column is one that drain() visits.
  void list(Index column) {
    const std::int64_t k = column - first_;
    listed_[k / 64] |= std::uint64_t{1} << (k % 64);
  }
  /// visit(column, number) for every listed column in ascending order; forgets those.
  template <class Visit> void drain(Visit&& visit) {
    for (std::int64_t word = 0; word * 64 < width(); ++word) {
      for (std::uint64_t bits = std::exchange(listed_[word], 0); bits != 0; bits &= bits - 1) {
        const std::int64_t k = word * 64 + std::countr_zero(bits);
        visit(static_cast<Index>(first_ + k), std::exchange(slots_[k], Index{no_slot}));
      }
    }
  }

 private:
  buffer<Index> slots_;
  buffer<std::uint64_t> listed_;
  std::int64_t first_ = 0;
  std::uint64_t width_ = 0;
};

/// A table with open addressing. Between rows it is empty.
template <class Index> class hashed_slots {
 public:
  static constexpr bool in_order = false;

  /// From here on there is room for `columns` columns.
  void open(std::int64_t most) {
    const auto size =
        static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(2 * most, 2))));
    mask_ = static_cast<std::uint64_t>(size - 1);
    shift_ = 64 - std::bit_width(mask_);
    if (columns_.size() >= size) return;
    columns_ = buffer<Index>(size, Index{-1});
    slots_ = buffer<Index>(size);
  }
  [[nodiscard]] Index find(Index column) const {
    const std::uint64_t place = place_of(column);
    return columns_.data()[place] == column ? slots_.data()[place] : Index{no_slot};
  }
  /// The number of a column, to be read and set; the column is in the table afterwards.
  [[nodiscard]] Index& at(Index column) {
    const std::uint64_t place = place_of(column);
    if (columns_.data()[place] != column) {
      columns_.data()[place] = column;
      slots_.data()[place] = Index{no_slot};
    }
    return slots_.data()[place];
  }

  void forget(std::span<const Index>) {}
  /// Empties the table: what forget() leaves to be done.
  void close() { std::fill_n(columns_.data(), mask_ + 1, Index{-1}); }

 private:
  /// Where a column is, or where it would be put.
  [[nodiscard]] std::uint64_t place_of(Index column) const {
    std::uint64_t place = static_cast<std::uint64_t>(column) * 0x9e3779b97f4a7c15u >> shift_;
    while (columns_.data()[place] != column && columns_.data()[place] >= 0) place = (place + 1) & mask_;
    return place;
  }

  buffer<Index> columns_;  ///< -1: empty
  buffer<Index> slots_;
  std::uint64_t mask_ = 0;
  int shift_ = 0;
};

}  // namespace lacis::cpu

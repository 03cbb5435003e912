// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A few dense columns at a time: where a sparse row meets them, and the sums of its chunks.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include <lacis/types.hpp>

#include "summation/arithmetic.hpp"
#include "summation/sum.hpp"

namespace lacis::cpu {

/// Columns that are taken at once: their sums stay in registers and the first cache.
inline constexpr std::int64_t panel_cols = 64;
/// Rows that a kernel takes at once.
inline constexpr std::int64_t panel_height = 64;
/// How many entries ahead of their use rows of X are fetched.
inline constexpr std::int64_t panel_fetch = 16;

/// At most panel_cols columns of X and Y, both with contiguous rows: element (j, c) of X is x[j * x_stride + c].
template <value X, value T> struct dense_panel {
  std::int64_t x_stride = 0;
  std::int64_t cols = 0;
  T* y = nullptr;  ///< of the first row that a kernel is given
  std::int64_t y_stride = 0;
  T* sums = nullptr;   ///< memory for panel_tree, for rows of any length
  bool fetch = false;  ///< rows of X are not near: fetch them ahead
  bool past = false;   ///< rows of Y are whole lines, and more than caches hold: write them past the caches
};

/// The neighbour tree over chunks for several columns at a time: the sums of complete subtrees wait one per level.
template <class T> class panel_tree {
 public:
  /// Elements of memory for rows of at most that many entries.
  [[nodiscard]] static std::int64_t size_for(std::int64_t entries, std::int64_t cols) {
    return std::bit_width(static_cast<std::uint64_t>(summation::chunks_of(entries, summation::canonical.chunk))) * cols;
  }

  panel_tree(std::int64_t cols, T* memory) : cols_(static_cast<std::size_t>(cols)), levels_(memory) {}

  /// Forgets what it has taken in.
  void clear() { chunks_ = 0; }
  /// Takes in the next chunk's sums; overwrites them.
  void append(T* sums) {
    std::size_t level = 0;
    for (; (chunks_ >> level & 1) != 0; ++level) add_from_left(level, sums);
    std::copy_n(sums, cols_, levels_ + level * cols_);
    ++chunks_;
  }

  /// The sums of all chunks to `sums`; odd nodes pass up, so joining goes from the right.
  void total(T* sums) const {
    std::size_t level = static_cast<std::size_t>(std::countr_zero(chunks_));
    std::copy_n(levels_ + level * cols_, cols_, sums);
    for (++level; level < 64; ++level)
      if ((chunks_ >> level & 1) != 0) add_from_left(level, sums);
  }

 private:
  void add_from_left(std::size_t level, T* sums) const {
    for (std::size_t c = 0; c < cols_; ++c) sums[c] = summation::add(levels_[level * cols_ + c], sums[c]);
  }

  std::size_t cols_;
  std::uint64_t chunks_ = 0;
  T* levels_;
};

}  // namespace lacis::cpu

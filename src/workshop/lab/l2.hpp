// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A model of a GPU's second-level cache: sets of lines of four sectors, the least recently used line leaves.
#pragma once

#include <cstdint>
#include <vector>

namespace lacis::lab {

/// A missing sector is fetched by itself. A write makes its sector valid without a fetch and dirty; every time that a
/// clean sector becomes dirty it is written back once, when its line leaves or at the end, so that is what is counted.
/// Sectors are numbers from 0 on; a run of as many lines as there are sets takes one line of each, and the next run
/// begins at another set, so that strides of a power of two do not meet in few sets.
class l2_cache {
 public:
  l2_cache(std::int64_t bytes, int ways);

  /// Whether the sector had to be fetched.
  bool read(std::uint32_t sector);
  /// Whether it was not dirty before.
  bool write(std::uint32_t sector);

  [[nodiscard]] std::int64_t evictions() const { return evictions_; }

 private:
  struct line {
    std::uint32_t number = 0;
    std::uint16_t valid = 0;  ///< a bit a sector; 0: the line is free
    std::uint16_t dirty = 0;
  };
  line& touch(std::uint32_t number);

  std::uint32_t sets_;
  std::size_t ways_;
  std::vector<line> lines_;  ///< set by set, the most recently used one first
  std::int64_t evictions_ = 0;
};

}  // namespace lacis::lab

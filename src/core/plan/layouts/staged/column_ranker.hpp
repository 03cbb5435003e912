// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Which columns a block of rows has, and the rank of each entry's among them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lacis/types.hpp>

namespace lacis::detail {

/// Memory and methods of one thread. At most cpu::piece_size entries at a time.
template <index Index> class column_ranker {
 public:
  explicit column_ranker(std::int64_t cols);

  /// The different columns of some entries, ascending, to `columns`; the rank of each entry's to ranks().
  void rank(std::span<const Index> entries, std::vector<Index>& columns);
  [[nodiscard]] const std::vector<std::uint16_t>& ranks() const { return ranks_; }

 private:
  void rank_by_marks(std::span<const Index> entries, std::vector<Index>& columns);
  void rank_by_sorting(std::span<const Index> entries, std::vector<Index>& columns);

  std::vector<std::uint16_t> ranks_;
  std::vector<std::uint64_t> marks_;   ///< a bit for each column of the matrix; empty where there are too many
  std::vector<std::uint32_t> before_;  ///< bits that are set in the words before a word
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint64_t> other_;
};

}  // namespace lacis::detail

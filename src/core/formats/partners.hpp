// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Entry (j, i) for entry (i, j) of one matrix.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <lacis/csr.hpp>

namespace lacis::detail {

/// For rows i that are gone through in order: in a matrix of symmetric pattern the partners in row j then follow each
/// other, so the one behind the last is tried before any is searched. What is remembered fits the L2 cache; of rows
/// far apart it may be that of another row, and then the search decides.
template <value Value, index Index> class partner_search {
 public:
  explicit partner_search(const csr_view<Value, Index>& a)
      : row_offsets_(a.row_offsets.data()),
        columns_(a.columns.data()),
        next_(std::min(most_rows, std::bit_ceil(static_cast<std::size_t>(a.rows) + 1))) {}

  /// The number of entry (j, i), or -1 where the matrix has none.
  [[nodiscard]] std::int64_t find(std::int64_t i, Index j) {
    const std::int64_t begin = row_offsets_[j];
    const std::int64_t end = row_offsets_[static_cast<std::int64_t>(j) + 1];
    std::int64_t& next = next_[static_cast<std::size_t>(j) & (next_.size() - 1)];
    if (next < begin || next >= end || columns_[next] != i) {
      next = std::lower_bound(columns_ + begin, columns_ + end, static_cast<Index>(i)) - columns_;
      if (next == end || columns_[next] != i) return -1;
    }
    return next++;
  }

 private:
  static constexpr std::size_t most_rows = std::size_t{1} << 15;

  const std::int64_t* row_offsets_;
  const Index* columns_;
  std::vector<std::int64_t> next_;  ///< per row, several of which may share one; a power of two
};

}  // namespace lacis::detail

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Rows that are too long for one process: every process sums some of their chunks.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <lacis/mpi.hpp>

#include "mpi/space.hpp"

namespace lacis::dist {

/// Long rows of all processes, of each the chunks that this one sums.
template <value T> class long_rows {
 public:
  /// Takes rows with more than `longest` entries out of the matrix, where they stay empty, and shares their chunks out
  /// evenly. The matrix gets the ghosts that this process's chunks need.
  [[nodiscard]] static long_rows cut_from(distributed_csr<T>& a, std::int64_t longest);

  [[nodiscard]] bool empty() const { return rows_.empty(); }
  /// The elements of y that belong to long rows. `x` has the elements that local columns name.
  void multiply(const T* x, std::span<T> y, spread_space<T>& space) const;
  [[nodiscard]] std::int64_t storage_bytes() const;
  [[nodiscard]] std::string explain() const;

 private:
  struct long_row {
    std::int64_t own = -1;     ///< its number among the rows of this process, if it is one
    std::int64_t entries = 0;  ///< in all
    std::int64_t first = 0;    ///< chunk that this process sums
    std::int64_t last = 0;
    std::int64_t begin = 0;  ///< where they are in columns_
  };
  std::vector<long_row> rows_;
  buffer<std::int32_t> columns_;
  values_array<T> values_;
};

}  // namespace lacis::dist

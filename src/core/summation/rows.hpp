// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The rows of a reference result, put together one after the other.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include <lacis/csr.hpp>

namespace lacis::summation {

template <value T, index Index> class row_list {
 public:
  void append(const std::map<Index, T>& row) {
    for (const auto& [column, sum] : row) {
      columns_.push_back(column);
      values_.push_back(sum);
    }
    offsets_.push_back(static_cast<std::int64_t>(columns_.size()));
  }

  [[nodiscard]] csr_matrix<T, Index> matrix(std::int64_t cols) const {
    return {.rows = static_cast<std::int64_t>(offsets_.size()) - 1,
            .cols = cols,
            .row_offsets = buffer<std::int64_t>(std::span<const std::int64_t>(offsets_)),
            .columns = buffer<Index>(std::span<const Index>(columns_)),
            .values = values_array<T>(buffer<T>(std::span<const T>(values_)))};
  }

 private:
  std::vector<std::int64_t> offsets_{0};
  std::vector<Index> columns_;
  std::vector<T> values_;
};

}  // namespace lacis::summation

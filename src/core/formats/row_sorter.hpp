// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Sorting the entries of a row by column.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <lacis/types.hpp>

namespace lacis::detail {

/// Sorts one row at a time, keeping the order of equal columns: insertion for short rows, radix by bytes for long ones.
template <value Value, index Index> class row_sorter {
 public:
  /// `values` may be null: an iso matrix has nothing to move.
  void sort(Index* columns, Value* values, std::int64_t length) {
    if (length <= insertion_limit)
      insert(columns, values, length);
    else
      radix(columns, values, length);
  }

 private:
  static constexpr std::int64_t insertion_limit = 48;

  static void insert(Index* columns, Value* values, std::int64_t length) {
    for (std::int64_t k = 1; k < length; ++k) {
      const Index column = columns[k];
      if (columns[k - 1] <= column) continue;
      const Value value = values != nullptr ? values[k] : Value{};
      std::int64_t place = k;
      for (; place > 0 && columns[place - 1] > column; --place) {
        columns[place] = columns[place - 1];
        if (values != nullptr) values[place] = values[place - 1];
      }
      columns[place] = column;
      if (values != nullptr) values[place] = value;
    }
  }

  void radix(Index* columns, Value* values, std::int64_t length) {
    const auto size = static_cast<std::size_t>(length);
    other_columns_.resize(size);
    if (values != nullptr) other_values_.resize(size);
    Index* from = columns;
    Index* to = other_columns_.data();
    Value* values_from = values;
    Value* values_to = other_values_.data();
    const Index largest = *std::max_element(columns, columns + length);
    for (int shift = 0; shift < std::numeric_limits<Index>::digits && (largest >> shift) != 0; shift += 8) {
      std::array<std::int64_t, 257> start{};
      for (std::int64_t k = 0; k < length; ++k) ++start[static_cast<std::size_t>((from[k] >> shift) & 255) + 1];
      for (std::size_t d = 1; d < start.size(); ++d) start[d] += start[d - 1];
      for (std::int64_t k = 0; k < length; ++k) {
        const std::int64_t place = start[static_cast<std::size_t>((from[k] >> shift) & 255)]++;
        to[place] = from[k];
        if (values != nullptr) values_to[place] = values_from[k];
      }
      std::swap(from, to);
      std::swap(values_from, values_to);
    }
    if (from != columns) {
      std::copy_n(from, length, columns);
      if (values != nullptr) std::copy_n(values_from, length, values);
    }
  }

  std::vector<Index> other_columns_;
  std::vector<Value> other_values_;
};

}  // namespace lacis::detail

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The entries of one row or column of a matrix, to be looked at one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>

#include <lacis/types.hpp>
#include <lacis/values.hpp>

namespace lacis {

/// An entry of a row or column: its index in it, and its value.
template <value Value, index Index> struct matrix_entry {
  Index index = 0;   ///< of the column in a row, or of the row in a column
  Value value = {};  ///< stored at that position
};

/// Entries first .. last of the arrays of a matrix, which they refer to.
template <value Value, index Index> class matrix_row {
 public:
  /// Goes from entry to entry. It copies them: an entry is not stored as one object.
  class iterator {
   public:
    /// What dereferencing gives, by value.
    using value_type = matrix_entry<Value, Index>;
    /// Type of a distance between two.
    using difference_type = std::ptrdiff_t;
    /// Several passes are possible.
    using iterator_concept = std::forward_iterator_tag;

    /// Refers to no entry.
    iterator() = default;
    /// At an index and its value; `step` is 0 where one value stands for all entries.
    iterator(const Index* place, const Value* value, int step) : place_(place), value_(value), step_(step) {}

    /// The entry.
    [[nodiscard]] value_type operator*() const { return {*place_, *value_}; }
    /// On to the next entry.
    iterator& operator++() {
      ++place_;
      value_ += step_;
      return *this;
    }
    /// On to the next entry; gives the one before.
    iterator operator++(int) {
      const iterator before = *this;
      ++*this;
      return before;
    }
    /// Whether both are at the same entry of one row.
    [[nodiscard]] bool operator==(const iterator& other) const { return place_ == other.place_; }

   private:
    const Index* place_ = nullptr;
    const Value* value_ = nullptr;
    int step_ = 1;  // 0 where all entries have one value
  };

  /// Entries first .. last - 1 of these arrays; nothing is checked.
  matrix_row(std::span<const Index> indices, values_view<Value> values, std::int64_t first, std::int64_t last)
      : indices_(indices.data() + first),
        values_(values.data.data() + (values.iso ? 0 : first)),
        size_(last - first),
        step_(values.iso ? 0 : 1) {}

  /// The number of entries.
  [[nodiscard]] std::int64_t size() const { return size_; }
  /// Whether there are none.
  [[nodiscard]] bool empty() const { return size_ == 0; }
  /// The first entry.
  [[nodiscard]] iterator begin() const { return {indices_, values_, step_}; }
  /// Behind the last entry.
  [[nodiscard]] iterator end() const { return {indices_ + size_, nullptr, step_}; }

 private:
  const Index* indices_;
  const Value* values_;
  std::int64_t size_;
  int step_;
};

}  // namespace lacis

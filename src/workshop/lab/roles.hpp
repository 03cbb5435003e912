// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Which array of a product is which, and where each lies in the addresses that the model sees.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "device/spmv.hpp"

namespace lacis::lab {

enum class role : std::uint8_t {
  values,
  columns,
  x,
  y,
  row_offsets,
  row_indices,
  row_lengths,
  permutation,
  slice_offsets,
  diagonal_offsets,
  mask,
  rest_values,
  rest_columns,
  rest_rows,
  rest_offsets,
  chunk_rows,
  chunk_numbers,
  join_rows,
  join_chunks,
  chunk_sums,
  // Of products of two sparse matrices, in the order of device::spgemm_array.
  a_offsets,
  a_columns,
  a_values,
  b_offsets,
  b_columns,
  b_values,
  c_offsets,
  c_columns,
  c_values,
  row_list,
  row_counts,
  block_counts,
  table_keys,
  table_sums,
  counters,
  other
};
inline constexpr std::size_t role_count = static_cast<std::size_t>(role::other) + 1;

struct role_facts {
  std::string_view name;
  bool of_entries;  ///< values, columns and x, or those of B: what active lanes are counted over
  bool of_rows;     ///< has about an element for each row, where the others have one for each entry
};
[[nodiscard]] const role_facts& facts_of(role which);

/// Arrays one after the other from address 0 on, at multiples of 256 bytes, so that figures do not depend on where the
/// host's memory lies.
class address_map {
 public:
  struct array {
    role which = role::other;
    const char* begin = nullptr;
    std::int64_t bytes = 0;
    std::uint64_t address = 0;  ///< of its first byte
    bool updated = false;       ///< an output that is read as often as it is written
  };

  void add(role which, const void* data, std::int64_t bytes);
  template <class T> void add(role which, const device::device_array<T>& data) {
    add(which, data.data(), data.size() * static_cast<std::int64_t>(sizeof(T)));
  }
  /// Room for an array that is put there, for as long as it is the same one.
  [[nodiscard]] std::uint64_t reserve(std::int64_t bytes);
  void put(const array& one) { arrays_.push_back(one); }
  void clear() { arrays_.clear(); }
  /// The next product's arrays lie behind those of the last one, but x stays where it was when `keep_x`.
  void next_product(bool keep_x);
  /// The one that the pointer points into; `other` at address 0 when there is none.
  [[nodiscard]] array find(const void* pointer) const;
  [[nodiscard]] std::uint64_t end() const { return end_; }

 private:
  std::vector<array> arrays_;
  std::uint64_t end_ = 0;
  std::uint64_t x_address_ = 0;
  bool has_x_ = false;
};

/// The arrays that a product of the plan reads and writes.
template <class Value>
void map_arrays(address_map& map, const device::device_csr<Value, std::int32_t>& a,
                const device::spmv_plan<Value, std::int32_t>& plan, const device::device_array<Value>& x,
                const device::device_array<Value>& y);

}  // namespace lacis::lab

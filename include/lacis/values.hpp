// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The values of a matrix: one for each stored slot, or a single one for all of them (iso).
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <lacis/buffer.hpp>
#include <lacis/types.hpp>

namespace lacis {

/// The values of a matrix, borrowed. An *iso* matrix stores one value that every entry has (a pattern is iso with 1),
/// so `data` then holds one element whatever the number of entries.
template <value Value> struct values_view {
  std::span<const Value> data;  ///< one value per slot, or one when iso
  bool iso = false;             ///< one value stands for all slots

  /// No values.
  values_view() = default;
  /// One value per slot.
  values_view(std::span<const Value> values) : data(values) {}
  /// One value per slot, or with `is_iso` one for all of them.
  values_view(std::span<const Value> values, bool is_iso) : data(values), iso(is_iso) {}

  /// The value of slot k.
  [[nodiscard]] Value operator[](std::int64_t k) const { return data[static_cast<std::size_t>(iso ? 0 : k)]; }
};

/// The values of a matrix, owned. Plain data: threads may share it while none of them changes it.
template <value Value> struct values_array {
  buffer<Value> data;  ///< one value per slot, or one when iso
  bool iso = false;    ///< one value stands for all slots

  /// No values.
  values_array() = default;
  /// One value per slot, uninitialised.
  explicit values_array(std::int64_t slots) : data(slots) {}
  /// Takes the values over: one per slot, or with `is_iso` one for all of them.
  explicit values_array(buffer<Value> values, bool is_iso = false) : data(std::move(values)), iso(is_iso) {}
  /// Takes a vector over, without a copy.
  values_array(std::vector<Value>&& values) : data(std::move(values)) {}
  /// A copy of borrowed values.
  explicit values_array(values_view<Value> values) : data(values.data), iso(values.iso) {}

  /// One value for every slot.
  [[nodiscard]] static values_array same(Value value) { return values_array(buffer<Value>(1, value), true); }
  /// Room for `slots` values shaped like `other`: a copy of its single value when it is iso, uninitialised otherwise.
  [[nodiscard]] static values_array like(values_view<Value> other, std::int64_t slots) {
    return other.iso ? same(other.data[0]) : values_array(slots);
  }

  /// The value of slot k, from 0 on; not checked.
  [[nodiscard]] Value operator[](std::int64_t k) const { return data[iso ? 0 : k]; }
  /// The values, borrowed; valid while the array lives and is not assigned to.
  [[nodiscard]] values_view<Value> view() const& { return values_view<Value>(detail::span_of(data), iso); }
  /// A view of a temporary would outlive it.
  void view() const&& = delete;
  /// Whether both store the same values: one for all slots differs from one per slot.
  [[nodiscard]] friend bool operator==(const values_array&, const values_array&) = default;
};

}  // namespace lacis

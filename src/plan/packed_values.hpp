// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The values of a layout, owned, in a form that a kernel widens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <lacis/buffer.hpp>
#include <lacis/values.hpp>

#include "cpu/stored_values.hpp"

namespace lacis::detail {

/// Slots behind the last one that a kernel may read, though not use.
inline constexpr std::int64_t spare_slots = 64;

template <class Value> class packed_values {
 public:
  packed_values() = default;
  /// Room for `slots` values, uninitialised but for the spare ones; `one` holds `same` and needs no slots.
  packed_values(std::int64_t slots, cpu::value_form form, Value same) : form_(form), slots_(slots) {
    if (form == cpu::value_form::one) {
      data_ = buffer<std::byte>(sizeof(Value));
      std::memcpy(data_.data(), &same, sizeof(Value));
      return;
    }
    const std::int64_t width = cpu::width_of<Value>(form);
    data_ = buffer<std::byte>((slots + spare_slots) * width);
    std::memset(data_.data() + slots * width, 0, static_cast<std::size_t>(spare_slots * width));
  }

  /// Keeps a value that the form holds exactly. Different slots may be written by different threads.
  void set(std::int64_t slot, Value v) {
    if (form_ == cpu::value_form::one) return;
    if constexpr (cpu::has_byte<Value>)
      if (form_ == cpu::value_form::byte) {
        as<std::int8_t>()[slot] = static_cast<std::int8_t>(v);
        return;
      }
    if constexpr (std::is_same_v<Value, float>) {
      if (form_ == cpu::value_form::half) {
        as<cpu::half_bits>()[slot] = cpu::to_half(v);
        return;
      }
    } else if constexpr (cpu::has_half<Value>) {
      if (form_ == cpu::value_form::half) {
        as<cpu::half_type<Value>>()[slot] = static_cast<cpu::half_type<Value>>(v);
        return;
      }
    }
    as<Value>()[slot] = v;
  }

  [[nodiscard]] Value operator[](std::int64_t slot) const {
    return cpu::widened<Value>(data_.data(), form_, slot);
  }
  [[nodiscard]] cpu::value_form form() const { return form_; }
  [[nodiscard]] std::int64_t slots() const { return slots_; }
  [[nodiscard]] std::int64_t bytes() const { return data_.size(); }
  [[nodiscard]] cpu::stored_values<Value> view() const { return {data_.data(), form_}; }

 private:
  template <class T> T* as() { return reinterpret_cast<T*>(data_.data()); }

  buffer<std::byte> data_;
  cpu::value_form form_ = cpu::value_form::one;
  std::int64_t slots_ = 0;
};

/// The narrowest form that keeps every value bit for bit.
template <class Value> [[nodiscard]] cpu::value_form narrowest_form(values_view<Value> values);

/// "one", "int8", "half", "float", "double", "complex-float", "complex-double".
template <class Value> [[nodiscard]] const char* form_name(cpu::value_form form);

}  // namespace lacis::detail

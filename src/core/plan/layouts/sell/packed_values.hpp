// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The values of a layout, owned, in a form that a kernel widens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <lacis/buffer.hpp>
#include <lacis/values.hpp>

#include "base/parallel.hpp"
#include "cpu/simd/stored_values.hpp"

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

  /// work(put): put(slot, value) keeps a value that the form holds exactly, and does nothing where all are one.
  /// Different slots may be written by different threads. The form is looked at once, not for each value.
  template <class Work> void write(Work&& work) {
    switch (form_) {
      case cpu::value_form::one:
        return work([](std::int64_t, const Value&) {});
      case cpu::value_form::byte:
        if constexpr (cpu::has_byte<Value>)
          return work([to = as<std::int8_t>()](std::int64_t slot, Value v) { to[slot] = static_cast<std::int8_t>(v); });
        return;
      case cpu::value_form::half:
        if constexpr (std::is_same_v<Value, float>)
          return work([to = as<cpu::half_bits>()](std::int64_t slot, Value v) { to[slot] = cpu::to_half(v); });
        else if constexpr (cpu::has_half<Value>)
          return work([to = as<cpu::half_type<Value>>()](std::int64_t slot, const Value& v) {
            to[slot] = static_cast<cpu::half_type<Value>>(v);
          });
        return;
      case cpu::value_form::full:
        return work([to = as<Value>()](std::int64_t slot, const Value& v) { to[slot] = v; });
    }
  }
  /// Zeros in every slot.
  void clear() {
    if (form_ == cpu::value_form::one) return;
    parallel_ranges(data_.size(), [&](std::int64_t begin, std::int64_t end) {
      std::memset(data_.data() + begin, 0, static_cast<std::size_t>(end - begin));
    });
  }

  [[nodiscard]] Value operator[](std::int64_t slot) const { return cpu::widened<Value>(data_.data(), form_, slot); }
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
/// The same for a sample of the values: the form of all of them is that one or a wider one.
template <class Value> [[nodiscard]] cpu::value_form form_of_sample(values_view<Value> values);

/// "one", "int8", "half", "float", "double", "complex-float", "complex-double".
template <class Value> [[nodiscard]] const char* form_name(cpu::value_form form);

}  // namespace lacis::detail

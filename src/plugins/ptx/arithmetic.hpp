// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Instructions that compute: each lane from its own registers.
#pragma once

#include <bit>
#include <cstring>
#include <string_view>

#include "ptx/program.hpp"

namespace lacis::ptx {

/// A register has 64 bits; whoever reads it takes the low ones that the instruction's type has.
template <class T> [[nodiscard]] inline T value_of(std::uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);  // little endian, as the device
  return value;
}
template <class T> [[nodiscard]] inline std::uint64_t bits_of(T value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

template <class Work> inline void each_lane(lane_mask mask, const Work& work) {
  if (mask == all_lanes)
    for (int lane = 0; lane < lanes; ++lane) work(lane);
  else
    for (lane_mask rest = mask; rest != 0; rest &= rest - 1) work(std::countr_zero(rest));
}
[[nodiscard]] inline std::uint64_t* lanes_of(std::uint64_t* registers, int number) {
  return registers + static_cast<std::size_t>(number) * lanes;
}

/// The functions below are null for types that an opcode does not have here.
[[nodiscard]] lane_function arithmetic_of(std::string_view opcode, type kind);
/// mul.wide and mul.hi, mad.wide.
[[nodiscard]] lane_function wide_of(std::string_view opcode, type kind);
[[nodiscard]] lane_function high_of(type kind);
[[nodiscard]] lane_function conversion_of(type to, type from);
[[nodiscard]] lane_function comparison_of(std::string_view relation, type kind);
/// With a second predicate: setp.lt.and.u32.
[[nodiscard]] lane_function pack_of(int parts, int bytes);
[[nodiscard]] lane_function unpack_of(int parts, int bytes);

}  // namespace lacis::ptx

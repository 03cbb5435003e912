// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Instructions whose result has another type than their operands: wide products, conversions, comparisons, packing.
#include <cmath>
#include <limits>
#include <type_traits>

#include "ptx/arithmetic.hpp"

namespace lacis::ptx {
namespace {

using u64 = std::uint64_t;

template <class T, class Wide> void multiply_wide(u64* registers, const instruction& i, lane_mask mask) {
  u64* const to = lanes_of(registers, i.to[0]);
  const u64* const a = lanes_of(registers, i.from[0]);
  const u64* const b = lanes_of(registers, i.from[1]);
  each_lane(mask, [&](int l) {
    to[l] = bits_of(static_cast<Wide>(static_cast<Wide>(value_of<T>(a[l])) * static_cast<Wide>(value_of<T>(b[l]))));
  });
}
template <class T, class Wide> void multiply_wide_add(u64* registers, const instruction& i, lane_mask mask) {
  u64* const to = lanes_of(registers, i.to[0]);
  const u64* const a = lanes_of(registers, i.from[0]);
  const u64* const b = lanes_of(registers, i.from[1]);
  const u64* const c = lanes_of(registers, i.from[2]);
  each_lane(mask, [&](int l) {
    const auto product = static_cast<u64>(static_cast<Wide>(value_of<T>(a[l])) * static_cast<Wide>(value_of<T>(b[l])));
    to[l] = product + c[l];
  });
}
template <class T, class Wide> void multiply_high(u64* registers, const instruction& i, lane_mask mask) {
  u64* const to = lanes_of(registers, i.to[0]);
  const u64* const a = lanes_of(registers, i.from[0]);
  const u64* const b = lanes_of(registers, i.from[1]);
  each_lane(mask, [&](int l) {
    const Wide product = static_cast<Wide>(value_of<T>(a[l])) * static_cast<Wide>(value_of<T>(b[l]));
    to[l] = bits_of(static_cast<T>(product >> sizeof(T) * 8));
  });
}

/// Integers keep their low bits; real numbers become integers towards zero, and stop at the ends of the range.
template <class To, class From> To converted(From value) {
  if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    if (std::isnan(value)) return 0;
    if (value <= static_cast<From>(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
    if (value >= static_cast<From>(std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
  }
  return static_cast<To>(value);
}
template <class To, class From> void convert(u64* registers, const instruction& i, lane_mask mask) {
  u64* const to = lanes_of(registers, i.to[0]);
  const u64* const a = lanes_of(registers, i.from[0]);
  each_lane(mask, [&](int l) { to[l] = bits_of(converted<To>(value_of<From>(a[l]))); });
}
template <class To> lane_function conversion_to(type from) {
  switch (from) {
    case type::u8:
      return convert<To, std::uint8_t>;
    case type::u16:
      return convert<To, std::uint16_t>;
    case type::u32:
      return convert<To, std::uint32_t>;
    case type::u64:
      return convert<To, std::uint64_t>;
    case type::s8:
      return convert<To, std::int8_t>;
    case type::s16:
      return convert<To, std::int16_t>;
    case type::s32:
      return convert<To, std::int32_t>;
    case type::s64:
      return convert<To, std::int64_t>;
    case type::f32:
      return convert<To, float>;
    case type::f64:
      return convert<To, double>;
    case type::pred:
      break;
  }
  return nullptr;
}

template <class T, class Relation> void compare(u64* registers, const instruction& i, lane_mask mask) {
  u64* const to = lanes_of(registers, i.to[0]);
  const u64* const a = lanes_of(registers, i.from[0]);
  const u64* const b = lanes_of(registers, i.from[1]);
  each_lane(mask, [&](int l) { to[l] = Relation{}(value_of<T>(a[l]), value_of<T>(b[l])) ? 1 : 0; });
}
// Of real numbers eq, ne, lt, le, gt and ge are false when one of them is no number; ltu and its like are true.
struct eq {
  template <class T> bool operator()(T a, T b) const { return a == b; }
};
struct ne {
  template <class T> bool operator()(T a, T b) const { return a < b || a > b; }
};
struct lt {
  template <class T> bool operator()(T a, T b) const { return a < b; }
};
struct le {
  template <class T> bool operator()(T a, T b) const { return a <= b; }
};
struct gt {
  template <class T> bool operator()(T a, T b) const { return a > b; }
};
struct ge {
  template <class T> bool operator()(T a, T b) const { return a >= b; }
};
template <class Relation> struct no {
  template <class T> bool operator()(T a, T b) const { return !Relation{}(a, b); }
};
template <class Relation> lane_function comparison(type kind) {
  switch (kind) {
    case type::u16:
      return compare<std::uint16_t, Relation>;
    case type::u32:
      return compare<std::uint32_t, Relation>;
    case type::u64:
      return compare<std::uint64_t, Relation>;
    case type::s16:
      return compare<std::int16_t, Relation>;
    case type::s32:
      return compare<std::int32_t, Relation>;
    case type::s64:
      return compare<std::int64_t, Relation>;
    case type::f32:
      return compare<float, Relation>;
    case type::f64:
      return compare<double, Relation>;
    default:
      return nullptr;
  }
}
struct relation {
  std::string_view name;
  lane_function (*function)(type kind);
};
constexpr relation relations[] = {
    {"eq", comparison<eq>},      {"ne", comparison<ne>},      {"lt", comparison<lt>},      {"le", comparison<le>},
    {"gt", comparison<gt>},      {"ge", comparison<ge>},      {"lo", comparison<lt>},      {"ls", comparison<le>},
    {"hi", comparison<gt>},      {"hs", comparison<ge>},      {"neu", comparison<no<eq>>}, {"ltu", comparison<no<ge>>},
    {"leu", comparison<no<gt>>}, {"gtu", comparison<no<le>>}, {"geu", comparison<no<lt>>}, {"equ", comparison<no<ne>>},
};

template <int Parts, int Bytes> void pack(u64* registers, const instruction& i, lane_mask mask) {
  u64* const to = lanes_of(registers, i.to[0]);
  each_lane(mask, [&](int l) {
    u64 all = 0;
    for (int k = 0; k < Parts; ++k)
      std::memcpy(reinterpret_cast<char*>(&all) + k * Bytes, lanes_of(registers, i.from[k]) + l, Bytes);
    to[l] = all;
  });
}
template <int Parts, int Bytes> void unpack(u64* registers, const instruction& i, lane_mask mask) {
  const u64* const from = lanes_of(registers, i.from[0]);
  each_lane(mask, [&](int l) {
    const u64 all = from[l];
    for (int k = 0; k < Parts; ++k) {
      u64 part = 0;
      std::memcpy(&part, reinterpret_cast<const char*>(&all) + k * Bytes, Bytes);
      if (i.to[k] != none) lanes_of(registers, i.to[k])[l] = part;
    }
  });
}

}  // namespace

lane_function wide_of(std::string_view opcode, type kind) {
  const bool plain = opcode == "mul";
  switch (kind) {
    case type::u16:
      return plain ? multiply_wide<std::uint16_t, std::uint32_t> : nullptr;
    case type::s16:
      return plain ? multiply_wide<std::int16_t, std::int32_t> : nullptr;
    case type::u32:
      return plain ? multiply_wide<std::uint32_t, std::uint64_t> : multiply_wide_add<std::uint32_t, std::uint64_t>;
    case type::s32:
      return plain ? multiply_wide<std::int32_t, std::int64_t> : multiply_wide_add<std::int32_t, std::int64_t>;
    default:
      return nullptr;
  }
}

lane_function high_of(type kind) {
  __extension__ using u128 = unsigned __int128;
  __extension__ using s128 = __int128;
  switch (kind) {
    case type::u32:
      return multiply_high<std::uint32_t, std::uint64_t>;
    case type::s32:
      return multiply_high<std::int32_t, std::int64_t>;
    case type::u64:
      return multiply_high<std::uint64_t, u128>;
    case type::s64:
      return multiply_high<std::int64_t, s128>;
    default:
      return nullptr;
  }
}

lane_function conversion_of(type to, type from) {
  switch (to) {
    case type::u8:
      return conversion_to<std::uint8_t>(from);
    case type::u16:
      return conversion_to<std::uint16_t>(from);
    case type::u32:
      return conversion_to<std::uint32_t>(from);
    case type::u64:
      return conversion_to<std::uint64_t>(from);
    case type::s8:
      return conversion_to<std::int8_t>(from);
    case type::s16:
      return conversion_to<std::int16_t>(from);
    case type::s32:
      return conversion_to<std::int32_t>(from);
    case type::s64:
      return conversion_to<std::int64_t>(from);
    case type::f32:
      return conversion_to<float>(from);
    case type::f64:
      return conversion_to<double>(from);
    case type::pred:
      break;
  }
  return nullptr;
}

lane_function comparison_of(std::string_view name, type kind) {
  for (const relation& known : relations)
    if (known.name == name) return known.function(kind);
  return nullptr;
}

lane_function pack_of(int parts, int bytes) {
  if (parts * bytes == 8) return parts == 2 ? pack<2, 4> : parts == 4 ? pack<4, 2> : nullptr;
  return parts == 2 && bytes == 2 ? pack<2, 2> : parts == 4 && bytes == 1 ? pack<4, 1> : nullptr;
}
lane_function unpack_of(int parts, int bytes) {
  if (parts * bytes == 8) return parts == 2 ? unpack<2, 4> : parts == 4 ? unpack<4, 2> : nullptr;
  return parts == 2 && bytes == 2 ? unpack<2, 2> : parts == 4 && bytes == 1 ? unpack<4, 1> : nullptr;
}

}  // namespace lacis::ptx

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Arithmetic, logic and moves. Sums and products of floating-point numbers are rounded one by one, as .rn says.
#include "ptx/arithmetic.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace lacis::ptx {
namespace {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;

template <class T, class Function> void unary(u64* registers, const instruction& i, lane_mask mask) {
  u64* const to = lanes_of(registers, i.to[0]);
  const u64* const a = lanes_of(registers, i.from[0]);
  each_lane(mask, [&](int l) { to[l] = bits_of(Function{}(value_of<T>(a[l]))); });
}
template <class T, class Function> void binary(u64* registers, const instruction& i, lane_mask mask) {
  u64* const to = lanes_of(registers, i.to[0]);
  const u64* const a = lanes_of(registers, i.from[0]);
  const u64* const b = lanes_of(registers, i.from[1]);
  each_lane(mask, [&](int l) { to[l] = bits_of(Function{}(value_of<T>(a[l]), value_of<T>(b[l]))); });
}
/// The second operand has 32 bits for every type.
template <class T, class Function> void shifted(u64* registers, const instruction& i, lane_mask mask) {
  u64* const to = lanes_of(registers, i.to[0]);
  const u64* const a = lanes_of(registers, i.from[0]);
  const u64* const b = lanes_of(registers, i.from[1]);
  each_lane(mask, [&](int l) { to[l] = bits_of(Function{}(value_of<T>(a[l]), value_of<u32>(b[l]))); });
}
template <class T, class Function> void ternary(u64* registers, const instruction& i, lane_mask mask) {
  u64* const to = lanes_of(registers, i.to[0]);
  const u64* const a = lanes_of(registers, i.from[0]);
  const u64* const b = lanes_of(registers, i.from[1]);
  const u64* const c = lanes_of(registers, i.from[2]);
  each_lane(mask, [&](int l) { to[l] = bits_of(Function{}(value_of<T>(a[l]), value_of<T>(b[l]), value_of<T>(c[l]))); });
}

// Integers wrap, so they are added and multiplied without a sign.
template <class T> struct wrapping {
  using type = T;
};
template <class T>
  requires std::is_integral_v<T>
struct wrapping<T> {
  using type = std::conditional_t<sizeof(T) < 4, u32, std::make_unsigned_t<T>>;
};
template <class T> using wrap = typename wrapping<T>::type;

struct add {
  template <class T> T operator()(T a, T b) const { return static_cast<T>(wrap<T>(a) + wrap<T>(b)); }
};
struct subtract {
  template <class T> T operator()(T a, T b) const { return static_cast<T>(wrap<T>(a) - wrap<T>(b)); }
};
struct multiply {
  template <class T> T operator()(T a, T b) const { return static_cast<T>(wrap<T>(a) * wrap<T>(b)); }
};
struct multiply_add {
  template <class T> T operator()(T a, T b, T c) const { return add{}(multiply{}(a, b), c); }
};
struct fused_multiply_add {
  template <class T> T operator()(T a, T b, T c) const { return std::fma(a, b, c); }
};
/// Of integers by zero: all bits set, as PTX leaves it to the machine.
struct divide {
  template <class T> T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>) {
      if (b == 0) return static_cast<T>(~T{0});
      if constexpr (std::is_signed_v<T>)
        if (b == -1) return subtract{}(T{0}, a);
    }
    return static_cast<T>(a / b);
  }
};
struct remainder {
  template <class T> T operator()(T a, T b) const {
    if (b == 0) return a;
    if constexpr (std::is_signed_v<T>)
      if (b == -1) return 0;
    return static_cast<T>(a % b);
  }
};
struct least {
  template <class T> T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>) return std::fmin(a, b);
    return std::min(a, b);
  }
};
struct most {
  template <class T> T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>) return std::fmax(a, b);
    return std::max(a, b);
  }
};
struct negate {
  template <class T> T operator()(T a) const {
    if constexpr (std::is_floating_point_v<T>) return -a;
    return subtract{}(T{0}, a);
  }
};
struct magnitude {
  template <class T> T operator()(T a) const {
    if constexpr (std::is_floating_point_v<T>) return std::fabs(a);
    return a < 0 ? negate{}(a) : a;
  }
};
struct square_root {
  template <class T> T operator()(T a) const { return std::sqrt(a); }
};
struct bit_and {
  template <class T> T operator()(T a, T b) const { return static_cast<T>(a & b); }
};
struct bit_or {
  template <class T> T operator()(T a, T b) const { return static_cast<T>(a | b); }
};
struct bit_xor {
  template <class T> T operator()(T a, T b) const { return static_cast<T>(a ^ b); }
};
struct bit_not {
  template <class T> T operator()(T a) const { return static_cast<T>(~a); }
};
struct predicate_not {
  u8 operator()(u8 a) const { return (a & 1) ^ 1; }
};
struct shift_left {
  template <class T> T operator()(T a, u32 by) const {
    return by >= sizeof(T) * 8 ? T{0} : static_cast<T>(static_cast<u64>(a) << by);
  }
};
struct shift_right {
  template <class T> T operator()(T a, u32 by) const {
    const u32 most_bits = sizeof(T) * 8 - 1;
    if constexpr (std::is_signed_v<T>) return static_cast<T>(a >> std::min(by, most_bits));
    return by > most_bits ? T{0} : static_cast<T>(a >> by);
  }
};
struct same {
  template <class T> T operator()(T a) const { return a; }
};
struct count_bits {
  template <class T> u32 operator()(T a) const { return static_cast<u32>(std::popcount(a)); }
};
struct leading_zeros {
  template <class T> u32 operator()(T a) const { return static_cast<u32>(std::countl_zero(a)); }
};
/// bfind.shiftamt: how far to shift left until the highest bit is set.
struct shift_to_highest {
  template <class T> u32 operator()(T a) const { return a == 0 ? ~u32{0} : static_cast<u32>(std::countl_zero(a)); }
};
struct reverse_bits {
  template <class T> T operator()(T a) const {
    T reversed = 0;
    for (std::size_t bit = 0; bit < sizeof(T) * 8; ++bit) reversed |= (a >> bit & 1) << (sizeof(T) * 8 - 1 - bit);
    return reversed;
  }
};
struct extract_field {
  u32 operator()(u32 a, u32 position, u32 length) const {
    position &= 255;
    length &= 255;
    if (position > 31) return 0;
    return a >> position & (length > 31 ? ~u32{0} : (u32{1} << length) - 1);
  }
};
/// bmsk.clamp: that many ones, from that bit on.
struct field_mask {
  u32 operator()(u32 first, u32 length) const {
    return first > 31 ? 0 : (length > 31 ? ~u32{0} : (u32{1} << length) - 1) << first;
  }
};

void insert_field(u64* registers, const instruction& i, lane_mask mask) {
  u64* const to = lanes_of(registers, i.to[0]);
  each_lane(mask, [&](int l) {
    const auto operand = [&](int number) { return value_of<u32>(lanes_of(registers, i.from[number])[l]); };
    const u32 position = operand(2) & 255;
    const u32 length = operand(3) & 255;
    const u32 ones = length > 31 ? ~u32{0} : (u32{1} << length) - 1;
    const u32 field = position > 31 ? 0 : ones << position;
    to[l] = (operand(1) & ~field) | (position > 31 ? 0 : (operand(0) << position) & field);
  });
}
/// shf: the 64 bits of two words, shifted; the clamped forms take at most 32, the wrapping ones the low 5 bits.
template <bool Left, bool Wrap> void funnel(u64* registers, const instruction& i, lane_mask mask) {
  u64* const to = lanes_of(registers, i.to[0]);
  each_lane(mask, [&](int l) {
    const auto operand = [&](int number) { return value_of<u32>(lanes_of(registers, i.from[number])[l]); };
    const u64 both = u64{operand(1)} << 32 | operand(0);
    const u32 by = Wrap ? operand(2) & 31 : std::min<u32>(operand(2), 32);
    to[l] = Left ? static_cast<u32>(both << by >> 32) : static_cast<u32>(both >> by);
  });
}
/// prmt without a mode: four bytes out of eight, each with its sign instead where bit 3 of the selector is set.
void permute_bytes(u64* registers, const instruction& i, lane_mask mask) {
  u64* const to = lanes_of(registers, i.to[0]);
  each_lane(mask, [&](int l) {
    const auto operand = [&](int number) { return value_of<u32>(lanes_of(registers, i.from[number])[l]); };
    const u64 both = u64{operand(1)} << 32 | operand(0);
    u32 result = 0;
    for (u32 k = 0; k < 4; ++k) {
      const u32 selector = operand(2) >> 4 * k & 15;
      const u32 byte = static_cast<u32>(both >> 8 * (selector & 7)) & 255;
      result |= ((selector & 8) != 0 ? (byte & 128) != 0 ? 255 : 0 : byte) << 8 * k;
    }
    to[l] = result;
  });
}
/// lop3: the bit of the table that the bits of the three operands number.
void three_input_logic(u64* registers, const instruction& i, lane_mask mask) {
  u64* const to = lanes_of(registers, i.to[0]);
  each_lane(mask, [&](int l) {
    const auto operand = [&](int number) { return value_of<u32>(lanes_of(registers, i.from[number])[l]); };
    u32 result = 0;
    for (u32 bit = 0; bit < 32; ++bit) {
      const u32 place = (operand(0) >> bit & 1) << 2 | (operand(1) >> bit & 1) << 1 | (operand(2) >> bit & 1);
      result |= (operand(3) >> place & 1) << bit;
    }
    to[l] = result;
  });
}
template <class T> void select(u64* registers, const instruction& i, lane_mask mask) {
  u64* const to = lanes_of(registers, i.to[0]);
  const u64* const a = lanes_of(registers, i.from[0]);
  const u64* const b = lanes_of(registers, i.from[1]);
  const u64* const which = lanes_of(registers, i.from[2]);
  each_lane(mask, [&](int l) { to[l] = bits_of(value_of<T>((which[l] & 1) != 0 ? a[l] : b[l])); });
}

template <class... T> struct types {};
using unsigned_types = types<u16, u32, u64>;
using integers = types<u16, u32, u64, s16, s32, s64>;
using reals = types<float, double>;
using numbers = types<u16, u32, u64, s16, s32, s64, float, double>;

template <class T> constexpr type type_of() {
  if constexpr (std::is_same_v<T, u8>) return type::pred;
  if constexpr (std::is_same_v<T, u16>) return type::u16;
  if constexpr (std::is_same_v<T, u32>) return type::u32;
  if constexpr (std::is_same_v<T, u64>) return type::u64;
  if constexpr (std::is_same_v<T, s16>) return type::s16;
  if constexpr (std::is_same_v<T, s32>) return type::s32;
  if constexpr (std::is_same_v<T, s64>) return type::s64;
  return std::is_same_v<T, float> ? type::f32 : type::f64;
}

template <class T> struct make_unary {
  template <class F> static lane_function of() { return unary<T, F>; }
};
template <class T> struct make_binary {
  template <class F> static lane_function of() { return binary<T, F>; }
};
template <class T> struct make_shifted {
  template <class F> static lane_function of() { return shifted<T, F>; }
};
template <class T> struct make_ternary {
  template <class F> static lane_function of() { return ternary<T, F>; }
};
template <class T> struct make_select {
  template <class F> static lane_function of() { return select<T>; }
};
/// The function for the type, among those that the opcode has.
template <template <class> class Make, class Function, class... T> lane_function among(type kind, types<T...>) {
  lane_function found = nullptr;
  static_cast<void>(((type_of<T>() == kind && (found = Make<T>::template of<Function>()) != nullptr) || ...));
  return found;
}
template <template <class> class Make, class Function, class List> lane_function choose(type kind) {
  return among<Make, Function>(kind, List{});
}
template <lane_function Function> lane_function only_words(type kind) {
  return bytes_of(kind) == 4 ? Function : nullptr;
}
template <class List> struct with_predicates;
template <class... T> struct with_predicates<types<T...>> {
  using list = types<u8, T...>;
};
using logic = with_predicates<unsigned_types>::list;
using movable = with_predicates<numbers>::list;

struct opcode {
  std::string_view name;
  lane_function (*function)(type kind);
};
constexpr opcode opcodes[] = {
    {"abs", choose<make_unary, magnitude, types<s32, s64, float, double>>},
    {"add", choose<make_binary, add, numbers>},
    {"and", choose<make_binary, bit_and, logic>},
    {"bfe", choose<make_ternary, extract_field, types<u32>>},
    {"bfi", only_words<insert_field>},
    {"bfind", choose<make_unary, shift_to_highest, types<u32, u64>>},
    {"bmsk", choose<make_binary, field_mask, types<u32>>},
    {"brev", choose<make_unary, reverse_bits, types<u32, u64>>},
    {"clz", choose<make_unary, leading_zeros, types<u32, u64>>},
    {"div", choose<make_binary, divide, numbers>},
    {"fma", choose<make_ternary, fused_multiply_add, reals>},
    {"lop3", only_words<three_input_logic>},
    {"mad", choose<make_ternary, multiply_add, integers>},
    {"max", choose<make_binary, most, numbers>},
    {"min", choose<make_binary, least, numbers>},
    {"mov", choose<make_unary, same, movable>},
    {"mul", choose<make_binary, multiply, numbers>},
    {"neg", choose<make_unary, negate, types<s16, s32, s64, float, double>>},
    {"or", choose<make_binary, bit_or, logic>},
    {"popc", choose<make_unary, count_bits, types<u32, u64>>},
    {"prmt", only_words<permute_bytes>},
    {"rem", choose<make_binary, remainder, integers>},
    {"selp", choose<make_select, same, numbers>},
    {"shl", choose<make_shifted, shift_left, unsigned_types>},
    {"shr", choose<make_shifted, shift_right, integers>},
    {"sqrt", choose<make_unary, square_root, reals>},
    {"sub", choose<make_binary, subtract, numbers>},
    {"xor", choose<make_binary, bit_xor, logic>},
    {"shf.l.clamp", only_words<funnel<true, false>>},
    {"shf.l.wrap", only_words<funnel<true, true>>},
    {"shf.r.clamp", only_words<funnel<false, false>>},
    {"shf.r.wrap", only_words<funnel<false, true>>},
};

}  // namespace

lane_function arithmetic_of(std::string_view name, type kind) {
  if (name == "not")
    return kind == type::pred ? unary<u8, predicate_not> : choose<make_unary, bit_not, unsigned_types>(kind);
  for (const opcode& known : opcodes)
    if (known.name == name) return known.function(kind);
  return nullptr;
}

}  // namespace lacis::ptx

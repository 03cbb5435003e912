// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The table of instructions: which words an opcode may have, and what its operands are. Everything else is refused.
#include <algorithm>

#include "ptx/arithmetic.hpp"
#include "ptx/reader.hpp"

namespace lacis::ptx {
namespace {

/// The type that the opcode ends with.
type last_type(kernel_reader& reader, const statement& s) {
  type found = type::u8;
  if (!parse_type(s.words.back(), found)) reader.refuse("type '" + std::string(s.words.back()) + "'");
  return found;
}
void need(kernel_reader& reader, const statement& s, std::size_t operands) {
  if (s.operands.size() != operands)
    reader.refuse(std::string(s.words[0]) + " has " + std::to_string(s.operands.size()) + " operands, not " +
                  std::to_string(operands));
}
void set_function(kernel_reader& reader, const statement& s, instruction& i, lane_function function) {
  if (function == nullptr)
    reader.refuse(std::string(s.words[0]) + " is not known for type '" + std::string(s.words.back()) + "'");
  i.compute = function;
}

template <int Operands> void read_arithmetic(kernel_reader& reader, const statement& s, instruction& i) {
  need(reader, s, Operands + 1);
  i.kind = last_type(reader, s);
  set_function(reader, s, i, arithmetic_of(s.words[0], i.kind));
  i.to[0] = reader.write(s.operands[0]);
  for (std::size_t k = 0; k < Operands; ++k) i.from[k] = reader.read(s.operands[k + 1], i.kind);
}
void read_shift(kernel_reader& reader, const statement& s, instruction& i) {
  read_arithmetic<2>(reader, s, i);
  i.from[1] = reader.read(s.operands[2], type::u32);
}
void read_funnel(kernel_reader& reader, const statement& s, instruction& i) {
  need(reader, s, 4);
  i.kind = last_type(reader, s);
  const std::string name = "shf." + std::string(s.words[1]) + "." + std::string(s.words[2]);
  set_function(reader, s, i, arithmetic_of(name, i.kind));
  i.to[0] = reader.write(s.operands[0]);
  for (std::size_t k = 0; k < 3; ++k) i.from[k] = reader.read(s.operands[k + 1], type::u32);
}
void read_field(kernel_reader& reader, const statement& s, instruction& i) { read_arithmetic<4>(reader, s, i); }
void read_select(kernel_reader& reader, const statement& s, instruction& i) {
  need(reader, s, 4);
  i.kind = last_type(reader, s);
  set_function(reader, s, i, arithmetic_of("selp", i.kind));
  i.to[0] = reader.write(s.operands[0]);
  i.from[0] = reader.read(s.operands[1], i.kind);
  i.from[1] = reader.read(s.operands[2], i.kind);
  i.from[2] = reader.read(s.operands[3], type::pred);
}
void read_product(kernel_reader& reader, const statement& s, instruction& i) {
  const bool sum = s.words[0] == "mad";
  if (sum)
    read_arithmetic<3>(reader, s, i);
  else
    read_arithmetic<2>(reader, s, i);
  if (s.has("wide")) set_function(reader, s, i, wide_of(s.words[0], i.kind));
  if (s.has("wide") && sum) i.from[2] = reader.read(s.operands[3], type::u64);
  if (s.has("hi")) set_function(reader, s, i, sum ? nullptr : high_of(i.kind));
}
void read_move(kernel_reader& reader, const statement& s, instruction& i) {
  need(reader, s, 2);
  i.kind = last_type(reader, s);
  if (s.operands[0].starts_with('{')) {
    i.count = static_cast<std::uint8_t>(reader.write_vector(s.operands[0], i.to));
    i.from[0] = reader.read(s.operands[1], i.kind);
    set_function(reader, s, i, unpack_of(i.count, bytes_of(i.kind) / i.count));
  } else if (s.operands[1].starts_with('{')) {
    i.to[0] = reader.write(s.operands[0]);
    i.count = static_cast<std::uint8_t>(reader.read_vector(s.operands[1], i.kind, i.from));
    set_function(reader, s, i, pack_of(i.count, bytes_of(i.kind) / i.count));
  } else {
    read_arithmetic<1>(reader, s, i);
  }
}
void read_conversion(kernel_reader& reader, const statement& s, instruction& i) {
  need(reader, s, 2);
  const type from = last_type(reader, s);
  if (s.words.size() < 3 || !parse_type(s.words[s.words.size() - 2], i.kind))
    reader.refuse("a conversion without two types");
  const bool real_from = from == type::f32 || from == type::f64;
  const bool real_to = i.kind == type::f32 || i.kind == type::f64;
  if (real_from && !real_to && !s.has("rzi")) reader.refuse("conversions to integers round towards zero (rzi) here");
  if (real_to && (!real_from || bytes_of(i.kind) < bytes_of(from)) && !s.has("rn"))
    reader.refuse("conversions to real numbers round to nearest (rn) here");
  set_function(reader, s, i, conversion_of(i.kind, from));
  i.to[0] = reader.write(s.operands[0]);
  i.from[0] = reader.read(s.operands[1], from);
}
/// Global addresses are those of the host, so only shared and local ones change: active by the machine.
void read_address_conversion(kernel_reader& reader, const statement& s, instruction& i) {
  need(reader, s, 2);
  i.kind = last_type(reader, s);
  set_function(reader, s, i, arithmetic_of("mov", type::u64));
  i.to[0] = reader.write(s.operands[0]);
  i.from[0] = reader.read(s.operands[1], type::u64);
  if (s.has("global")) return;
  i.what = action::convert_address;
  i.where = s.has("shared") ? space::shared : space::local;
  i.to_space = s.has("to");
}
void read_comparison(kernel_reader& reader, const statement& s, instruction& i) {
  need(reader, s, 3);
  if (s.words.size() != 3) reader.refuse("comparisons that combine predicates are not known");
  i.kind = last_type(reader, s);
  set_function(reader, s, i, comparison_of(s.words[1], i.kind));
  i.to[0] = reader.write(s.operands[0]);
  i.from[0] = reader.read(s.operands[1], i.kind);
  i.from[1] = reader.read(s.operands[2], i.kind);
}

space space_in(const statement& s) {
  return s.has("global")   ? space::global
         : s.has("shared") ? space::shared
         : s.has("local")  ? space::local
         : s.has("param")  ? space::parameter
                           : space::generic;
}
memory_order order_in(const statement& s, memory_order otherwise) {
  return s.has("acq_rel")                                         ? memory_order::acquire_release
         : s.has("acquire")                                       ? memory_order::acquire
         : s.has("release")                                       ? memory_order::release
         : s.has("relaxed") || s.has("volatile") || s.has("mmio") ? memory_order::relaxed
                                                                  : otherwise;
}
memory_scope scope_in(const statement& s) { return s.has("cta") ? memory_scope::block : memory_scope::device; }

void read_load(kernel_reader& reader, const statement& s, instruction& i) {
  need(reader, s, 2);
  i.what = action::load;
  i.kind = last_type(reader, s);
  i.where = space_in(s);
  i.order = order_in(s, memory_order::weak);
  i.scope = scope_in(s);
  i.read_only_path = s.has("nc");
  i.count = static_cast<std::uint8_t>(reader.write_vector(s.operands[0], i.to));
  reader.read_address(s.operands[1], i);
}
void read_store(kernel_reader& reader, const statement& s, instruction& i) {
  need(reader, s, 2);
  i.what = action::store;
  i.kind = last_type(reader, s);
  i.where = space_in(s);
  i.order = order_in(s, memory_order::weak);
  i.scope = scope_in(s);
  reader.read_address(s.operands[0], i);
  i.count = static_cast<std::uint8_t>(reader.read_vector(s.operands[1], i.kind, i.from));
}
void read_atomic(kernel_reader& reader, const statement& s, instruction& i) {
  constexpr std::pair<std::string_view, rmw> operations[] = {{"add", rmw::add},
                                                             {"min", rmw::min},
                                                             {"max", rmw::max},
                                                             {"exch", rmw::exchange},
                                                             {"cas", rmw::compare_exchange},
                                                             {"inc", rmw::increment},
                                                             {"and", rmw::bit_and},
                                                             {"or", rmw::bit_or}};
  const auto found = std::ranges::find_if(operations, [&](const auto& known) { return s.has(known.first); });
  if (found == std::end(operations)) reader.refuse("this atomic operation is not known");
  i.what = action::atomic;
  i.operation = found->second;
  i.kind = last_type(reader, s);
  i.where = space_in(s);
  i.order = order_in(s, memory_order::relaxed);
  i.scope = scope_in(s);
  const std::size_t result = s.words[0] == "atom" ? 1 : 0;
  need(reader, s, result + (i.operation == rmw::compare_exchange ? 3 : 2));
  if (result != 0) i.to[0] = reader.write(s.operands[0]);
  reader.read_address(s.operands[result], i);
  for (std::size_t k = result + 1; k < s.operands.size(); ++k)
    i.from[k - result - 1] = reader.read(s.operands[k], i.kind);
}
void read_fence(kernel_reader&, const statement& s, instruction& i) {
  i.what = action::fence;
  i.order = memory_order::acquire_release;
  i.scope = scope_in(s);
}
void read_branch(kernel_reader& reader, const statement& s, instruction& i) {
  need(reader, s, 1);
  i.what = action::branch;
  reader.branch_to(s.operands[0], i);
}
void read_leave(kernel_reader& reader, const statement& s, instruction& i) {
  need(reader, s, 0);
  i.what = action::leave;
}
void read_sleep(kernel_reader&, const statement&, instruction& i) { i.what = action::sleep; }
/// Programmatic launches order kernels of a stream, which run one after the other here.
void read_nothing(kernel_reader& reader, const statement&, instruction& i) {
  i.what = action::compute;
  i.compute = [](std::uint64_t*, const instruction&, lane_mask) {};
  static_cast<void>(reader);
}
void read_barrier(kernel_reader& reader, const statement& s, instruction& i) {
  if (s.has("red")) {
    need(reader, s, 3);
    i.to[0] = reader.write(s.operands[0]);
    i.from[0] = reader.read(s.operands[2], type::pred);
    i.reduction = s.has("and")  ? barrier_reduction::every
                  : s.has("or") ? barrier_reduction::some
                                : barrier_reduction::number;
  } else {
    need(reader, s, 1);
  }
  const std::string_view barrier = s.operands[s.has("red") ? 1 : 0];
  if (s.has("warp")) {
    i.what = action::warp_barrier;
    i.from[0] = reader.read(s.operands[0], type::u32);
    return;
  }
  if (barrier != "0") reader.refuse("barrier '" + std::string(barrier) + "' is not known, only 0 of the whole block");
  i.what = action::barrier;
}
void read_shuffle(kernel_reader& reader, const statement& s, instruction& i) {
  need(reader, s, 5);
  i.what = action::shuffle;
  i.shuffle = s.has("up")     ? shuffle_mode::up
              : s.has("down") ? shuffle_mode::down
              : s.has("idx")  ? shuffle_mode::index
                              : shuffle_mode::butterfly;
  const auto results = split(s.operands[0], '|');
  for (std::size_t k = 0; k < results.size() && k < 2; ++k) i.to[k] = reader.write(results[k]);
  for (std::size_t k = 0; k < 4; ++k) i.from[k] = reader.read(s.operands[k + 1], type::u32);
}
void read_vote(kernel_reader& reader, const statement& s, instruction& i) {
  need(reader, s, 3);
  i.what = action::vote;
  i.vote = s.has("ballot") ? vote_mode::ballot : s.has("any") ? vote_mode::any : vote_mode::all;
  i.to[0] = reader.write(s.operands[0]);
  std::string_view flag = s.operands[1];
  if (flag.starts_with('!')) reader.refuse("votes on a negated predicate are not known");
  i.from[0] = reader.read(flag, type::pred);
  i.from[1] = reader.read(s.operands[2], type::u32);
}
void read_match(kernel_reader& reader, const statement& s, instruction& i) {
  need(reader, s, 3);
  i.what = action::match;
  i.kind = last_type(reader, s);
  i.to[0] = reader.write(s.operands[0]);
  i.from[0] = reader.read(s.operands[1], i.kind);
  i.from[1] = reader.read(s.operands[2], type::u32);
}
void read_active_mask(kernel_reader& reader, const statement& s, instruction& i) {
  need(reader, s, 1);
  i.what = action::active_mask;
  i.to[0] = reader.write(s.operands[0]);
}

struct opcode {
  std::string_view name;
  std::string_view words;  ///< that it may have beside types
  void (*read)(kernel_reader& reader, const statement& s, instruction& i);
};
constexpr opcode opcodes[] = {
    {"abs", "", read_arithmetic<1>},
    {"activemask", "", read_active_mask},
    {"add", "rn", read_arithmetic<2>},
    {"and", "", read_arithmetic<2>},
    {"atom", "relaxed acquire release acq_rel cta gpu sys global shared add min max exch cas inc and or", read_atomic},
    {"bar", "sync warp cta red and or popc", read_barrier},
    {"barrier", "sync cta", read_barrier},
    {"bfe", "", read_arithmetic<3>},
    {"bfi", "", read_field},
    {"bfind", "shiftamt", read_arithmetic<1>},
    {"bmsk", "clamp", read_arithmetic<2>},
    {"bra", "uni", read_branch},
    {"brev", "", read_arithmetic<1>},
    {"clz", "", read_arithmetic<1>},
    {"cvt", "rn rzi", read_conversion},
    {"cvta", "to global shared local", read_address_conversion},
    {"div", "rn", read_arithmetic<2>},
    {"fence", "acq_rel sc cta gpu sys", read_fence},
    {"fma", "rn", read_arithmetic<3>},
    {"griddepcontrol", "wait launch_dependents", read_nothing},
    {"ld", "relaxed acquire volatile mmio cta gpu sys global shared local param nc v2 v4 L1::no_allocate", read_load},
    {"lop3", "", read_field},
    {"mad", "lo wide", read_product},
    {"match", "any sync", read_match},
    {"max", "", read_arithmetic<2>},
    {"membar", "cta gl sys", read_fence},
    {"min", "", read_arithmetic<2>},
    {"mov", "", read_move},
    {"mul", "rn lo hi wide", read_product},
    {"nanosleep", "", read_sleep},
    {"neg", "", read_arithmetic<1>},
    {"not", "", read_arithmetic<1>},
    {"or", "", read_arithmetic<2>},
    {"popc", "", read_arithmetic<1>},
    {"prmt", "", read_arithmetic<3>},
    {"red", "relaxed acquire release acq_rel cta gpu sys global shared add min max inc and or", read_atomic},
    {"rem", "", read_arithmetic<2>},
    {"ret", "uni", read_leave},
    {"selp", "", read_select},
    {"setp", "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu", read_comparison},
    {"shf", "l r clamp wrap", read_funnel},
    {"shfl", "sync up down idx bfly", read_shuffle},
    {"shl", "", read_shift},
    {"shr", "", read_shift},
    {"sqrt", "rn", read_arithmetic<1>},
    {"st", "relaxed release volatile mmio cta gpu sys global shared local v2 v4", read_store},
    {"sub", "rn", read_arithmetic<2>},
    {"vote", "sync ballot any all", read_vote},
    {"xor", "", read_arithmetic<2>},
};

bool has_word(std::string_view words, std::string_view word) {
  const auto all = split(words, ' ');
  return std::ranges::find(all, word) != all.end();
}

}  // namespace

void read_instruction(kernel_reader& reader, const statement& s, instruction& i) {
  const auto found = std::ranges::find_if(opcodes, [&](const opcode& known) { return known.name == s.words[0]; });
  if (found == std::end(opcodes)) reader.refuse("opcode '" + std::string(s.words[0]) + "' is not known");
  for (std::size_t k = 1; k < s.words.size(); ++k) {
    type ignored = type::u8;
    if (!parse_type(s.words[k], ignored) && !has_word(found->words, s.words[k]))
      reader.refuse(std::string(s.words[0]) + " with '" + std::string(s.words[k]) + "' is not known");
  }
  found->read(reader, s, i);
}

}  // namespace lacis::ptx

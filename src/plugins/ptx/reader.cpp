// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Reading the statements of one kernel.
#include "ptx/reader.hpp"

#include <algorithm>
#include <charconv>

namespace lacis::ptx {
namespace {

std::string_view take_word(std::string_view& text) {
  text = trimmed(text);
  const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
  const std::string_view word = text.substr(0, end);
  text = trimmed(text.substr(end));
  return word;
}
std::uint64_t aligned(std::uint64_t offset, std::uint64_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    if (at < text.size()) {
      depth += (text[at] == '{' || text[at] == '[') - (text[at] == '}' || text[at] == ']');
      if (text[at] != separator || depth > 0) continue;
    }
    if (const std::string_view part = trimmed(text.substr(begin, at - begin)); !part.empty()) parts.push_back(part);
    begin = at + 1;
  }
  return parts;
}

bool parse_number(std::string_view text, std::uint64_t& value) {
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  if (hexadecimal) text.remove_prefix(2);
  if (text.ends_with('U')) text.remove_suffix(1);
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value, hexadecimal ? 16 : 10);
  return failed == std::errc() && end == text.data() + text.size();
}

bool parse_type(std::string_view word, type& found) {
  constexpr std::pair<std::string_view, type> known[] = {
      {"u8", type::u8},   {"b8", type::u8},   {"s8", type::s8},   {"u16", type::u16}, {"b16", type::u16},
      {"s16", type::s16}, {"u32", type::u32}, {"b32", type::u32}, {"s32", type::s32}, {"u64", type::u64},
      {"b64", type::u64}, {"s64", type::s64}, {"f32", type::f32}, {"f64", type::f64}, {"pred", type::pred}};
  for (const auto& [name, kind] : known)
    if (name == word) {
      found = kind;
      return true;
    }
  return false;
}

bool parse_variable(std::string_view text, std::string& name, variable& found) {
  for (std::string_view word = take_word(text); !word.empty(); word = take_word(text)) {
    type element = type::u8;
    if (word == ".shared")
      found.where = space::shared;
    else if (word == ".local")
      found.where = space::local;
    else if (word == ".align") {
      if (!parse_number(take_word(text), found.alignment)) return false;
    } else if (word.starts_with('.') && parse_type(word.substr(1), element))
      found.bytes = static_cast<std::uint64_t>(bytes_of(element));
    else if (!word.starts_with('.')) {
      const std::size_t bracket = word.find('[');
      name = word.substr(0, bracket);
      if (bracket == std::string_view::npos) return true;
      const std::string_view count = word.substr(bracket + 1, word.size() - bracket - 2);
      std::uint64_t elements = 0;
      if (!count.empty() && !parse_number(count, elements)) return false;
      found.bytes *= elements;
      return true;
    }
  }
  return false;
}

bool statement::has(std::string_view word) const { return std::ranges::find(words, word) != words.end(); }

void kernel_reader::set_place(int line, int source) {
  line_ = line;
  source_ = source;
}

void kernel_reader::refuse(const std::string& what) const {
  throw fault("PTX line " + std::to_string(line_) + ", in " + kernel_.name + ": " + what);
}

void kernel_reader::add_parameter(std::string_view declaration) {
  // .param .u64 .ptr .global .align 8 name, .param .align 8 .b8 name[24]
  std::string_view rest = declaration;
  std::uint64_t alignment = 0;
  std::uint64_t bytes = 0;
  std::string name;
  bool pointer = false;
  for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
    type kind = type::u8;
    if (word == ".ptr")
      pointer = true;
    else if (word == ".align") {
      std::uint64_t given = 0;
      if (!parse_number(take_word(rest), given)) refuse("an alignment in '" + std::string(declaration) + "'");
      if (!pointer) alignment = given;  // otherwise of what it points to
    } else if (word.starts_with('.') && parse_type(word.substr(1), kind))
      bytes = static_cast<std::uint64_t>(bytes_of(kind));
    else if (!word.starts_with('.')) {
      const std::size_t bracket = word.find('[');
      name = word.substr(0, bracket);
      std::uint64_t elements = 1;
      if (bracket != std::string_view::npos &&
          !parse_number(word.substr(bracket + 1, word.size() - bracket - 2), elements))
        refuse("a size in '" + std::string(declaration) + "'");
      bytes *= elements;
    }
  }
  if (name.empty() || bytes == 0) refuse("a parameter '" + std::string(declaration) + "'");
  kernel_.parameter_bytes = aligned(kernel_.parameter_bytes, alignment == 0 ? bytes : alignment);
  parameters_[name] = kernel_.parameter_bytes;
  kernel_.parameters.push_back({bytes, kernel_.parameter_bytes});
  kernel_.parameter_bytes += bytes;
}

void kernel_reader::add_statement(std::string_view text) {
  text = trimmed(text);
  while (!text.empty() && (text.front() == '{' || text.front() == '}')) {
    if (text.front() == '{') {
      scopes_.emplace_back();
    } else {
      scopes_.pop_back();
      if (scopes_.empty()) {
        ended_ = true;
        return;
      }
    }
    text = trimmed(text.substr(1));
  }
  if (text.empty()) return;
  if (const std::size_t colon = text.find(':');
      colon != std::string_view::npos && !text.substr(colon).starts_with("::")) {
    labels_[std::string(text.substr(0, colon))] = static_cast<int>(kernel_.code.size());
    return add_statement(text.substr(colon + 1));
  }
  if (text.starts_with(".reg")) return declare_registers(text.substr(4));
  if (text.starts_with(".shared") || text.starts_with(".local")) {
    std::string name;
    variable found;
    if (!parse_variable(text, name, found)) refuse("a variable '" + std::string(text) + "'");
    variables_[name] = found;
    return;
  }
  if (text.starts_with(".maxntid")) {
    std::uint64_t threads = 0;
    std::string_view rest = text.substr(8);
    if (!parse_number(trimmed(split(rest, ',').front()), threads)) refuse("a number of threads");
    kernel_.most_threads = static_cast<int>(threads);
    return;
  }
  if (text.starts_with(".minnctapersm") || text.starts_with(".maxnreg") || text.starts_with(".pragma")) return;
  if (text.front() == '.') refuse("directive '" + std::string(text) + "' is not known");
  add_instruction(text);
}

void kernel_reader::declare_registers(std::string_view rest) {
  type kind = type::u8;
  std::string_view word = take_word(rest);
  if (!word.starts_with('.') || !parse_type(word.substr(1), kind))
    refuse("registers of type '" + std::string(word) + "'");
  for (const std::string_view each : split(rest, ',')) {
    const std::size_t bracket = each.find('<');
    const std::string name(each.substr(0, bracket));
    if (bracket == std::string_view::npos) {
      scopes_.back()[name] = new_register();
      continue;
    }
    std::uint64_t count = 0;
    if (!parse_number(each.substr(bracket + 1, each.size() - bracket - 2), count)) refuse("a number of registers");
    for (std::uint64_t k = 0; k < count; ++k) scopes_.back()[name + std::to_string(k)] = new_register();
  }
}

void kernel_reader::add_instruction(std::string_view text) {
  instruction i;
  i.line = line_;
  i.source = source_;
  if (text.front() == '@') {
    std::string_view guard = take_word(text).substr(1);
    if (guard.starts_with('!')) {
      i.negated = true;
      guard.remove_prefix(1);
    }
    i.predicate = write(guard);
  }
  statement s;
  s.words = split(take_word(text), '.');
  s.operands = split(text, ',');
  read_instruction(*this, s, i);
  kernel_.code.push_back(i);
}

int kernel_reader::find_register(std::string_view name) const {
  const std::string wanted(name);
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
    if (const auto found = scope->find(wanted); found != scope->end()) return found->second;
  return none;
}

int kernel_reader::constant_of(std::uint64_t bits) {
  const auto [place, added] = constants_.try_emplace(bits, kernel_.registers);
  if (added) kernel_.constants.push_back({new_register(), bits});
  return place->second;
}

int kernel_reader::special_of(std::string_view name) {
  special_registers& s = kernel_.special;
  const std::pair<std::string_view, int*> known[] = {{"%tid.x", &s.thread},         {"%ctaid.x", &s.block},
                                                     {"%ntid.x", &s.threads},       {"%nctaid.x", &s.blocks},
                                                     {"%laneid", &s.lane},          {"%lanemask_lt", &s.lanes_below},
                                                     {"%lanemask_le", &s.lanes_to}, {"%lanemask_ge", &s.lanes_from}};
  for (const auto& [word, place] : known)
    if (word == name) {
      if (*place == none) *place = new_register();
      return *place;
    }
  // One-dimensional grids alone are launched.
  if (name == "%tid.y" || name == "%tid.z" || name == "%ctaid.y" || name == "%ctaid.z") return constant_of(0);
  if (name == "%ntid.y" || name == "%ntid.z" || name == "%nctaid.y" || name == "%nctaid.z") return constant_of(1);
  return none;
}

int kernel_reader::address_of(const std::string& name) {
  const auto found = variables_.find(name);
  if (found == variables_.end()) return none;
  variable& v = found->second;
  if (v.where == space::shared && v.bytes == 0) {
    if (kernel_.shared_end == none) kernel_.shared_end = new_register();
    return kernel_.shared_end;
  }
  if (v.offset == none) {
    std::uint64_t& end = v.where == space::shared ? kernel_.shared_bytes : kernel_.local_bytes;
    end = aligned(end, v.alignment);
    v.offset = static_cast<std::int64_t>(end);
    end += v.bytes;
  }
  return constant_of(static_cast<std::uint64_t>(v.offset));
}

int kernel_reader::write(std::string_view operand) {
  if (operand == "_") return none;
  const int found = find_register(operand);
  if (found == none) refuse("'" + std::string(operand) + "' is not a register");
  return found;
}

int kernel_reader::read(std::string_view operand, type kind) {
  if (const int found = find_register(operand); found != none) return found;
  if (const int found = special_of(operand); found != none) return found;
  if (const int found = address_of(std::string(operand)); found != none) return found;
  if (const auto found = parameters_.find(std::string(operand)); found != parameters_.end())
    return constant_of(found->second);
  std::uint64_t bits = 0;
  if ((operand.starts_with("0f") && operand.size() == 10) || (operand.starts_with("0d") && operand.size() == 18)) {
    if (parse_number("0x" + std::string(operand.substr(2)), bits)) return constant_of(bits);
  } else if (const bool negative = operand.starts_with('-'); parse_number(operand.substr(negative ? 1 : 0), bits)) {
    if (negative) bits = 0 - bits;
    if (bytes_of(kind) < 8 && kind != type::pred) bits &= (std::uint64_t{1} << 8 * bytes_of(kind)) - 1;
    return constant_of(bits);
  }
  refuse("operand '" + std::string(operand) + "' is not known");
}

void kernel_reader::read_address(std::string_view operand, instruction& i) {
  if (!operand.starts_with('[') || !operand.ends_with(']')) refuse("'" + std::string(operand) + "' is no address");
  std::string_view base = operand.substr(1, operand.size() - 2);
  if (const std::size_t plus = base.find('+'); plus != std::string_view::npos) {
    std::string_view distance = trimmed(base.substr(plus + 1));
    const bool negative = distance.starts_with('-');
    std::uint64_t bytes = 0;
    if (!parse_number(distance.substr(negative ? 1 : 0), bytes)) refuse("an offset in '" + std::string(operand) + "'");
    i.offset = static_cast<std::int64_t>(negative ? 0 - bytes : bytes);
    base = trimmed(base.substr(0, plus));
  }
  i.address = read(base, type::u64);
}

int kernel_reader::write_vector(std::string_view operand, int* to) {
  if (!operand.starts_with('{')) {
    to[0] = write(operand);
    return 1;
  }
  const auto parts = split(operand.substr(1, operand.size() - 2), ',');
  if (parts.size() > 4) refuse("a vector of more than four elements");
  for (std::size_t k = 0; k < parts.size(); ++k) to[k] = write(parts[k]);
  return static_cast<int>(parts.size());
}
int kernel_reader::read_vector(std::string_view operand, type kind, int* from) {
  if (!operand.starts_with('{')) {
    from[0] = read(operand, kind);
    return 1;
  }
  const auto parts = split(operand.substr(1, operand.size() - 2), ',');
  if (parts.size() > 4) refuse("a vector of more than four elements");
  for (std::size_t k = 0; k < parts.size(); ++k) from[k] = read(parts[k], kind);
  return static_cast<int>(parts.size());
}

void kernel_reader::branch_to(std::string_view label, instruction& i) {
  jumps_.push_back({kernel_.code.size(), std::string(label), i.line});
}

void kernel_reader::finish() {
  for (const jump& each : jumps_) {
    const auto found = labels_.find(each.label);
    if (found == labels_.end())
      refuse("label '" + each.label + "' of line " + std::to_string(each.line) + " is not there");
    kernel_.code[each.from].target = found->second;
  }
  const bool closed = !kernel_.code.empty() && kernel_.code.back().predicate == none &&
                      (kernel_.code.back().what == action::leave || kernel_.code.back().what == action::branch);
  if (!closed) refuse("the last instruction is neither ret nor a branch");
  share_registers(kernel_);
}

}  // namespace lacis::ptx

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What reading one kernel needs: names of registers, variables and labels, and the line that is being read.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ptx/program.hpp"

namespace lacis::ptx {

/// A statement without its predicate: "ld.global.nc.f32" and "%f1", "[%rd2+4]".
struct statement {
  std::vector<std::string_view> words;  ///< of the opcode, which the first is: ld, global, nc, f32
  std::vector<std::string_view> operands;

  [[nodiscard]] bool has(std::string_view word) const;
};

/// Where a variable lies in its space.
struct variable {
  space where = space::shared;
  std::uint64_t alignment = 1;
  std::uint64_t bytes = 0;  ///< 0: as many as the launch gives
  std::int64_t offset = none;
};

class kernel_reader {
 public:
  kernel_reader(kernel& into, const std::unordered_map<std::string, variable>& variables)
      : kernel_(into), variables_(variables) {}

  void set_place(int line, int source);
  void add_parameter(std::string_view declaration);
  /// A declaration, a label, a brace or an instruction; without its semicolon.
  void add_statement(std::string_view text);
  /// True when the closing brace of the kernel was read.
  [[nodiscard]] bool ended() const { return ended_; }
  /// Branches find their labels, special registers their places.
  void finish();

  // For the table of instructions.
  [[nodiscard]] int write(std::string_view operand);
  [[nodiscard]] int read(std::string_view operand, type kind);
  void read_address(std::string_view operand, instruction& i);
  /// One register, or several in braces; their number.
  int write_vector(std::string_view operand, int* to);
  int read_vector(std::string_view operand, type kind, int* from);
  void branch_to(std::string_view label, instruction& i);
  [[noreturn]] void refuse(const std::string& what) const;

 private:
  void declare_registers(std::string_view rest);
  void add_instruction(std::string_view text);
  [[nodiscard]] int new_register() { return kernel_.registers++; }
  [[nodiscard]] int constant_of(std::uint64_t bits);
  [[nodiscard]] int special_of(std::string_view name);
  [[nodiscard]] int find_register(std::string_view name) const;
  [[nodiscard]] int address_of(const std::string& name);

  using names = std::unordered_map<std::string, int>;
  struct jump {
    std::size_t from;
    std::string label;
    int line;
  };
  kernel& kernel_;
  std::unordered_map<std::string, variable> variables_;
  std::vector<names> scopes_;
  names labels_;
  std::unordered_map<std::string, std::uint64_t> parameters_;
  std::unordered_map<std::uint64_t, int> constants_;
  std::vector<jump> jumps_;
  int line_ = 0;
  int source_ = none;
  bool ended_ = false;
};

/// Fills in what the words of the opcode say; throws through kernel_reader::refuse for what is not known.
void read_instruction(kernel_reader& reader, const statement& s, instruction& i);

// Text.
[[nodiscard]] std::string_view trimmed(std::string_view text);
/// At the separator, where no bracket or brace is open.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);
/// Reads an unsigned number with a base of its own: 12, 0x1F.
[[nodiscard]] bool parse_number(std::string_view text, std::uint64_t& value);
/// .shared .align 8 .b8 name[64]
[[nodiscard]] bool parse_variable(std::string_view text, std::string& name, variable& found);
[[nodiscard]] bool parse_type(std::string_view word, type& found);

}  // namespace lacis::ptx

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The options of a command as data: parsed, shown by `lacis help`, completed by shells and printed in the manual.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lacis::app {

/// The variable that an option sets. A bool is a flag, a vector takes several values.
using option_target = std::variant<bool*, std::string*, int*, std::int64_t*, double*, std::optional<std::uint64_t>*,
                                   std::optional<double>*, std::vector<std::string>*, std::vector<int>*>;

/// Limits of a number, both included.
struct integer_limits {
  std::uint64_t least = 0;
  std::uint64_t most = 0;
};
struct real_limits {
  double least = 0;
  double most = 0;
};
/// The only numbers that are allowed.
using allowed_numbers = std::vector<int>;
using option_limits = std::variant<std::monostate, integer_limits, real_limits, allowed_numbers>;

/// What is done with the file that a value names.
enum class file_use {
  none,
  read_matrix,
  read_vector,
  write,        ///< never over a file that is read
  write_matrix  ///< over a matrix that is read too
};

/// Another option without which one has no effect, and the values that it must have then; without values, any.
struct option_need {
  std::string option;
  std::vector<std::string> values;
};

/// The part of a help text that an option belongs to.
enum class option_section { own, input, general };

struct option {
  std::vector<std::string> names;  ///< "-o", "--output"; empty for an argument without a name
  std::string argument;            ///< the name of an argument without a name: "MATRIX"
  std::string value;               ///< "FILE", "N", "bash|zsh|fish"; empty for a flag
  std::string completions;         ///< what shells complete, where `value` does not say it
  std::string text;                ///< what it is
  std::string initial;             ///< its default, as text; empty: there is none to state
  option_section section = option_section::own;
  option_target target;
  option_limits limits;
  bool is_required = false;
  bool is_list = false;    ///< several values between commas
  bool is_hidden = false;  ///< parsed, not shown
  file_use use = file_use::none;
  std::vector<option_need> needed;
  bool is_about_files = false;  ///< without effect where every matrix is generated

  [[nodiscard]] bool positional() const { return names.empty(); }
  [[nodiscard]] bool flag() const { return std::holds_alternative<bool*>(target); }
  /// An argument that may be given several times.
  [[nodiscard]] bool repeated() const;
  /// The text with "(default: 50)" after it.
  [[nodiscard]] std::string help() const;

  // Details of an option that was just added; each returns the option.
  option& required();
  option& hidden();
  /// What shells complete, words between spaces, where the label does not say it.
  option& completed_by(std::string words);
  /// Several values between commas.
  option& list();
  /// The default in words. A number or a word that the variable holds is stated without this.
  option& otherwise(std::string words);
  option& integers(std::uint64_t least, std::uint64_t most);
  option& reals(double least, double most);
  option& one_of(allowed_numbers numbers);
  option& names_file(file_use what);
  /// Has no effect, and is refused, unless that option is given; with `values`, unless it has one of these, where ""
  /// stands for its default.
  option& needs(std::string other, std::vector<std::string> values = {});
  option& about_files();
};

class option_list {
 public:
  /// `label` is "-o,--output FILE" for an option, "--json" for a flag, "MATRIX" for an argument, and
  /// "OPERATION spmv|spgemm" for an argument with a choice. The reference stays valid until the next call.
  template <class Target> option& add(std::string_view label, Target& target, std::string text) {
    return add(label, option_target(&target), std::move(text));
  }

  /// Options that are added from here on belong to this section.
  void section(option_section section) { section_ = section; }

  [[nodiscard]] auto begin() const { return all_.begin(); }
  [[nodiscard]] auto end() const { return all_.end(); }
  /// The option with that name, such as "--json"; nullptr when there is none.
  [[nodiscard]] const option* find(std::string_view name) const;

 private:
  option& add(std::string_view label, option_target target, std::string text);

  std::vector<option> all_;
  option_section section_ = option_section::own;
};

}  // namespace lacis::app

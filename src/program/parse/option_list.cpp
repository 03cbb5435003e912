// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Options of a command: their labels, limits and defaults.
#include "parse/option_list.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <type_traits>
#include <utility>

namespace lacis::app {
namespace {

/// 1e-8 and 1000 as they are typed: not "1e-08" or "1000.0".
std::string number_text(double number) {
  std::string text = fmt::format("{}", number);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  if (const std::size_t zero = text.find("e-0"); zero != std::string::npos) text.erase(zero + 2, 1);
  return text;
}

/// The default that a variable holds; empty for 0, an empty word and a list, which stand for something else.
std::string initial_text(const option_target& target) {
  return std::visit(
      [](const auto* variable) -> std::string {
        using Variable = std::remove_cvref_t<decltype(*variable)>;
        if constexpr (std::is_same_v<Variable, std::string>)
          return *variable;
        else if constexpr (std::is_same_v<Variable, double>)
          return *variable == 0 ? "" : number_text(*variable);
        else if constexpr (std::is_same_v<Variable, int> || std::is_same_v<Variable, std::int64_t>)
          return *variable == 0 ? "" : std::to_string(*variable);
        else
          return {};
      },
      target);
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

}  // namespace

bool option::repeated() const {
  return positional() && (std::holds_alternative<std::vector<std::string>*>(target) ||
                          std::holds_alternative<std::vector<int>*>(target));
}

std::string option::help() const { return initial.empty() ? text : text + " (default: " + initial + ')'; }

option& option::required() {
  is_required = true;
  return *this;
}

option& option::hidden() {
  is_hidden = true;
  return *this;
}
option& option::completed_by(std::string words) {
  completions = std::move(words);
  return *this;
}

option& option::list() {
  is_list = true;
  return *this;
}

option& option::otherwise(std::string words) {
  initial = std::move(words);
  return *this;
}

option& option::integers(std::uint64_t least, std::uint64_t most) {
  limits = integer_limits{least, most};
  return *this;
}

option& option::reals(double least, double most) {
  limits = real_limits{least, most};
  return *this;
}

option& option::one_of(allowed_numbers numbers) {
  limits = std::move(numbers);
  return *this;
}

option& option::names_file(file_use what) {
  use = what;
  return *this;
}

option& option::needs(std::string other, std::vector<std::string> values) {
  needed.push_back({std::move(other), std::move(values)});
  return *this;
}

option& option::about_files() {
  is_about_files = true;
  return *this;
}

option& option_list::add(std::string_view label, option_target target, std::string text) {
  option made;
  const std::size_t space = std::min(label.find(' '), label.size());
  const std::string_view value = label.substr(std::min(space + 1, label.size()));
  if (label.starts_with('-')) {
    made.names = split(label.substr(0, space), ',');
    made.value = value;
  } else {
    made.argument = label.substr(0, space);
    made.value = value.empty() ? made.argument : std::string(value);
  }
  made.text = std::move(text);
  made.section = section_;
  made.target = target;
  made.initial = initial_text(target);
  all_.push_back(std::move(made));
  return all_.back();
}

const option* option_list::find(std::string_view name) const {
  const auto found = std::find_if(all_.begin(), all_.end(), [&](const option& one) {
    return std::find(one.names.begin(), one.names.end(), name) != one.names.end();
  });
  return found == all_.end() ? nullptr : &*found;
}

}  // namespace lacis::app

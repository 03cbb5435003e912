// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Words for plans.
#include "commands/plan/words.hpp"

#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include <lacis/error.hpp>

#include "commands/machine/machine.hpp"
#include "measure/profile.hpp"
#include "parse/suggest.hpp"

namespace lacis::app {
namespace {

template <class Choice> struct named {
  std::string_view name;
  Choice choice;
};

template <class Choice>
Choice choice_of(const std::string& word, std::string_view option, std::span<const named<Choice>> choices) {
  std::vector<std::string> names;
  for (const named<Choice>& one : choices) {
    if (one.name == word) return one.choice;
    names.emplace_back(one.name);
  }
  refuse_choice(option, word, names);
}

}  // namespace

std::optional<plan_layout> parse_layout(const std::string& word) {
  if (word.empty()) return std::nullopt;
  std::vector<named<plan_layout>> choices;
  for (const plan_layout layout : plan_layouts) choices.push_back({name_of(layout), layout});
  return choice_of<plan_layout>(word, "--layout", choices);
}

reordering parse_reordering(const std::string& word, std::string_view option) {
  if (word.empty()) return reordering::none;
  static const named<reordering> choices[] = {{name_of(reordering::none), reordering::none},
                                              {name_of(reordering::rcm), reordering::rcm},
                                              {name_of(reordering::chain), reordering::chain},
                                              {name_of(reordering::degree), reordering::degree}};
  return choice_of<reordering>(word, option, choices);
}

plan_values parse_plan_values(const std::string& word) {
  if (word.empty()) return plan_values::exact;
  static const named<plan_values> choices[] = {
      {"exact", plan_values::exact}, {"given", plan_values::as_given}, {"float", plan_values::as_float}};
  return choice_of<plan_values>(word, "--values-as", choices);
}

std::int64_t parse_bytes(const std::string& text, const std::string& option) {
  double number = 0;
  const char* const last = text.data() + text.size();
  const auto [end, problem] = std::from_chars(text.data(), last, number, std::chars_format::fixed);
  std::string_view unit(end, static_cast<std::size_t>(last - end));
  if (problem == std::errc() && !unit.empty()) {
    constexpr const char* prefixes = "KMGT";
    const char* const prefix = std::strchr(prefixes, std::toupper(static_cast<unsigned char>(unit[0])));
    if (prefix != nullptr) {
      number *= std::pow(1024, prefix - prefixes + 1);
      unit.remove_prefix(1);
      if (unit.starts_with('i')) unit.remove_prefix(1);
    }
    if (unit == "B") unit = {};
  }
  if (problem != std::errc() || !unit.empty() || !(number >= 1 && number < 0x1p62))
    throw error(errc::invalid_argument, option + " must be a number of bytes such as 500M or 2G (got '" + text + "')");
  return static_cast<std::int64_t>(number);
}

std::shared_ptr<const machine_rates> rates_of_profile(std::string& remark) {
  const std::filesystem::path path = measure::default_profile_path();
  const auto profile = measure::read_profile(path, remark);
  if (!profile) return nullptr;
  if (profile->processor != processor_model()) {
    remark = path.string() + " is ignored: it was measured on '" + profile->processor +
             "', not on this processor; lacis doctor --measure writes a new one";
    return nullptr;
  }
  return std::make_shared<const machine_rates>(measure::machine_of(*profile, path.string()));
}

}  // namespace lacis::app

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Options as CLI11 parses them. CLI11 takes half a minute to compile: it is included here and nowhere else.
#include "parse/parser.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <string_view>
#include <type_traits>

#include <lacis/error.hpp>

#include "parse/agreement.hpp"
#include "parse/suggest.hpp"

namespace lacis::app {
namespace {

/// The whole of `text` as a number; nothing when it is none.
template <class Number> std::optional<Number> parsed(std::string_view text) {
  Number number{};
  const char* const last = text.data() + text.size();
  const auto [end, problem] = std::from_chars(text.data(), last, number);
  return problem == std::errc() && end == last ? std::optional(number) : std::nullopt;
}

/// Decimal digits and nothing else: 010 is ten, 0x10 and nan are refused. CLI11 itself would read 010 as eight.
CLI::Validator integer_check(const integer_limits& limits) {
  return {[=](std::string& text) -> std::string {
            const auto number = parsed<std::uint64_t>(text);
            if (!number || *number < limits.least || *number > limits.most)
              return fmt::format("'{}' is not an integer from {} to {}", text, limits.least, limits.most);
            text = std::to_string(*number);
            return {};
          },
          ""};
}

CLI::Validator real_check(const real_limits& limits) {
  return {[=](std::string& text) -> std::string {
            const auto number = parsed<double>(text);
            // Written so that nan fails too.
            if (number && *number >= limits.least && *number <= limits.most) return {};
            return fmt::format("'{}' is not a number from {} to {}", text, limits.least, limits.most);
          },
          ""};
}

CLI::Validator member_check(const allowed_numbers& numbers) {
  std::string listed;
  for (const int number : numbers) listed += (listed.empty() ? "" : ", ") + std::to_string(number);
  return {[=](std::string& text) -> std::string {
            const auto number = parsed<int>(text);
            if (number && std::find(numbers.begin(), numbers.end(), *number) != numbers.end()) return {};
            return fmt::format("'{}' is not one of {}", text, listed);
          },
          ""};
}

CLI::Option* add(CLI::App& app, const option& one) {
  std::string label = one.argument;
  for (const std::string& name : one.names) label += (label.empty() ? "" : ",") + name;
  CLI::Option* const added = std::visit(
      [&](auto* target) -> CLI::Option* {
        if constexpr (std::is_same_v<decltype(target), bool*>)
          return app.add_flag(label, *target);
        else
          return app.add_option(label, *target)->type_name(one.value);
      },
      one.target);
  added->required(one.is_required);
  if (one.is_list) added->delimiter(',')->allow_extra_args(false);
  if (const auto* integers = std::get_if<integer_limits>(&one.limits)) added->transform(integer_check(*integers));
  if (const auto* reals = std::get_if<real_limits>(&one.limits)) added->check(real_check(*reals));
  if (const auto* numbers = std::get_if<allowed_numbers>(&one.limits)) added->check(member_check(*numbers));
  return added;
}

std::string see_help(const command& about) { return " (see 'lacis help " + about.name + "')"; }

/// The option that may have been meant. A letter is near to every other letter, so nothing is said about those, and no
/// option that would write over the file that follows is named.
std::string suggestion(const command& about, const std::string& name, const std::string& value) {
  std::error_code unknown;
  const bool is_file = !value.empty() && std::filesystem::exists(value, unknown);
  std::vector<std::string> known;
  for (const option& one : about.options) {
    const bool overwrites = is_file && (one.use == file_use::write || one.use == file_use::write_matrix);
    if (!one.is_hidden && !overwrites && !one.names.empty()) known.push_back(one.names.back());
  }
  return name.starts_with("--") ? did_you_mean(name, known) : std::string();
}

/// Throws at the first option that the command does not have, or that is there twice, or without its value, before
/// CLI11 can complain about the consequences.
void require_known_options(const command& about, const std::vector<std::string>& arguments) {
  std::vector<const option*> seen;
  for (std::size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
    const std::string& argument = arguments[i];
    const bool is_long = argument.starts_with("--");
    const bool is_short = !is_long && argument.size() > 1 && argument[0] == '-' && std::isalpha(argument[1]) != 0;
    if (!is_long && !is_short) continue;
    const std::string name = is_long ? argument.substr(0, argument.find('=')) : argument.substr(0, 2);
    const option* found = about.options.find(name);
    if (found == nullptr) {
      const std::size_t equals = is_long ? argument.find('=') : std::string::npos;
      const std::string value = equals != std::string::npos ? argument.substr(equals + 1)
                                : i + 1 < arguments.size()  ? arguments[i + 1]
                                                            : std::string();
      throw error(errc::invalid_argument, "'lacis " + about.name + "' has no option '" + name + "'" +
                                              suggestion(about, name, value) + see_help(about));
    }
    if (found->flag()) {
      if (is_long && argument.size() > name.size())
        throw error(errc::invalid_argument, name + " is a flag and takes no value" + see_help(about));
      continue;
    }
    if (!found->is_list && std::find(seen.begin(), seen.end(), found) != seen.end())
      throw error(errc::invalid_argument, name + " is there twice; give it once" + see_help(about));
    seen.push_back(found);
    const bool value_follows = argument.size() == name.size();
    if (value_follows && i + 1 == arguments.size())
      throw error(errc::invalid_argument, name + " needs a value: " + name + ' ' + found->value + see_help(about));
    if (value_follows) ++i;
    // An empty value would count as none at all.
    if (value_follows ? i < arguments.size() && arguments[i].empty() : argument.substr(name.size()) == "=")
      throw error(errc::invalid_argument, name + " has an empty value; leave it out or give one" + see_help(about));
  }
}

/// A message of CLI11 without its capital letter and line feed.
std::string in_our_words(std::string message) {
  while (!message.empty() && message.back() == '\n') message.pop_back();
  const auto is_upper = [&](std::size_t i) { return std::isupper(static_cast<unsigned char>(message[i])) != 0; };
  if (!message.empty() && !(message.size() > 1 && is_upper(1)))
    message[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(message[0])));
  return message;
}

}  // namespace

void parse_arguments(const command& chosen, const std::vector<std::string>& arguments) {
  require_known_options(chosen, arguments);
  CLI::App app("", chosen.name);
  app.set_help_flag();  // --help is answered before
  std::vector<CLI::Option*> added;
  for (const option& one : chosen.options) added.push_back(add(app, one));
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));  // CLI11 takes them from the back
  } catch (const CLI::ExtrasError&) {
    std::vector<std::string> extra = app.remaining();
    if (extra.size() > 1) std::erase(extra, "--");  // what follows it is too much
    throw error(errc::invalid_argument,
                "'lacis " + chosen.name + "': unexpected argument '" + extra.front() + "'" + see_help(chosen));
  } catch (const CLI::ParseError& problem) {
    throw error(errc::invalid_argument, in_our_words(problem.what()) + see_help(chosen));
  }
  std::vector<std::string> given;
  for (std::size_t i = 0; i < added.size(); ++i)
    if (const option& one = chosen.options.begin()[static_cast<std::ptrdiff_t>(i)];
        !one.positional() && added[i]->count() > 0)
      given.push_back(one.names.front());
  require_agreement(chosen, given);
}

}  // namespace lacis::app

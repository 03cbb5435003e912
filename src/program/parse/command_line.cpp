// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Arguments to a command: who is meant, what it does not know, and what it says then.
#include "parse/command_line.hpp"

#include <algorithm>

#include <lacis/error.hpp>

#include "parse/command_parser.hpp"
#include "parse/commands.hpp"
#include "parse/suggest.hpp"

namespace lacis::app {
namespace {

command_description describe(const CLI::App& app) {
  command_description result{app.get_name(), app.get_description(), {}};
  for (const CLI::Option* option : app.get_options()) {
    option_description described;
    for (const std::string& name : option->get_snames()) described.names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) described.names.push_back("--" + name);
    const bool flag = option->get_items_expected_max() == 0;
    if (!flag) described.value = option->get_positional() ? option->get_name(true) : option->get_type_name();
    // The type of an argument without a name, when it lists the choices, tells more than the name.
    if (described.positional() && option->get_type_name().find('|') != std::string::npos)
      described.value = option->get_type_name();
    described.text = option->get_description();
    described.required = option->get_required();
    described.repeated = described.positional() && option->get_items_expected_max() > 1;
    result.options.push_back(std::move(described));
  }
  return result;
}

const option_description* find_option(const command_description& about, std::string_view name) {
  for (const option_description& option : about.options)
    if (std::find(option.names.begin(), option.names.end(), name) != option.names.end()) return &option;
  return nullptr;
}

/// Throws at the first option that the command does not have, before CLI11 can complain about its consequences.
void require_known_options(const command_description& about, const std::vector<std::string>& arguments) {
  std::vector<std::string> known;
  for (const option_description& option : about.options)
    known.insert(known.end(), option.names.begin(), option.names.end());
  for (std::size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
    const std::string& argument = arguments[i];
    const bool is_long = argument.starts_with("--");
    const bool is_short = !is_long && argument.size() > 1 && argument[0] == '-' && std::isalpha(argument[1]) != 0;
    if (!is_long && !is_short) continue;
    const std::string name = is_long ? argument.substr(0, argument.find('=')) : argument.substr(0, 2);
    const option_description* option = find_option(about, name);
    if (option == nullptr)
      throw error(errc::invalid_argument, "'lacis " + about.name + "' has no option '" + name + "'" +
                                              did_you_mean(name, known) + " (see 'lacis help " + about.name + "')");
    if (option->value.empty()) continue;
    const bool value_follows = argument.size() == name.size();
    if (value_follows) ++i;
    // An empty value would count as none at all.
    if (value_follows ? i < arguments.size() && arguments[i].empty() : argument.substr(name.size()) == "=")
      throw error(errc::invalid_argument,
                  name + " has an empty value; leave it out or give one (see 'lacis help " + about.name + "')");
  }
}

std::string in_our_words(std::string message) {
  while (!message.empty() && message.back() == '\n') message.pop_back();
  if (!message.empty()) message[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(message[0])));
  if (message.size() > 1 && std::isupper(static_cast<unsigned char>(message[1])) != 0)
    message[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(message[0])));
  return message;
}

void parse_and_run(command& chosen, std::vector<std::string> arguments) {
  const command_description about = describe(*chosen.parser);
  const auto asks_for_help = [](const std::string& argument) { return argument == "--help" || argument == "-h"; };
  if (std::any_of(arguments.begin(), arguments.end(), asks_for_help)) {
    run_help({about.name});
    return;
  }
  require_known_options(about, arguments);
  try {
    std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
    chosen.parser->parse(arguments);
  } catch (const CLI::ExtrasError&) {
    std::vector<std::string> extra = chosen.parser->remaining();
    if (extra.size() > 1) std::erase(extra, "--");  // what follows it is too much
    throw error(errc::invalid_argument, "'lacis " + about.name + "' does not know what to do with '" + extra.front() +
                                            "' (see 'lacis help " + about.name + "')");
  } catch (const CLI::ParseError& problem) {
    throw error(errc::invalid_argument, in_our_words(problem.what()) + " (see 'lacis help " + about.name + "')");
  }
  chosen.action();
}

}  // namespace

const std::vector<command_description>& all_commands() {
  static const std::vector<command_description> all = [] {
    std::vector<command_description> described;
    for (const command& c : make_commands()) {
      described.push_back(describe(*c.parser));
      described.back().options.push_back({{"-h", "--help"}, "", "this text", false});
    }
    return described;
  }();
  return all;
}

const command_description& command_named(const std::string& name) {
  std::vector<std::string> names;
  for (const command_description& c : all_commands()) {
    if (c.name == name) return c;
    names.push_back(c.name);
  }
  throw error(errc::invalid_argument,
              "there is no command '" + name + "'" + did_you_mean(name, names) + " (see 'lacis help')");
}

void run(const std::vector<std::string>& arguments) {
  if (arguments.empty()) throw error(errc::invalid_argument, "which command? (see 'lacis help')");
  const std::string& first = arguments.front();
  if (first == "--version" || first == "-V") {
    show_version();
  } else if (first == "--help" || first == "-h") {
    run_help({});
  } else if (first.starts_with('-')) {
    const std::string known[] = {"--version", "--help"};
    throw error(errc::invalid_argument,
                "options come after the command; '" + first + "' is none of lacis itself" + did_you_mean(first, known));
  } else {
    const std::string& name = command_named(first).name;
    std::vector<command> commands = make_commands();
    const auto chosen =
        std::find_if(commands.begin(), commands.end(), [&](const command& c) { return c.parser->get_name() == name; });
    parse_and_run(*chosen, {arguments.begin() + 1, arguments.end()});
  }
}

}  // namespace lacis::app

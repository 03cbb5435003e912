// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The list of commands, and which one a command line runs.
#include "parse/command_line.hpp"

#include <algorithm>
#include <fmt/format.h>

#include <lacis/error.hpp>
#include <lacis/version.hpp>

#include "commands/about/help.hpp"
#include "console/console.hpp"
#include "parse/command.hpp"
#include "parse/parser.hpp"
#include "parse/suggest.hpp"
#include "parse/workshop.hpp"

namespace lacis::app {
namespace {

bool asks_for_help(const std::vector<std::string>& arguments) {
  return std::any_of(arguments.begin(), arguments.end(),
                     [](const std::string& argument) { return argument == "--help" || argument == "-h"; });
}

void parse_and_run(const std::string& name, const std::vector<std::string>& given) {
  const std::vector<std::string> arguments(given.begin() + 1, given.end());
  const std::vector<command> commands = make_commands();
  const auto chosen =
      std::find_if(commands.begin(), commands.end(), [&](const command& one) { return one.name == name; });
  if (!chosen->run) start_workshop(given);
  if (asks_for_help(arguments)) return show_help(name);
  parse_arguments(*chosen, arguments);
  chosen->run();
}

}  // namespace

std::vector<command> make_commands() {
  std::vector<command> all = listed_commands();
  for (command& one : all) {
    one.options.section(option_section::general);
    static bool nowhere = false;  // answered before anything is parsed
    one.options.add("-h,--help", nowhere, "show this text");
  }
  return all;
}

const std::vector<command>& all_commands() {
  static const std::vector<command> all = [] {
    std::vector<command> shown = make_commands();
    std::erase_if(shown, [](const command& one) { return one.is_hidden; });
    return shown;
  }();
  return all;
}

const command& command_named(const std::string& name) {
  static const std::vector<command> all = make_commands();
  std::vector<std::string> names;
  for (const command& one : all) {
    if (one.name == name) return one;
    if (!one.is_hidden) names.push_back(one.name);
  }
  throw error(errc::invalid_argument,
              "there is no command '" + name + "'" + did_you_mean(name, names) + " (see 'lacis help')");
}

void run(const std::vector<std::string>& arguments) {
  if (arguments.empty()) throw error(errc::invalid_argument, "a command is missing (see 'lacis help')");
  const std::string& first = arguments.front();
  if (first == "--version" || first == "-V") {
    print(fmt::format("lacis {}\n", version()));
  } else if (first == "--help" || first == "-h") {
    show_help({});
  } else if (first.starts_with('-')) {
    const std::string known[] = {"--version", "--help"};
    throw error(errc::invalid_argument, "'" + first +
                                            "' is not an option of lacis itself; options come after the command" +
                                            did_you_mean(first, known));
  } else {
    parse_and_run(command_named(first).name, arguments);
  }
}

}  // namespace lacis::app

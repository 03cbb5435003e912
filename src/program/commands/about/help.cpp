// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis help: the commands in groups, and one command with its options and examples.
#include "commands/about/help.hpp"

#include <algorithm>
#include <fmt/format.h>

#include <lacis/version.hpp>

#include "console/console.hpp"
#include "console/screen.hpp"
#include "parse/workshop.hpp"

namespace lacis::app {
namespace {

struct help_request {
  std::string command;
  bool man = false;
};

constexpr command_group groups[] = {command_group::look, command_group::compute, command_group::check,
                                    command_group::other};

std::string label_of(const option& one) {
  if (one.positional()) return one.value;
  std::string names = one.names.size() == 1 && one.names[0].starts_with("--") ? "    " : "";
  for (const std::string& name : one.names) names += (&name == &one.names.front() ? "" : ", ") + name;
  return one.value.empty() ? names : names + ' ' + one.value;
}

/// A label in lines of at most `columns` characters, broken after a bar between two of its values.
std::string broken_at_bars(std::string label, std::size_t columns) {
  const std::string indent(8, ' ');
  for (std::size_t begin = 0; label.size() - begin > columns;) {
    const std::size_t bar = label.rfind('|', begin + columns - 1);
    if (bar == std::string::npos || bar < begin + indent.size()) break;
    label.insert(bar + 1, '\n' + indent);
    begin = bar + 2;
  }
  return label;
}

std::string option_line(const option& one, const terminal& where) {
  const std::size_t text_column = where.columns < 60 ? 6 : 28;
  const std::string label = broken_at_bars("  " + label_of(one), static_cast<std::size_t>(where.columns));
  const std::string text = wrapped(one.help(), text_column, static_cast<std::size_t>(where.columns));
  if (label.size() + 2 > text_column) return label + '\n' + std::string(text_column, ' ') + text + '\n';
  return pad_right(label, text_column) + text + '\n';
}

std::string overview(const terminal& where) {
  const painter paint{where.color};
  const auto columns = static_cast<std::size_t>(where.columns);
  constexpr std::size_t indent = 14;
  std::string text = fmt::format("{} {}: sparse linear algebra on the command line\n\n{}: lacis COMMAND [OPTIONS]\n",
                                 paint.bold("lacis"), version(), paint.bold("usage"));
  text += fmt::format("{}: lacis info @poisson2d:100, or lacis info FILE\n", paint.bold("first step"));
  for (const command_group group : groups) {
    text += fmt::format("\n{}: {}\n", paint.bold(words_of(group).name), words_of(group).what);
    for (const command& one : all_commands())
      if (one.group == group)
        text += "  " + pad_right(one.name, indent - 2) + wrapped(one.summary, indent, columns) + '\n';
  }
  std::string elsewhere;
  for (const command& one : all_commands())
    if (!one.run) elsewhere += (elsewhere.empty() ? "" : ", ") + one.name;
  if (!elsewhere.empty() && !has_workshop())
    text +=
        '\n' + wrapped(elsewhere + " come with the package lacis-workshop, which is not installed.", 0, columns) + '\n';
  return text + "\n'lacis help COMMAND' has options and examples; the manual is lacis(1).\n";
}

std::string section_of(const command& about, option_section section, std::string_view title, const terminal& where) {
  std::string lines;
  for (const option& one : about.options)
    if (!one.positional() && !one.is_hidden && one.section == section) lines += option_line(one, where);
  return lines.empty() ? lines : '\n' + painter{where.color}.bold(title) + '\n' + lines;
}

std::string page_of(const command& about, const terminal& where) {
  const painter paint{where.color};
  const auto columns = static_cast<std::size_t>(where.columns);
  std::string usage = "lacis " + about.name;
  std::string arguments;
  for (const option& one : about.options) {
    if (!one.positional()) continue;
    const std::string argument = one.value + (one.repeated() ? "..." : "");
    usage += one.is_required ? ' ' + argument : " [" + argument + ']';
    arguments += option_line(one, where);
  }
  std::string text = paint.bold("usage") + ": " + wrapped(usage + " [OPTIONS]", 7, columns) + "\n\n  " +
                     paint.bold(about.summary) + '\n';
  for (std::size_t begin = 0; begin < about.about.size();) {
    const std::size_t end = std::min(about.about.find('\n', begin), about.about.size());
    text += "\n  " + wrapped(about.about.substr(begin, end - begin), 2, columns) + '\n';
    begin = end + 1;
  }
  if (!arguments.empty()) text += '\n' + paint.bold("arguments") + '\n' + arguments;
  text += section_of(about, option_section::own, "options", where);
  text += section_of(about, option_section::input, "input options", where);
  text += section_of(about, option_section::general, "general options", where);
  text += '\n' + paint.bold("examples") + '\n';
  for (const command_example& example : about.examples)
    text += "  " + paint.dim("# " + example.what) + "\n  " + example.line + '\n';
  return text;
}

void run_help(const help_request& request) {
  if (request.man) {
    let_workshop_answer({"help", "--man"});
    return print(manual_of_commands());
  }
  if (!request.command.empty() && !command_named(request.command).run) start_workshop({request.command, "--help"});
  show_help(request.command);
}

void add_options(option_list& options, help_request& request) {
  options.add("COMMAND", request.command, "the command");
  options.add("--man", request.man, "print the manual's part about commands").hidden();
}

}  // namespace

group_words words_of(command_group group) {
  switch (group) {
    case command_group::look:
      return {"look", "at a matrix, a machine, a cluster"};
    case command_group::compute:
      return {"compute", "files, products, solutions"};
    case command_group::check:
      return {"check", "results and speed"};
    case command_group::other:
      break;
  }
  return {"help", "for people and shells"};
}

void show_help(const std::string& name) {
  const terminal where = terminal_of(1);
  print_screen(name.empty() ? overview(where) : page_of(command_named(name), where));
}

command help_command() {
  return make_command<help_request>(
      {.name = "help",
       .group = command_group::other,
       .summary = "list the commands, or show options and examples of one",
       .about = "Without COMMAND, lists the commands in groups. 'lacis COMMAND --help' shows the same as 'lacis help "
                "COMMAND'.",
       .examples = {{"lacis help", "the list of commands"}, {"lacis help solve", "options and examples of solve"}}},
      add_options, run_help);
}

}  // namespace lacis::app

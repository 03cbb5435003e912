// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis help, and the version.
#include <fmt/format.h>

#include <lacis/version.hpp>

#include "console/console.hpp"
#include "console/screen.hpp"
#include "parse/command_line.hpp"
#include "parse/commands.hpp"

namespace lacis::app {
namespace {

std::string label_of(const option_description& option) {
  if (option.positional()) return option.value;
  std::string names = option.names.size() == 1 && option.names[0].starts_with("--") ? "    " : "";
  for (const std::string& name : option.names) names += (&name == &option.names.front() ? "" : ", ") + name;
  return option.value.empty() ? names : names + ' ' + option.value;
}

std::string option_line(const option_description& option, const terminal& where) {
  const std::size_t text_column = where.columns < 60 ? 6 : 28;
  const std::string label = "  " + label_of(option);
  const std::string text = wrapped(option.text, text_column, static_cast<std::size_t>(where.columns));
  if (label.size() + 2 > text_column) return label + '\n' + std::string(text_column, ' ') + text + '\n';
  return pad_right(label, text_column) + text + '\n';
}

void overview() {
  const terminal where = terminal_of(1);
  const painter paint{where.color};
  std::string text =
      fmt::format("{} {}: sparse matrices, from files or made to measure\n\n{}: lacis COMMAND [OPTIONS]\n\n",
                  paint.bold("lacis"), version(), paint.bold("usage"));
  text += paint.bold("commands") + '\n';
  for (const command_description& command : all_commands())
    text += fmt::format("  {:12}{}\n", command.name, command.summary);
  text += '\n' + paint.bold("examples") + "\n";
  text +=
      "  lacis info matrix.mtx.gz             what is in a file\n"
      "  lacis info @rmat:16 --png rmat.png   what a generated matrix looks like\n"
      "  lacis convert graph.txt graph.npz    an edge list for SciPy\n"
      "  lacis generate @poisson2d:100 -o -   a matrix for a pipe\n"
      "  lacis spgemm a.mtx -o square.npz     a matrix times itself\n"
      "  lacis plan @rmat:18                  which layout suits it, and why\n"
      "  lacis bench spmv @rmat:18            how fast each format multiplies it\n"
      "  lacis lab @rmat:18 --explain         which kernel a GPU should take, and why\n\n"
      "'lacis help COMMAND' tells more; the manual is lacis(1).\n";
  print_screen(text);
}

void about_command(const command_description& command) {
  const terminal where = terminal_of(1);
  const painter paint{where.color};
  std::string usage = "lacis " + command.name;
  for (const option_description& option : command.options) {
    if (!option.positional()) continue;
    const std::string argument = option.value + (option.repeated ? "..." : "");
    usage += option.required ? ' ' + argument : " [" + argument + ']';
  }
  std::string text = fmt::format("{}: {} [OPTIONS]\n\n  {}\n\n", paint.bold("usage"), usage, command.summary);
  for (const option_description& option : command.options)
    if (option.positional()) text += option_line(option, where);
  text += '\n' + paint.bold("options") + '\n';
  for (const option_description& option : command.options)
    if (!option.positional()) text += option_line(option, where);
  print_screen(text);
}

}  // namespace

void run_help(const help_request& request) {
  if (request.command.empty())
    overview();
  else
    about_command(command_named(request.command));
}

void show_version() { print(fmt::format("lacis {}\n", version())); }

}  // namespace lacis::app

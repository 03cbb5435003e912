// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis generate: a matrix from a short description into a file.
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <lacis/error.hpp>
#include <lacis/generate.hpp>

#include "commands/matrix/convert.hpp"
#include "console/console.hpp"
#include "console/json_text.hpp"
#include "console/screen.hpp"
#include "parse/command.hpp"
#include "parse/shared_options.hpp"

namespace lacis::app {
namespace {

struct generate_request {
  convert_request convert;  ///< a conversion from a description
  bool list = false;
};

std::string usage_of(const generator_info& generator) {
  return fmt::format("@{}:{}", generator.name, generator.arguments);
}

std::string generator_screen() {
  const terminal where = terminal_of(1);
  std::size_t indent = 0;
  for (const generator_info& generator : generators()) indent = std::max(indent, usage_of(generator).size() + 2);
  std::string text;
  for (const generator_info& generator : generators())
    text += painter{where.color}.bold(pad_right(usage_of(generator), indent)) +
            wrapped(generator.summary, indent, static_cast<std::size_t>(where.columns)) + '\n';
  return text;
}

std::string generator_json() {
  auto all = nlohmann::ordered_json::array();
  for (const generator_info& generator : generators())
    all.push_back({{"name", generator.name}, {"arguments", generator.arguments}, {"summary", generator.summary}});
  return json_text(all);
}

void run_generate(const generate_request& request) {
  if (request.list) {
    if (request.convert.common.json)
      print(generator_json());
    else
      print_screen(generator_screen());
    return;
  }
  if (request.convert.source.matrix.empty())
    throw error(errc::invalid_argument, "a description such as @poisson2d:100 is missing (or give --list)");
  if (!is_generator_spec(request.convert.source.matrix))
    throw error(errc::invalid_argument, "'" + request.convert.source.matrix +
                                            "' is not a description, which begins with @, such as @poisson2d:100 "
                                            "(see 'lacis generate --list'; 'lacis convert' reads files)");
  if (request.convert.output.empty())
    throw error(errc::invalid_argument, "an output is missing: give -o FILE, or -o - for standard output");
  run_convert(request.convert);
}

void add_options(option_list& options, generate_request& request) {
  options.add("SPEC", request.convert.source.matrix, "the description, such as @poisson3d:100");
  options.add("-o,--output FILE", request.convert.output, "the file to write, or - for standard output")
      .names_file(file_use::write_matrix);
  options.add("--list", request.list, "list the generators and their arguments");
  add_writer_options(options, request.convert);
  add_generator(options, request.convert.source);
  add_common(options, request.convert.common);
}

}  // namespace

command generate_command() {
  return make_command<generate_request>(
      {.name = "generate",
       .group = command_group::compute,
       .summary = "write a generated matrix, such as @poisson3d:100",
       .about = "Writes the matrix that SPEC describes. The same description and seed give the same matrix on every "
                "machine. Every command that reads a matrix takes such a description instead of a file.",
       .examples = {{"lacis generate --list", "the generators and their arguments"},
                    {"lacis generate @poisson2d:100 -o - | lacis info -", "through a pipe"}}},
      add_options, run_generate);
}

}  // namespace lacis::app

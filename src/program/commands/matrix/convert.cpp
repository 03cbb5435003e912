// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis convert and lacis generate: a matrix into a file.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <lacis/error.hpp>
#include <lacis/generate.hpp>
#include <lacis/io.hpp>

#include "console/console.hpp"
#include "console/interrupt.hpp"
#include "console/progress_bar.hpp"
#include "console/screen.hpp"
#include "input/load.hpp"
#include "parse/commands.hpp"
#include "plot/numbers.hpp"

namespace lacis::app {
namespace {

using json = nlohmann::ordered_json;

struct shape {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t entries = 0;
};

double save(const convert_request& request, const any_csr& matrix) {
  const auto begin = std::chrono::steady_clock::now();
  const interrupt_guard guard;
  progress_bar bar(request.common.quiet);
  write_options options;
  if (!request.to.empty()) options.format = parse_file_format(request.to);
  options.detect_symmetry = !request.no_symmetry;
  options.progress = bar.callback();
  std::visit([&](const auto& a) { write(request.output, a, options); }, matrix);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void tell(const convert_request& request, const loaded& source, double write_seconds) {
  const shape size = std::visit([](const auto& a) { return shape{a.rows, a.cols, a.nnz()}; }, source.matrix);
  std::error_code unknown;
  const auto bytes = std::filesystem::file_size(request.output, unknown);
  if (request.common.json) {
    const json all = {{"input", source.name},     {"output", request.output},
                      {"rows", size.rows},        {"cols", size.cols},
                      {"entries", size.entries},  {"bytes", unknown ? json(nullptr) : json(bytes)},
                      {"read_s", source.seconds}, {"write_s", write_seconds}};
    print(all.dump(2, ' ', false, json::error_handler_t::replace) + '\n');
  } else if (!request.common.quiet) {
    const std::string remark = fmt::format(
        "{}: {} x {}, {} entries{}; {} in {}, written in {}\n", shown(request.output), plot::grouped(size.rows),
        plot::grouped(size.cols), plot::grouped(size.entries),
        unknown ? "" : ", " + plot::bytes_text(static_cast<double>(bytes)), source.generated ? "generated" : "read",
        plot::duration_text(source.seconds), plot::duration_text(write_seconds));
    std::fputs(remark.c_str(), stderr);  // the file is there, also where nobody hears of it
  }
}

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
  json all = json::array();
  for (const generator_info& generator : generators())
    all.push_back({{"name", generator.name}, {"arguments", generator.arguments}, {"summary", generator.summary}});
  return all.dump(2) + '\n';
}

}  // namespace

void run_convert(const convert_request& request) {
  const bool to_pipe = request.output == "-";
  if (to_pipe && request.common.json)
    throw error(errc::invalid_argument, "--json and an output of - both want standard output; name a file");
  if (!request.to.empty()) static_cast<void>(parse_file_format(request.to));
  const loaded source = load(request.source, request.common);
  const double seconds = save(request, source.matrix);
  if (!to_pipe) tell(request, source, seconds);
}

void run_generate(const convert_request& request) {
  if (request.list) {
    if (request.common.json)
      print(generator_json());
    else
      print_screen(generator_screen());
    return;
  }
  if (request.source.matrix.empty())
    throw error(errc::invalid_argument, "which matrix? Give a description such as @poisson2d:100, or --list");
  if (!is_generator_spec(request.source.matrix))
    throw error(errc::invalid_argument, "'" + request.source.matrix +
                                            "' is no description: they begin with @, such as @poisson2d:100 (see "
                                            "'lacis generate --list'; for files there is 'lacis convert')");
  if (request.output.empty())
    throw error(errc::invalid_argument, "where to? Give -o FILE, or -o - for standard output");
  run_convert(request);
}

}  // namespace lacis::app

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis convert: a matrix into a file of another format.
#include "commands/matrix/convert.hpp"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <lacis/error.hpp>
#include <lacis/io.hpp>

#include "console/console.hpp"
#include "console/interrupt.hpp"
#include "console/json_text.hpp"
#include "console/progress_bar.hpp"
#include "input/load.hpp"
#include "parse/command.hpp"
#include "parse/shared_options.hpp"
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

void report_file(const convert_request& request, const loaded& source, double write_seconds) {
  const shape size = std::visit([](const auto& a) { return shape{a.rows, a.cols, a.nnz()}; }, source.matrix);
  std::error_code unknown;
  const auto bytes = std::filesystem::file_size(request.output, unknown);
  if (request.common.json) {
    const json all = {{"input", source.name},     {"output", request.output},
                      {"rows", size.rows},        {"cols", size.cols},
                      {"entries", size.entries},  {"bytes", unknown ? json(nullptr) : json(bytes)},
                      {"read_s", source.seconds}, {"write_s", write_seconds}};
    print(json_text(all));
  } else if (!request.common.quiet) {
    const std::string remark = fmt::format(
        "{}: {} x {}, {} entries{}; {} in {}, written in {}\n", shown(request.output), plot::grouped(size.rows),
        plot::grouped(size.cols), plot::grouped(size.entries),
        unknown ? "" : ", " + plot::bytes_text(static_cast<double>(bytes)), source.generated ? "generated" : "read",
        plot::duration_text(source.seconds), plot::duration_text(write_seconds));
    std::fputs(remark.c_str(), stderr);  // the file is there, also where this cannot be printed
  }
}

void add_options(option_list& options, convert_request& request) {
  add_matrix(options, request.source, "IN");
  options.add("OUT", request.output, "the file to write, or - for standard output")
      .required()
      .names_file(file_use::write_matrix);
  add_writer_options(options, request);
  add_input(options, request.source);
  add_common(options, request.common);
}

}  // namespace

void run_convert(const convert_request& request) {
  const bool to_pipe = request.output == "-";
  if (to_pipe && request.common.json)
    throw error(errc::invalid_argument,
                "--json and an output of - both write to standard output; write one of them to a file");
  if (!request.to.empty()) static_cast<void>(parse_file_format(request.to));
  const loaded source = load(request.source, request.common);
  const double seconds = save(request, source.matrix);
  if (!to_pipe) report_file(request, source, seconds);
}

void add_writer_options(option_list& options, convert_request& request) {
  add_to(options, request.to);
  options.add("--no-symmetry", request.no_symmetry, "Matrix Market: write all entries of a symmetric matrix");
}

command convert_command() {
  return make_command<convert_request>(
      {.name = "convert",
       .group = command_group::compute,
       .summary = "rewrite a matrix in another file format",
       .about =
           "Reads IN and writes OUT. The format of OUT follows its extension, Matrix Market where that is unknown; "
           "a name that ends with .csr or a slash is a directory of NumPy arrays. A file is written completely or "
           "not at all.",
       .examples = {{"lacis convert graph.txt graph.npz", "an edge list for SciPy"},
                    {"lacis convert --compact-ids web.txt web.mtx.gz", "ids without gaps, compressed"}}},
      add_options, run_convert);
}

}  // namespace lacis::app

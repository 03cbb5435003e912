// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis info: what a matrix is.
#include <fmt/format.h>
#include <utility>

#include <lacis/error.hpp>
#include <lacis/facts.hpp>
#include <lacis/spy.hpp>

#include "commands/machine/machine.hpp"
#include "commands/matrix/info_report.hpp"
#include "console/progress_bar.hpp"
#include "console/screen.hpp"
#include "console/write_file.hpp"
#include "parse/command.hpp"
#include "parse/shared_options.hpp"
#include "plot/numbers.hpp"
#include "plot/png.hpp"
#include "plot/spy_picture.hpp"

namespace lacis::app {
namespace {

struct info_request {
  common_options common;
  source_options source;
  std::string png;
  std::int64_t size = 800;
  bool no_spy = false;
};

void draw_png(const info_request& request, const loaded& source, const matrix_facts& facts) {
  const plot::picture_size area = plot::spy_picture_size(facts.rows, facts.cols, request.size);
  const spy_raster counted = spy(source.matrix, area.width, area.height);
  const std::string title = fmt::format("{}   {} x {}   {} entries", source.name, plot::grouped(facts.rows),
                                        plot::grouped(facts.cols), plot::grouped(facts.entries));
  write_file(request.png, plot::encode_png(plot::spy_picture(counted, area, title), title));
}

/// The facts and the sizes, with a word on what is being done when there is much to do.
std::pair<matrix_facts, storage_costs> examine(const info_request& request, const loaded& source) {
  constexpr std::int64_t many_entries = 5'000'000;
  const std::int64_t entries = std::visit([](const auto& a) { return a.nnz(); }, source.matrix);
  progress_bar bar(request.common.quiet || entries < many_entries);
  bar.announce("counting rows and columns, looking for symmetry");
  const matrix_facts facts = find_facts(source.matrix);
  bar.announce("computing the size in each format");
  return {facts, storage_of(source.matrix, facts, usable_memory())};
}

void run_info(const info_request& request) {
  const bool picture_on_output = request.png == "-";
  if (picture_on_output && request.common.json)
    throw error(errc::invalid_argument,
                "--json and --png - both write to standard output; write the picture to a file");
  const loaded source = load(request.source, request.common);
  const auto [facts, storage] = examine(request, source);
  if (!request.png.empty()) draw_png(request, source, facts);
  if (picture_on_output) return;
  const info_report report{source, facts, storage};
  if (request.common.json) {
    print(info_json(report));
    return;
  }
  const terminal where = terminal_of(1);
  print_screen(info_screen(report, where));
  if (!request.no_spy) print_screen(spy_screen(source.matrix, where));
  print_screen("\ncsr is a good default; 'lacis plan' shows the layout for repeated products\n");
}

void add_options(option_list& options, info_request& request) {
  add_matrix(options, request.source);
  options.add("--png FILE", request.png, "also write the spy plot to this PNG file; - is standard output")
      .names_file(file_use::write);
  options.add("--size N", request.size, "pixels of the longer side of that plot").integers(16, 8192).needs("--png");
  options.add("--no-spy", request.no_spy, "no spy plot on the terminal");
  add_input(options, request.source);
  add_common(options, request.common);
}

}  // namespace

command info_command() {
  return make_command<info_request>(
      {.name = "info",
       .group = command_group::look,
       .summary = "sizes, structure, memory per format and a picture of a matrix",
       .about =
           "Prints the sizes, the value type, the symmetry, the lengths of the rows, the bandwidth, the memory that "
           "each of nine storage formats takes, and a spy plot.",
       .examples = {{"lacis info matrix.mtx.gz", "what is in a file"},
                    {"lacis info @rmat:16 --png rmat.png", "a picture of a generated graph"}}},
      add_options, run_info);
}

}  // namespace lacis::app

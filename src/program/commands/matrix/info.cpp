// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis info: what a matrix is.
#include <fmt/format.h>
#include <utility>

#include <lacis/error.hpp>

#include "commands/machine/machine.hpp"
#include "commands/matrix/facts.hpp"
#include "commands/matrix/info_report.hpp"
#include "console/progress_bar.hpp"
#include "console/screen.hpp"
#include "console/write_file.hpp"
#include "parse/commands.hpp"
#include "plot/numbers.hpp"
#include "plot/png.hpp"
#include "plot/spy_picture.hpp"

namespace lacis::app {
namespace {

void draw_png(const info_request& request, const loaded& source, const matrix_facts& facts) {
  const plot::picture_size area = plot::spy_picture_size(facts.rows, facts.cols, request.size);
  const plot::raster counted = std::visit(
      [&](const auto& matrix) {
        const auto a = matrix.view();
        return plot::spy_raster(a.rows, a.cols, a.row_offsets, a.columns, area.width, area.height);
      },
      source.matrix);
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
  const matrix_facts facts = facts_of(source.matrix);
  bar.announce("computing the size in each format");
  return {facts, storage_of(source.matrix, facts, usable_memory())};
}

}  // namespace

void run_info(const info_request& request) {
  const bool picture_on_output = request.png == "-";
  if (picture_on_output && request.common.json)
    throw error(errc::invalid_argument, "--json and --png - both want standard output; give the picture a file");
  const loaded source = load(request.source, request.common);
  const auto [facts, storage] = examine(request, source);
  if (!request.png.empty()) draw_png(request, source, facts);
  if (picture_on_output) return;
  const info_report report{source, facts, storage};
  if (request.common.json) {
    print(info_json(report) + '\n');
    return;
  }
  const terminal where = terminal_of(1);
  print_screen(info_screen(report, where));
  if (!request.no_spy) print_screen(spy_screen(source.matrix, where));
}

}  // namespace lacis::app

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis partition on a terminal and as a picture.
#include <algorithm>
#include <fmt/format.h>

#include "commands/cluster/cut.hpp"
#include "commands/cluster/partition_findings.hpp"
#include "console/table.hpp"
#include "plot/heat_map.hpp"
#include "plot/numbers.hpp"
#include "plot/spy_text.hpp"
#include "structure/spy.hpp"

namespace lacis::app {
namespace {

using plot::bytes_text;

spy_raster transfers_on(const row_exchange& exchange, plot::text_size cells) {
  return detail::sum_raster(exchange.transfers.view(), cells.columns, cells.lines);
}

std::string table_part(const partition_findings& found, const painter& paint) {
  std::vector<cells> table = {
      {"ranks", "ghosts", "imbalance", "exchanged", "busiest", "msgs", "most", "memory", "most"}};
  for (const rank_findings& of : found.all)
    table.push_back({plot::grouped(of.ranks), plot::short_count(static_cast<double>(of.exchange.ghosts)),
                     fmt::format("{:.2f}", of.imbalance), bytes_text(static_cast<double>(found.exchanged_bytes(of))),
                     bytes_text(static_cast<double>(found.busiest_bytes(of))),
                     plot::significant(mean_messages(of.exchange)), plot::grouped(most_messages(of.exchange)),
                     bytes_text(found.mean_memory(of)), bytes_text(static_cast<double>(found.most_memory(of)))});
  const std::vector<std::size_t> widths = widths_of(table);
  std::string text = '\n' + paint.dim(line_of(table[0], widths, 0)) + '\n';
  for (std::size_t i = 1; i < table.size(); ++i) text += line_of(table[i], widths, 0) + '\n';
  return text;
}

std::string map_part(const partition_findings& found, const painter& paint, const terminal& where) {
  const row_exchange& exchange = found.all.back().exchange;
  if (exchange.ghosts == 0) return {};
  constexpr plot::text_size largest{44, 22};
  const auto ranks = static_cast<std::int64_t>(exchange.ranges.size());
  const plot::text_size size =
      plot::spy_text_size(ranks, ranks, {std::min<std::int64_t>(largest.columns, where.columns - 6), largest.lines});
  const spy_raster picture = transfers_on(exchange, plot::spy_text_cells(size, where.unicode));
  std::string text = fmt::format(
      "\n{}  {}\n", paint.bold("exchange"),
      paint.dim(fmt::format("{} ranks: rows receive, columns send, at most {} per pair", plot::grouped(ranks),
                            bytes_text(picture.densest() * static_cast<double>(found.storage.value_bytes)))));
  for (const std::string& line : plot::spy_text(picture, size, {where.unicode, where.color}))
    text += "  " + line + '\n';
  return text;
}

}  // namespace

std::string partition_screen(const partition_findings& found, const terminal& where) {
  const painter paint{where.color};
  const auto columns = static_cast<std::size_t>(where.columns);
  std::string text = cut_title(found.matrix, found.rows, found.entries, found.value_type + "; " + found.cut, where);
  text += table_part(found, paint);
  const std::string legend = fmt::format(
      "ghosts: elements that travel in one product; busiest: what one rank receives or sends at most; memory per "
      "rank: its rows, {} vectors and buffers",
      found.storage.vectors);
  text += "  " + paint.dim(wrapped(legend, 2, columns)) + '\n';
  return text + map_part(found, paint, where);
}

std::string partition_svg(const partition_findings& found) {
  const rank_findings& of = found.all.back();
  plot::heat_map map;
  map.title = fmt::format("What {} ranks send to each other in one product", plot::grouped(of.ranks));
  map.subtitle = fmt::format("{}, {}; {} in all, {} messages", found.matrix, found.cut,
                             bytes_text(static_cast<double>(found.exchanged_bytes(of))),
                             plot::grouped(of.exchange.transfers.nnz()));
  map.x_label = "sends";
  map.y_label = "receives";
  map.unit = "KiB from one rank to another";
  map.factor = static_cast<double>(found.storage.value_bytes) / 1024;
  map.picture = transfers_on(of.exchange, {plot::heat_map_cells, plot::heat_map_cells});
  return drawn(map);
}

}  // namespace lacis::app

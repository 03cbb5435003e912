// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis scale on a terminal and as a picture.
#include <algorithm>
#include <fmt/format.h>

#include "commands/cluster/cut.hpp"
#include "commands/cluster/scale_model.hpp"
#include "console/table.hpp"
#include "plot/chart.hpp"
#include "plot/numbers.hpp"

namespace lacis::app {
namespace {

std::string table_of(const std::vector<scale_point>& points, const painter& paint, bool unicode) {
  std::vector<cells> table = {
      {"ranks", "rows/rank", "compute", "exchange", "product", "overlap", "efficiency", "iteration"}};
  for (const scale_point& at : points)
    table.push_back({plot::grouped(at.ranks), plot::grouped(at.rows / at.ranks), time_text(at.compute_seconds, unicode),
                     time_text(at.exchange_seconds, unicode), time_text(at.product_seconds, unicode),
                     time_text(at.overlapped_seconds, unicode), plot::percent(at.efficiency),
                     time_text(at.iteration_seconds, unicode)});
  const std::vector<std::size_t> widths = widths_of(table);
  std::string text = paint.dim(line_of(table[0], widths, 0)) + '\n';
  for (std::size_t i = 1; i < table.size(); ++i) text += line_of(table[i], widths, 0) + '\n';
  return text;
}

std::string cluster_words(const scale_findings& found, bool unicode) {
  const network& link = found.cluster.link;
  return fmt::format("{}, {} {}s per message, {} GB/s per rank ({}); memory {} GB/s per rank ({})", link.name,
                     plot::significant(link.latency_us), unicode ? "µ" : "u", plot::significant(link.gbs), link.source,
                     plot::significant(found.cluster.read_gbs), found.rates);
}

/// Times over ranks: the product without and with overlap, an iteration, and what perfect scaling would give.
plot::chart_panel panel_of(const std::vector<scale_point>& points, const std::string& what, bool is_strong) {
  using plot::palette::blue;
  using plot::palette::green;
  using plot::palette::grey;
  using plot::palette::orange;
  double shortest = points.front().overlapped_seconds;
  for (const scale_point& at : points) shortest = std::min(shortest, at.overlapped_seconds);
  const time_unit unit = time_unit::for_times_from(shortest, true);
  plot::chart_panel panel{
      .x_label = "ranks, " + what, .y_label = fmt::format("{} (model)", unit.name), .y_doubles = true, .lines = {}};
  panel.lines = {{"cg iteration", {orange, 2, {}}, {}},
                 {"product", {blue, 2.5, {}}, {}},
                 {"overlapped", {green, 2, "6 3"}, {}},
                 {"perfect", {grey, 1, "2 3"}, {}}};
  const scale_point& first = points.front();
  const double alone = first.product_seconds * first.efficiency;
  for (const scale_point& at : points) {
    const double x = at.ranks;
    panel.lines[0].points.push_back({x, unit.factor * at.iteration_seconds});
    panel.lines[1].points.push_back({x, unit.factor * at.product_seconds});
    panel.lines[2].points.push_back({x, unit.factor * at.overlapped_seconds});
    panel.lines[3].points.push_back({x, unit.factor * (is_strong ? alone * first.ranks / x : alone)});
  }
  return panel;
}

}  // namespace

std::string scale_screen(const scale_findings& found, const terminal& where) {
  const painter paint{where.color};
  const auto columns = static_cast<std::size_t>(where.columns);
  std::string text = cut_title(found.matrix, found.rows, found.entries, found.value_type + "; " + found.cut, where);
  text += "  " + wrapped("model: " + cluster_words(found, where.unicode), 2, columns) + "\n\n";
  text += paint.bold("strong scaling") + "  this matrix (model)\n" + table_of(found.strong, paint, where.unicode);
  if (!found.weak.empty())
    text += '\n' + paint.bold("weak scaling") + "  matrices of this kind, the same rows per rank (model)\n" +
            table_of(found.weak, paint, where.unicode);
  if (!found.weak_remark.empty()) text += "  " + wrapped("weak scaling: " + found.weak_remark, 2, columns) + '\n';
  const std::string legend =
      "Every time is a model's, fed by a real cut: compute is bytes over the memory's rate, exchange is messages times "
      "latency and bytes over the link's rate, both of the slowest rank. A product is one after the other; overlap "
      "is the best that doing both at once could give. Contention, waiting and packing are not in it.";
  return text + "\n  " + paint.dim(wrapped(legend, 2, columns)) + '\n';
}

std::string scale_svg(const scale_findings& found) {
  std::vector<plot::chart_panel> panels = {panel_of(found.strong, "strong scaling: this matrix", true)};
  if (found.weak.size() > 1)
    panels.push_back(
        panel_of(found.weak,
                 fmt::format("weak scaling: {} rows per rank",
                             plot::short_count(static_cast<double>(found.weak.back().rows) / found.weak.back().ranks)),
                 false));
  const network& link = found.cluster.link;
  return plot::line_chart(fmt::format("{}: a model", found.matrix),
                          fmt::format("{} rows, {}; {}: {} µs, {} GB/s; memory {} GB/s per rank",
                                      plot::short_count(static_cast<double>(found.rows)), found.cut, link.name,
                                      plot::significant(link.latency_us), plot::significant(link.gbs),
                                      plot::significant(found.cluster.read_gbs)),
                          panels);
}

}  // namespace lacis::app

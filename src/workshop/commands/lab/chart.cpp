// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis lab --svg: the kernels as bars, and a sweep as lines.
#include "plot/chart.hpp"

#include <fmt/format.h>

#include "commands/lab/report.hpp"
#include "plot/numbers.hpp"

namespace lacis::app {
namespace {

using plot::svg_stroke;
namespace palette = plot::palette;

/// One colour a way of reading the matrix, dashes for its variants. Those that often lie on each other become narrower
/// from one to the next, so that all of them show.
svg_stroke stroke_of(std::size_t place) {
  static constexpr svg_stroke strokes[] = {
      {palette::vermillion, 2.5, {}}, {palette::orange, 2, "2 3"},
      {palette::orange, 2, "6 3"},    {palette::orange, 2, "10 3 2 3"},
      {palette::orange, 2, {}},       {palette::blue, 2.5, {}},
      {palette::green, 6, {}},        {palette::purple, 4, {}},
      {palette::black, 1.5, {}},      {palette::sky, 2, {}},
      {palette::grey, 2, "6 3"},      {palette::sky, 2, "3 3"},
  };
  return strokes[place % std::size(strokes)];
}

template <class Number>
plot::chart_panel panel_of(const lab_sweep& sweep, std::string y_label, bool y_doubles, Number number) {
  plot::chart_panel panel{"entries per row", std::move(y_label), y_doubles, {}};
  for (std::size_t i = 0; i < sweep.kernels.size(); ++i) {
    plot::chart_line line{sweep.kernels[i], stroke_of(i), {}};
    for (const lab_sweep::point& point : sweep.points)
      if (const lab::method_report* method = method_of(point.result, sweep.kernels[i]))
        line.points.push_back({static_cast<double>(point.row_length), number(*method)});
    panel.lines.push_back(std::move(line));
  }
  return panel;
}

}  // namespace

std::string lab_svg(const lab_result& result) {
  const lab::lab_report& report = result.report;
  plot::bar_chart chart{
      fmt::format("Kernel comparison on {}, {} (model)", result.matrix, report.model->title),
      fmt::format("{} x {}, {} entries, {}; {}", plot::grouped(report.rows), plot::grouped(report.cols),
                  plot::grouped(report.nnz), result.value_type, result.sampled() ? "sampled by rows" : "every row run"),
      "bytes per entry",
      "requested (counted)",
      "from DRAM (model)",
      "compulsory (model)",
      "share (model)",
      {}};
  for (const lab::method_report* method : result.ranked())
    chart.rows.push_back({method->kernel, method->bytes_requested_per_nnz, method->dram_bytes_per_nnz,
                          method->compulsory_bytes_per_nnz, fmt::format("{:.0f} %", 100 * method->model_share)});
  return plot::drawn(chart);
}

std::string sweep_svg(const lab_sweep& sweep) {
  const lab::lab_report& report = sweep.points.front().result.report;
  return plot::line_chart(fmt::format("Kernel comparison by row length, {} (model)", report.model->title),
                          fmt::format("rows of equal length, random columns, {}, x of {} elements",
                                      sweep.points.front().result.value_type, plot::grouped(report.cols)),
                          {panel_of(sweep, "bytes requested per entry (counted)", true,
                                    [](const lab::method_report& m) { return m.bytes_requested_per_nnz; }),
                           panel_of(sweep, "share of the bandwidth in % (model)", false,
                                    [](const lab::method_report& m) { return 100 * m.model_share; })});
}

}  // namespace lacis::app

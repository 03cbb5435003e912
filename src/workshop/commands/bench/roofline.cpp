// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis bench spmv --roofline.
#include "plot/roofline.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "commands/bench/report.hpp"

namespace lacis::app {

std::string bench_roofline(const std::vector<bench_report>& reports) {
  plot::roofline_chart chart;
  chart.title = "Sparse matrix times vector: roofline";
  double limit = 0;
  for (const bench_report& report : reports) {
    limit = std::max(limit, report.limit_gbs);
    for (const bench_entry& entry : report.entries)
      if (entry.name == "plan" || entry.is_peer)
        chart.points.push_back(
            {report.matrix, entry.name, report.gflops(entry) / report.gbs(entry), report.gflops(entry), entry.is_peer});
  }
  // The plan is the main contestant also where another one is faster.
  std::stable_partition(chart.points.begin(), chart.points.end(),
                        [](const plot::roofline_point& point) { return point.name == "plan"; });
  chart.limit_gbs = limit;
  chart.limit_name = fmt::format("reading memory: {:.1f} GB/s", limit);
  chart.hollow_name = "rings: CSR-equivalent";
  const int threads = reports.front().threads;
  chart.subtitle = fmt::format(
      "{} thread{}; bytes: the matrix as stored, x and y; of other libraries those of CSR, whatever they move", threads,
      threads == 1 ? "" : "s");
  return plot::drawn(chart);
}

}  // namespace lacis::app

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis bench spgemm --chart: everyone over the slowest, product by product.
#include <algorithm>
#include <fmt/format.h>

#include "commands/bench/spgemm.hpp"
#include "plot/grouped_bars.hpp"
#include "plot/numbers.hpp"
#include "plot/svg.hpp"

namespace lacis::app {
namespace {

namespace palette = plot::palette;

/// In the order of the bars; sorted and unsorted results of one library beside each other.
const std::vector<plot::bar_series>& all_series() {
  static const std::vector<plot::bar_series> all = {
      {spgemm_contestant, palette::blue}, {spgemm_first_contestant, palette::sky},
      {"mkl", palette::vermillion},       {"mkl-unsorted", palette::orange},
      {"graphblas", palette::green},      {"scipy-sorted", palette::purple},
      {"scipy", palette::black},          {"eigen", palette::grey}};
  return all;
}

const spgemm_bench_entry* find(const spgemm_bench_report& report, const std::string& name) {
  const auto found =
      std::find_if(report.entries.begin(), report.entries.end(), [&](const auto& one) { return one.name == name; });
  return found == report.entries.end() ? nullptr : &*found;
}

}  // namespace

std::string spgemm_bench_chart(const std::vector<spgemm_bench_report>& reports) {
  plot::grouped_bar_chart chart{"Products of two sparse matrices", "", "speed over that of the slowest", {}, {}};
  if (!reports.empty())
    chart.subtitle = fmt::format("{} thread{}; results sorted, except those of scipy and *-unsorted",
                                 reports.front().threads, reports.front().threads == 1 ? "" : "s");
  for (const plot::bar_series& one : all_series())
    if (std::any_of(reports.begin(), reports.end(), [&](const auto& report) { return find(report, one.name); }))
      chart.series.push_back(one);
  for (const spgemm_bench_report& report : reports) {
    double slowest = 0;
    for (const spgemm_bench_entry& entry : report.entries) slowest = std::max(slowest, entry.seconds.median);
    plot::bar_group group{report.a == report.b ? report.a : report.a + " * " + report.b,
                          plot::short_count(static_cast<double>(report.product.products)) + " products",
                          {}};
    for (const plot::bar_series& one : chart.series) {
      const spgemm_bench_entry* entry = find(report, one.name);
      group.values.push_back(entry == nullptr ? std::nullopt : std::optional(slowest / entry->seconds.median));
    }
    chart.groups.push_back(std::move(group));
  }
  return plot::drawn(chart);
}

}  // namespace lacis::app

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis solve --view: the levels of multigrid.
#include <algorithm>
#include <fmt/format.h>

#include "commands/solve/findings.hpp"
#include "console/screen.hpp"
#include "console/table.hpp"
#include "plot/numbers.hpp"

namespace lacis::app {

std::string hierarchy_table(const multigrid_report& report, const terminal& where) {
  const auto table_text = [](const std::vector<cells>& table) {
    const auto widths = widths_of(table);
    std::string text;
    for (const cells& line : table) text += "  " + line_of(line, widths) + '\n';
    return text;
  };
  const bool is_shared =
      std::any_of(report.levels.begin(), report.levels.end(), [](const multigrid_level& one) { return one.ranks > 1; });
  std::vector<cells> levels = {
      {"level", "rows", "entries", "per row", is_shared ? "eigenvalue" : "largest eigenvalue", "layout"}};
  if (is_shared) levels[0].emplace_back("ranks");
  for (std::size_t i = 0; i < report.levels.size(); ++i) {
    const multigrid_level& one = report.levels[i];
    const double rows = static_cast<double>(std::max<std::int64_t>(one.rows, 1));
    levels.push_back({fmt::format("{}", i + 1), plot::grouped(one.rows), plot::grouped(one.entries),
                      fmt::format("{:.1f}", static_cast<double>(one.entries) / rows),
                      one.largest_eigenvalue > 0 ? fmt::format("{:.3f}", one.largest_eigenvalue) : "", one.layout});
    if (is_shared) levels.back().push_back(one.ranks > 1 ? fmt::format("{}", one.ranks) : "each");
  }
  std::string text = table_text(levels);
  const auto line = [&](const std::string& words) {
    text += "  " + wrapped(words, 2, static_cast<std::size_t>(where.columns)) + '\n';
  };
  line(fmt::format("all levels have {:.2f} times the entries of A; cycle {} in {} precision, smoother {}",
                   report.operator_complexity, name_of(report.cycle), report.narrow ? "single" : "full",
                   name_of(report.smoother)));
  if (is_shared) line("each: every rank has all rows of the level");
  for (std::size_t i = 0; i < report.levels.size(); ++i)
    if (const std::string& how = report.levels[i].aggregation; !how.empty())
      line(fmt::format("rows of level {} were put together {}", i + 1, how));
  if (!report.remark.empty()) line(report.remark);
  std::vector<cells> phases = {{"set-up", "time", ""}};
  const auto phase = [&](const std::string& name, double seconds) {
    phases.push_back({name, time_text(seconds, where.unicode),
                      fmt::format("{:.0f} %", 100 * seconds / std::max(report.setup_seconds, 1e-9))});
  };
  for (const multigrid_phase& one : report.phases) phase(one.name, one.seconds);
  phase("all", report.setup_seconds);
  return text + '\n' + table_text(phases);
}

}  // namespace lacis::app

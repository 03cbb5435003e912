// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis bench cg, pagerank, trsv, ilu0 and ic0 on a terminal and as JSON.
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands/bench/json_parts.hpp"
#include "commands/bench/report.hpp"
#include "commands/bench/solve.hpp"
#include "console/screen.hpp"
#include "console/table.hpp"
#include "plot/bars.hpp"
#include "plot/numbers.hpp"

namespace lacis::app {
namespace {

using json = nlohmann::ordered_json;

/// Entries that one unit goes over, a second.
double rate_of(const solve_bench_report& report, const solve_bench_entry& entry) {
  return static_cast<double>(report.entries) / entry.seconds.median;
}

json entry_json(const solve_bench_report& report, const solve_bench_entry& entry) {
  json one = contestant_json(entry);
  add_seconds(one, entry.seconds);
  one["entries_per_s"] = rate_of(report, entry);
  add_estimate(one, "lacis_gain", entry.gain);
  add_disturbance(one, entry);
  return one;
}

json report_json(const solve_bench_report& report) {
  json results = json::array();
  for (const solve_bench_entry& entry : report.results) results.push_back(entry_json(report, entry));
  return {{"operation", report.operation},
          {"matrix", report.matrix},
          {"rows", report.rows},
          {"matrix_entries", report.entries},
          {"value_type", report.value_type},
          {"unit", report.unit},
          {"units_per_sample", report.steps},
          {"threads", report.threads},
          {"rounds", report.rounds},
          {"notes", report.notes},
          {"remarks", report.remarks},
          {"entries", std::move(results)}};
}

}  // namespace

std::string solve_bench_json(const std::vector<solve_bench_report>& reports) {
  return reports_json(reports, report_json);
}

std::string solve_bench_screen(const solve_bench_report& report, const terminal& where) {
  const painter paint{where.color};
  const std::string_view dash = where.unicode ? "–" : "-";
  const double fastest = report.results.front().seconds.median;
  const time_unit unit = time_unit::for_times_from(fastest, where.unicode);
  std::vector<cells> table = {
      {"", "threads", std::string(unit.name) + "/" + report.unit, "95 %", "Mentries/s", "lacis gains", "95 %"}};
  for (const solve_bench_entry& entry : report.results)
    table.push_back({entry.name + (entry.disturbed > 0 ? "!" : ""), std::to_string(entry.threads),
                     unit.text(entry.seconds.median),
                     fmt::format("{}{}{}", unit.text(entry.seconds.low), dash, unit.text(entry.seconds.high)),
                     plot::significant(rate_of(report, entry) * 1e-6), fmt::format("{:.2f}", entry.gain.median),
                     fmt::format("{:.2f}{}{:.2f}", entry.gain.low, dash, entry.gain.high)});
  const std::vector<std::size_t> widths = widths_of(table);
  const std::string head = line_of(table[0], widths);
  const std::string size = fmt::format(
      "{} {} {}, {} entries, {}; {}, {} rounds", plot::grouped(report.rows), where.unicode ? "×" : "x",
      plot::grouped(report.rows), plot::grouped(report.entries), report.value_type, report.operation, report.rounds);
  std::string text = title_line(report.matrix, size, where) + '\n' + paint.dim(head) + '\n';
  const int room = std::min(24, where.columns - static_cast<int>(columns_of(head)) - 3);
  for (std::size_t i = 0; i < report.results.size(); ++i) {
    const solve_bench_entry& entry = report.results[i];
    const std::string line = line_of(table[i + 1], widths);
    text += entry.is_peer ? paint.yellow(line) : line;
    constexpr int least_bar = 8;
    if (room >= least_bar) text += "  " + paint.cyan(plot::bar(fastest / entry.seconds.median, room, where.unicode));
    text += '\n';
  }
  text += '\n';
  std::vector<std::string> notes = report.notes;
  if (std::any_of(report.results.begin(), report.results.end(),
                  [](const solve_bench_entry& entry) { return entry.disturbed > 0; }))
    notes.emplace_back(disturbed_note);
  for (const std::string& note : notes)
    text += "  " + paint.dim(wrapped(note, 2, static_cast<std::size_t>(where.columns))) + '\n';
  return text;
}

}  // namespace lacis::app

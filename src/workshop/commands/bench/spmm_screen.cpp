// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis bench spmm on a terminal: a line per contestant, a column per number of dense columns.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

#include "commands/bench/report.hpp"
#include "commands/bench/spmm.hpp"
#include "console/screen.hpp"
#include "console/table.hpp"
#include "plot/numbers.hpp"

namespace lacis::app {
namespace {

/// A line of the table with what it is about.
struct spmm_line {
  cells row;
  bool is_detail = false;  ///< below the times of a contestant
  bool is_peer = false;
};

/// Everyone who was measured with some number of columns, in the order of the first run.
std::vector<const spmm_bench_entry*> everyone(const spmm_bench_report& report) {
  std::vector<const spmm_bench_entry*> all;
  for (const spmm_bench_run& run : report.runs)
    for (const spmm_bench_entry& entry : run.entries)
      if (std::none_of(all.begin(), all.end(), [&](const auto* other) { return other->name == entry.name; }))
        all.push_back(&entry);
  return all;
}

/// Who is compared with: one peer, "peer" where it differs from run to run, the loop without any.
std::string compared_with(const spmm_bench_report& report) {
  std::string name;
  for (const spmm_bench_run& run : report.runs)
    if (!run.peer.empty()) name = name.empty() || name == run.peer ? run.peer : "peer";
  return name.empty() ? "loop" : name;
}

std::optional<measure::estimate> ratio_of(const spmm_bench_entry& entry, bool to_loop) {
  return to_loop ? entry.speed_to_loop : entry.speed_to_peer;
}

/// One line of the table: the label, and a cell for each run that has this contestant.
cells row_of(const spmm_bench_report& report, const std::string& name, std::string label, const auto& cell) {
  cells row = {std::move(label)};
  for (const spmm_bench_run& run : report.runs) {
    const spmm_bench_entry* entry = run.find(name);
    row.push_back(entry == nullptr ? "-" : cell(run, *entry));
  }
  return row;
}

std::vector<spmm_line> lines_of(const spmm_bench_report& report, const time_unit& unit, std::string_view dash) {
  const std::string other = compared_with(report);
  const auto ratio = [](double number) { return fmt::format("{:.{}f}", number, number < 99.995 ? 2 : 0); };
  const auto compared = [&](const auto& text) {
    return [&](const spmm_bench_run&, const spmm_bench_entry& entry) -> std::string {
      const std::optional<measure::estimate> found = ratio_of(entry, other == "loop");
      return found ? text(*found) : "-";
    };
  };
  const auto median = [&](const measure::estimate& one) { return ratio(one.median); };
  const auto interval = [&](const measure::estimate& one) {
    return fmt::format("{}{}{}", ratio(one.low), dash, ratio(one.high));
  };
  std::vector<spmm_line> lines;
  for (const spmm_bench_entry* one : everyone(report)) {
    const auto add = [&](std::string label, bool is_detail, const auto& cell) {
      lines.push_back({row_of(report, one->name, std::move(label), cell), is_detail, one->is_peer});
    };
    add(fmt::format("{}, {}", one->name, unit.name), false, [&](const spmm_bench_run&, const spmm_bench_entry& entry) {
      return unit.text(entry.seconds.median) + (entry.disturbed > 0 ? "!" : "");
    });
    if (one->name != other) {
      add("  vs " + other, true, compared(median));
      add("  95 %", true, compared(interval));
    }
    if (one->name == "plan")
      add("  GFLOP/s", true, [&](const spmm_bench_run& run, const spmm_bench_entry& entry) {
        return plot::significant(report.gflops(run, entry));
      });
  }
  return lines;
}

/// "csr with 4, 8 columns; sell-8 with 16 columns", or the word alone when it is the same for all.
std::string by_columns(const spmm_bench_report& report, std::string spmm_bench_run::* word) {
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> groups;
  for (const spmm_bench_run& run : report.runs) {
    if (groups.empty() || groups.back().first != run.*word) groups.push_back({run.*word, {}});
    groups.back().second.push_back(run.columns);
  }
  if (groups.size() == 1) return groups[0].first;
  std::string text;
  for (const auto& [name, counts] : groups)
    text += fmt::format("{}{} with {} column{}", text.empty() ? "" : "; ", name.empty() ? "none" : name,
                        fmt::join(counts, ", "), counts == std::vector<std::int64_t>{1} ? "" : "s");
  return text;
}

std::vector<std::string> notes(const spmm_bench_report& report) {
  const std::string other = compared_with(report);
  std::vector<std::string> all = {
      fmt::format("vs {}: how many times faster, the median of the rounds and its 95 % interval", other)};
  if (other == "peer") all.push_back("peer: " + by_columns(report, &spmm_bench_run::peer));
  all.push_back("layout of the plan: " + by_columns(report, &spmm_bench_run::layout));
  const auto has = [&](auto what) {
    return std::any_of(report.runs.begin(), report.runs.end(), [&](const spmm_bench_run& run) {
      return std::any_of(run.entries.begin(), run.entries.end(), what);
    });
  };
  if (has([](const spmm_bench_entry& entry) { return entry.name == "scipy"; }))
    all.emplace_back(
        report.order == measure::dense_order::row
            ? "scipy has one thread and creates Y in every product"
            : "scipy has one thread, and in every product copies X to row-major and creates a row-major Y");
  if (has([](const spmm_bench_entry& entry) { return entry.disturbed > 0; })) all.emplace_back(disturbed_note);
  return all;
}

std::string title(const spmm_bench_report& report, std::string_view times) {
  int least = std::numeric_limits<int>::max();
  int most = 0;
  for (const spmm_bench_run& run : report.runs) {
    least = std::min(least, run.rounds);
    most = std::max(most, run.rounds);
  }
  return fmt::format("{} {} {}, {} entries, {}; X and Y {}-major; {} thread{}, {} rounds", plot::grouped(report.rows),
                     times, plot::grouped(report.cols), plot::grouped(report.matrix_entries), report.value_type,
                     measure::name_of(report.order), report.threads, report.threads == 1 ? "" : "s",
                     least == most ? std::to_string(most) : fmt::format("{} to {}", least, most));
}

/// The label and columns begin .. end of a line.
cells part_of(const cells& row, std::size_t begin, std::size_t end) {
  cells part = {row[0]};
  part.insert(part.end(), row.begin() + static_cast<std::ptrdiff_t>(begin),
              row.begin() + static_cast<std::ptrdiff_t>(end));
  return part;
}

}  // namespace

std::string spmm_bench_screen(const spmm_bench_report& report, const terminal& where) {
  const painter paint{where.color};
  double shortest = std::numeric_limits<double>::infinity();
  cells head = {"columns"};
  for (const spmm_bench_run& run : report.runs) {
    head.push_back(std::to_string(run.columns));
    for (const spmm_bench_entry& entry : run.entries) shortest = std::min(shortest, entry.seconds.median);
  }
  const std::vector<spmm_line> lines =
      lines_of(report, time_unit::for_times_from(shortest, where.unicode), where.unicode ? "–" : "-");
  std::vector<cells> table = {head};
  for (const spmm_line& line : lines) table.push_back(line.row);
  const std::vector<std::size_t> widths = widths_of(table);

  std::string text = title_line(report.matrix, title(report, where.unicode ? "×" : "x"), where);
  // Several tables, one below the other, where the terminal has no room for all columns beside each other.
  for (std::size_t begin = 1; begin < head.size();) {
    std::size_t end = begin + 1;
    std::size_t used = 2 + widths[0] + 2 + widths[begin];
    while (end < head.size() && used + 2 + widths[end] <= static_cast<std::size_t>(where.columns))
      used += 2 + widths[end++];
    std::vector<std::size_t> part = {widths[0]};
    part.insert(part.end(), widths.begin() + static_cast<std::ptrdiff_t>(begin),
                widths.begin() + static_cast<std::ptrdiff_t>(end));
    text += '\n' + paint.dim(line_of(part_of(head, begin, end), part)) + '\n';
    for (const spmm_line& line : lines) {
      const std::string words = line_of(part_of(line.row, begin, end), part);
      text += (line.is_detail ? paint.dim(words) : line.is_peer ? paint.yellow(words) : words) + '\n';
    }
    begin = end;
  }
  text += '\n';
  for (const std::string& note : notes(report))
    text += "  " + paint.dim(wrapped(note, 2, static_cast<std::size_t>(where.columns))) + '\n';
  return text;
}

}  // namespace lacis::app

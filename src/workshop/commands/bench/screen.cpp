// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis bench on a terminal and as Markdown.
#include "console/screen.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "commands/bench/report.hpp"
#include "console/table.hpp"
#include "plot/bars.hpp"
#include "plot/numbers.hpp"

namespace lacis::app {
namespace {

time_unit unit_for(const bench_report& report, bool unicode) {
  return time_unit::for_times_from(report.entries.empty() ? 1 : report.entries.front().seconds.median, unicode);
}

constexpr std::string_view reordered = " in ";
constexpr std::string_view permuting = " with permutation";

/// "plan in chain order with permutation" as "plan:chain+perm", for tables that would not fit.
std::string short_name(const std::string& name) {
  const std::size_t at = name.find(reordered);
  if (at == std::string::npos) return name;
  const std::size_t begin = at + reordered.size();
  return name.substr(0, at) + ':' + name.substr(begin, name.find(' ', begin) - begin) +
         (name.ends_with(permuting) ? "+perm" : "");
}

cells headings(const bench_report& report, const time_unit& unit) {
  cells all = {"", unit.name, "95 %", "GFLOP/s", "GB/s", "limit", "vs loop", "95 %"};
  if (!report.fastest_peer.empty()) all.insert(all.end(), {"vs " + report.fastest_peer, "95 %"});
  return all;
}

/// One line of the table, in the order of the headings.
cells cells_of(const bench_report& report, const bench_entry& entry, const time_unit& unit, std::string_view dash) {
  const auto interval = [&](const std::string& low, const std::string& high) {
    return fmt::format("{}{}{}", low, dash, high);
  };
  const auto ratio = [](double number) { return fmt::format("{:.2f}", number); };
  const auto rate = [](double number) { return fmt::format("{:.{}f}", number, number < 9.995 ? 2 : 1); };
  const std::string equivalent = entry.is_peer ? "*" : "";
  const memory_share share = report.share_of_limit(entry);
  cells all = {entry.name + (entry.disturbed > 0 ? "!" : ""),
               unit.text(entry.seconds.median),
               interval(unit.text(entry.seconds.low), unit.text(entry.seconds.high)),
               rate(report.gflops(entry)),
               rate(report.gbs(entry)) + equivalent,
               entry.is_peer ? fmt::format("{:.0f} %*", 100 * share.share) : share.text(),
               ratio(entry.speed_to_loop.median),
               interval(ratio(entry.speed_to_loop.low), ratio(entry.speed_to_loop.high))};
  if (entry.speed_to_peer)
    all.insert(all.end(), {ratio(entry.speed_to_peer->median),
                           interval(ratio(entry.speed_to_peer->low), ratio(entry.speed_to_peer->high))});
  return all;
}

std::string limit_words(const bench_report& report) {
  std::string words = fmt::format("limit: {:.1f} GB/s, reading {} in the same rounds", report.limit_gbs,
                                  plot::bytes_text(static_cast<double>(report.limit_bytes)));
  const auto any = [&](bool (memory_share::*what)() const) {
    return std::any_of(report.entries.begin(), report.entries.end(), [&](const bench_entry& entry) {
      return !entry.is_peer && (report.share_of_limit(entry).*what)();
    });
  };
  if (any(&memory_share::in_cache))
    words += fmt::format("; in cache: faster than memory, from what the last-level cache ({}) can hold",
                         plot::bytes_text(static_cast<double>(report.cache_bytes)));
  if (any(&memory_share::above_limit)) words += std::string("; ") + reason_above_limit;
  return words;
}

std::string inspection_words(const bench_report& report) {
  std::string words = "inspection: " + plot::duration_text(*report.inspection_seconds);
  if (const auto products = report.inspection_products())
    words += fmt::format(", as long as {} products of csr", plot::significant(*products));
  return words;
}

std::vector<std::string> notes(const bench_report& report) {
  std::vector<std::string> all = {limit_words(report)};
  if (!report.fastest_peer.empty())
    all.emplace_back(
        "*: CSR-equivalent, the bytes of CSR over the time. A library whose own form moves fewer can pass 100 %");
  if (!report.plan.empty()) all.push_back("plan: " + report.plan);
  if (report.inspection_seconds) all.push_back(inspection_words(report));
  const auto is_disturbed = [](const bench_entry& entry) { return entry.disturbed > 0; };
  if (std::any_of(report.entries.begin(), report.entries.end(), is_disturbed)) all.emplace_back(disturbed_note);
  return all;
}

std::string title(const bench_report& report, std::string_view times) {
  return fmt::format("{} {} {}, {} entries, {}; {} thread{}, {} rounds", plot::grouped(report.rows), times,
                     plot::grouped(report.cols), plot::grouped(report.matrix_entries), report.value_type,
                     report.threads, report.threads == 1 ? "" : "s", report.rounds);
}

}  // namespace

std::string bench_screen(const bench_report& report, const terminal& where) {
  const painter paint{where.color};
  const time_unit unit = unit_for(report, where.unicode);
  std::vector<cells> table = {headings(report, unit)};
  for (const bench_entry& entry : report.entries)
    table.push_back(cells_of(report, entry, unit, where.unicode ? "–" : "-"));
  std::vector<std::string> remarks = notes(report);
  if (columns_of(line_of(table[0], widths_of(table))) > static_cast<std::size_t>(where.columns)) {
    for (std::size_t i = 0; i < report.entries.size(); ++i) {
      const std::string& name = report.entries[i].name;
      table[i + 1][0].replace(0, name.size(), short_name(name));
      if (name.ends_with(permuting) && !remarks.back().starts_with("+perm"))
        remarks.emplace_back("+perm: x is permuted before and y after every product");
    }
  }
  const std::vector<std::size_t> widths = widths_of(table);
  const std::string head = line_of(table[0], widths);
  const int room = std::min(24, where.columns - static_cast<int>(columns_of(head)) - 3);
  std::string text =
      title_line(report.matrix, title(report, where.unicode ? "×" : "x"), where) + '\n' + paint.dim(head) + '\n';
  double most = 0;
  for (const bench_entry& entry : report.entries) most = std::max(most, 1 / entry.seconds.median);
  for (std::size_t i = 0; i < report.entries.size(); ++i) {
    const bench_entry& entry = report.entries[i];
    const std::string line = line_of(table[i + 1], widths);
    text += entry.is_peer ? paint.yellow(line) : entry.name == "loop" ? paint.dim(line) : line;
    constexpr int least_bar = 8;
    if (room >= least_bar) text += "  " + paint.cyan(plot::bar(1 / entry.seconds.median / most, room, where.unicode));
    text += '\n';
  }
  text += '\n';
  for (const std::string& note : remarks)
    text += "  " + paint.dim(wrapped(note, 2, static_cast<std::size_t>(where.columns))) + '\n';
  return text;
}

std::string bench_markdown(const bench_report& report) {
  const auto row = [](const cells& all) {
    std::string line = "|";
    for (const std::string& cell : all) line += ' ' + cell + " |";
    return line + '\n';
  };
  const time_unit unit = unit_for(report, true);
  std::string text = fmt::format("**{}**: {}\n\n", report.matrix, title(report, "×"));
  const cells head = headings(report, unit);
  text += row(head) + "|---|";
  for (std::size_t i = 1; i < head.size(); ++i) text += "---:|";
  text += '\n';
  for (const bench_entry& entry : report.entries) text += row(cells_of(report, entry, unit, "–"));
  for (const std::string& note : notes(report)) text += '\n' + note + '\n';
  for (const std::string& remark : report.remarks) text += '\n' + remark + '\n';
  return text;
}

}  // namespace lacis::app

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis bench spgemm on a terminal.
#include <algorithm>
#include <fmt/format.h>

#include "commands/bench/report.hpp"
#include "commands/bench/spgemm.hpp"
#include "console/screen.hpp"
#include "console/table.hpp"
#include "plot/bars.hpp"
#include "plot/numbers.hpp"

namespace lacis::app {
namespace {

cells cells_of(const spgemm_bench_report& report, const spgemm_bench_entry& entry, const time_unit& unit,
               std::string_view dash) {
  const auto interval = [&](const std::string& low, const std::string& high) {
    return fmt::format("{}{}{}", low, dash, high);
  };
  const auto ratio = [](double number) { return fmt::format("{:.{}f}", number, number < 99.995 ? 2 : 0); };
  const auto gain = [&](const measure::estimate& one) { return interval(ratio(one.low), ratio(one.high)); };
  return {entry.name + (entry.disturbed > 0 ? "!" : ""),
          unit.text(entry.seconds.median),
          interval(unit.text(entry.seconds.low), unit.text(entry.seconds.high)),
          plot::significant(report.products_per_second(entry) * 1e-6),
          entry.is_sorted ? "yes" : "no",
          ratio(entry.lacis_gain.median),
          gain(entry.lacis_gain),
          ratio(entry.first_gain.median),
          gain(entry.first_gain)};
}

/// "sort 80 %, dense 20 % of the time"
std::string method_words(const spgemm_report& product) {
  double seconds = 0;
  for (const spgemm_share& one : product.methods) seconds += one.seconds;
  std::string words;
  for (std::size_t m = 0; m < spgemm_methods; ++m) {
    const spgemm_share& one = product.methods[m];
    if (one.rows == 0) continue;
    words += fmt::format("{}{} {:.0f} %", words.empty() ? "" : ", ", name_of(static_cast<spgemm_method>(m)),
                         seconds > 0 ? 100 * one.seconds / seconds : 0);
  }
  return words + " of the time";
}

std::vector<std::string> notes(const spgemm_bench_report& report) {
  const spgemm_report& product = report.product;
  std::vector<std::string> all = {
      fmt::format("{} products, {} entries in C, compression {}; {}, {}", plot::grouped(product.products),
                  plot::grouped(product.entries), plot::significant(report.compression()), name_of(product.isa),
                  method_words(product)),
      "gains: how many times faster than the line lacis is, and first is; first is lacis with fresh memory for every "
      "product, lacis itself reuses what the product before gave back"};
  const auto has = [&](auto what) { return std::any_of(report.entries.begin(), report.entries.end(), what); };
  if (has([](const spgemm_bench_entry& entry) { return entry.name.starts_with("scipy"); }))
    all.emplace_back("scipy has one thread, leaves out sums that are zero, and its Python counts");
  if (has([](const spgemm_bench_entry& entry) { return entry.disturbed > 0; })) all.emplace_back(disturbed_note);
  return all;
}

}  // namespace

std::string spgemm_bench_screen(const spgemm_bench_report& report, const terminal& where) {
  const painter paint{where.color};
  const time_unit unit =
      time_unit::for_times_from(report.entries.empty() ? 1 : report.entries.front().seconds.median, where.unicode);
  std::vector<cells> table = {
      {"", unit.name, "95 %", "Mprod/s", "sorted", "lacis gains", "95 %", "first gains", "95 %"}};
  for (const spgemm_bench_entry& entry : report.entries)
    table.push_back(cells_of(report, entry, unit, where.unicode ? "–" : "-"));
  // The gains of lacis-first are the first to go where the screen is narrow.
  constexpr std::size_t least_columns = 6;
  while (table[0].size() > least_columns &&
         columns_of(line_of(table[0], widths_of(table))) > static_cast<std::size_t>(where.columns))
    for (cells& row : table) row.pop_back();
  const std::vector<std::size_t> widths = widths_of(table);
  const std::string head = line_of(table[0], widths);
  const char* const times = where.unicode ? "×" : "x";
  const std::string size =
      fmt::format("{} {} {} {} {}, {} and {} entries, {}; {} thread{}, {} rounds", plot::grouped(report.rows), times,
                  plot::grouped(report.inner), times, plot::grouped(report.cols), plot::grouped(report.a_entries),
                  plot::grouped(report.b_entries), report.value_type, report.threads, report.threads == 1 ? "" : "s",
                  report.rounds);
  std::string text =
      title_line(report.a + (where.unicode ? " · " : " * ") + report.b, size, where) + '\n' + paint.dim(head) + '\n';
  const int room = std::min(24, where.columns - static_cast<int>(columns_of(head)) - 3);
  for (std::size_t i = 0; i < report.entries.size(); ++i) {
    const spgemm_bench_entry& entry = report.entries[i];
    const std::string line = line_of(table[i + 1], widths);
    text += entry.is_peer ? paint.yellow(line) : line;
    constexpr int least_bar = 8;
    if (room >= least_bar)
      text += "  " +
              paint.cyan(plot::bar(report.entries.front().seconds.median / entry.seconds.median, room, where.unicode));
    text += '\n';
  }
  text += '\n';
  for (const std::string& note : notes(report))
    text += "  " + paint.dim(wrapped(note, 2, static_cast<std::size_t>(where.columns))) + '\n';
  return text;
}

}  // namespace lacis::app

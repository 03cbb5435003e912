// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis plan on a terminal.
#include "console/screen.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "commands/plan/findings.hpp"
#include "console/table.hpp"
#include "plot/numbers.hpp"

namespace lacis::app {
namespace {

constexpr std::size_t left_columns = 2;  // names; numbers follow

/// "*" the chosen one, "!" what does not fit.
std::string mark_of(const plan_candidate& candidate) { return candidate.chosen ? "* " : candidate.fits ? "  " : "! "; }

cells headings(const plan_report& report) {
  cells all = {"  layout", "values", "predicted"};
  if (report.tuned) all.emplace_back("measured");
  all.insert(all.end(), {"convert", "break-even", "limited by", "B/entry"});
  return all;
}

cells cells_of(const plan_findings& found, const plan_candidate& candidate, bool unicode) {
  const std::optional<double> bytes = found.per_entry(candidate.moved_bytes);
  const std::optional<double> uses = found.break_even(candidate);
  cells all = {mark_of(candidate) + candidate.layout, candidate.values, time_text(candidate.seconds, unicode)};
  if (found.report.tuned)
    all.push_back(candidate.measured_seconds ? time_text(*candidate.measured_seconds, unicode) : "-");
  all.insert(all.end(), {candidate.conversion_seconds > 0 ? time_text(candidate.conversion_seconds, unicode) : "-",
                         uses ? plot::short_count(std::ceil(*uses)) : "-", candidate.limit,
                         bytes ? plot::significant(*bytes) : "-"});
  return all;
}

std::string table_part(const plan_findings& found, const painter& paint, const terminal& where) {
  const std::vector<plan_candidate>& candidates = found.report.candidates;
  std::vector<cells> table = {headings(found.report)};
  for (const plan_candidate& candidate : candidates) table.push_back(cells_of(found, candidate, where.unicode));
  // What limits a candidate is the first to go where the screen is narrow, then how it keeps values.
  const auto is_too_wide = [&] {
    return columns_of(line_of(table[0], widths_of(table), left_columns)) > static_cast<std::size_t>(where.columns);
  };
  std::size_t left = left_columns;
  if (is_too_wide())
    for (cells& row : table) row.erase(row.end() - 2);
  if (is_too_wide()) {
    for (cells& row : table) row.erase(row.begin() + 1);
    left = 1;
  }
  const std::vector<std::size_t> widths = widths_of(table);
  std::string text = '\n' + paint.dim(line_of(table[0], widths, left)) + '\n';
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const std::string line = line_of(table[i + 1], widths, left);
    text += (candidates[i].chosen ? paint.green(line) : candidates[i].fits ? line : paint.dim(line)) + '\n';
  }
  std::string marks = "*: chosen";
  if (std::any_of(candidates.begin(), candidates.end(), [](const plan_candidate& c) { return !c.fits; }))
    marks += found.memory_limit > 0
                 ? "; !: takes more than the limit of " + plot::bytes_text(static_cast<double>(found.memory_limit))
                 : std::string("; !: does not fit in memory");
  marks +=
      "; break-even: products until all of inspection is repaid against CSR without a plan, predicted; B/entry: bytes "
      "moved per entry, with x and y once";
  const auto has_lanes = [](const plan_candidate& c) { return c.layout.find("-8") != std::string::npos; };
  if (std::any_of(candidates.begin(), candidates.end(), has_lanes)) marks += "; -8: 8 lanes";
  return text + "  " + paint.dim(wrapped(marks, 2, static_cast<std::size_t>(where.columns))) + '\n';
}

constexpr std::size_t words_column = 14;

std::string inspection_words(const plan_findings& found, bool unicode) {
  std::string words = time_text(found.report.inspection_seconds, unicode);
  if (const auto products = found.inspection_products())
    words += fmt::format(", as long as {} products without a plan", plot::significant(*products));
  return words;
}

std::string memory_words(const plan_findings& found) {
  return fmt::format("{}; a product moves {}", plot::bytes_text(static_cast<double>(found.storage_bytes)),
                     plot::bytes_text(static_cast<double>(found.moved_bytes)));
}

}  // namespace

std::string plan_screen(const plan_findings& found, const terminal& where) {
  const painter paint{where.color};
  const plan_report& report = found.report;
  const auto columns = static_cast<std::size_t>(where.columns);
  std::string size = fmt::format("{} {} {}, {} entries, {}; {} thread{}", plot::grouped(found.rows),
                                 where.unicode ? "×" : "x", plot::grouped(found.cols), plot::grouped(found.entries),
                                 found.value_type, found.threads, found.threads == 1 ? "" : "s");
  if (report.expected_uses > 0) size += fmt::format(", {} products", plot::short_count(report.expected_uses));
  std::string text = title_line(found.matrix, size, where);
  text += "\n  " + wrapped(found.explanation, 2, columns) + '\n';
  if (!report.candidates.empty()) text += table_part(found, paint, where);
  text += '\n';
  if (report.read_gbs > 0)
    text += labelled_line("limit",
                          fmt::format("{:.1f} GB/s reading memory; rates: {}", report.read_gbs,
                                      report.rates.empty() ? "built in" : report.rates),
                          words_column, where);
  text += labelled_line("inspection", inspection_words(found, where.unicode), words_column, where);
  text += labelled_line("memory", memory_words(found), words_column, where);
  return found.powers.empty() ? text : text + labelled_line("powers", found.powers, words_column, where);
}

}  // namespace lacis::app

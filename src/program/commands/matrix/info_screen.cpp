// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis info on a terminal.
#include <algorithm>
#include <fmt/format.h>

#include "commands/matrix/info_report.hpp"
#include "plot/bars.hpp"
#include "plot/numbers.hpp"
#include "plot/spy_text.hpp"

namespace lacis::app {
namespace {

using plot::bytes_text;
using plot::grouped;
using plot::percent;
using plot::significant;

/// "label       words", the label dimmed.
std::string line(const painter& paint, std::string_view label, const std::string& words) {
  return fmt::format("  {}{}\n", paint.dim(pad_right(label, 12)), words);
}

std::string values_words(const matrix_facts& facts) {
  return fmt::format("{}{}; {}-bit columns", facts.value_type, facts.iso ? ", one for all entries (iso)" : "",
                     8 * facts.index_bytes);
}

std::string source_words(const loaded& source) {
  const std::string time = plot::duration_text(source.seconds);
  if (source.generated) return "generated in " + time;
  const read_report& file = source.report;
  std::string words =
      fmt::format("{}, {} {}, {} stored", spelt(file.format), file.field, file.symmetry, grouped(file.stored_entries));
  if (file.duplicates > 0)
    words += fmt::format(", {} duplicate{} merged", grouped(file.duplicates), file.duplicates == 1 ? "" : "s");
  words += fmt::format("; {} read in {}", bytes_text(static_cast<double>(file.bytes)), time);
  return words;
}

std::string symmetry_words(const matrix_facts& facts) {
  const symmetry_report& found = facts.symmetry;
  if (!found.square) return "none, not square";
  if (!found.pattern) return "none, not even of the pattern";
  if (found.symmetric && found.skew_symmetric) return "symmetric and skew-symmetric: every entry is 0";
  if (found.symmetric) return found.hermitian ? "symmetric" : "symmetric, not Hermitian";
  if (found.hermitian) return "Hermitian";
  if (found.skew_symmetric) return "skew-symmetric";
  return "of the pattern only";
}

std::string rows_words(const matrix_facts& facts) {
  return fmt::format("{} to {} entries, median {}, mean {}", grouped(facts.shortest_row), grouped(facts.longest_row),
                     significant(facts.median_row), significant(facts.mean_row()));
}

std::string empty_words(const matrix_facts& facts) {
  const auto of = [](std::int64_t empty, std::int64_t all, const char* what) {
    if (empty == 0) return fmt::format("no {}", what);
    return fmt::format("{} {} ({})", grouped(empty), what,
                       percent(static_cast<double>(empty) / static_cast<double>(all)));
  };
  return of(facts.empty_rows, facts.rows, "rows") + ", " + of(facts.empty_cols, facts.cols, "columns");
}

std::string facts_part(const info_report& report, const painter& paint, const terminal& where) {
  const matrix_facts& facts = report.facts;
  const std::string_view times = where.unicode ? "×" : "x";
  std::string text = paint.bold(report.source.name) + '\n';
  text += line(paint, "size", fmt::format("{} {} {}", grouped(facts.rows), times, grouped(facts.cols)));
  text += line(paint, "entries", fmt::format("{}, density {}", grouped(facts.entries), percent(facts.density())));
  text += line(paint, "values", values_words(facts));
  text += line(paint, "source", source_words(report.source));
  text += line(paint, "symmetry", symmetry_words(facts));
  text += line(paint, "rows", rows_words(facts));
  text += line(paint, "empty", empty_words(facts));
  text += line(paint, "bandwidth",
               fmt::format("{} below and {} above the diagonal", grouped(facts.lower_bandwidth),
                           grouped(facts.upper_bandwidth)));
  text +=
      line(paint, "diagonal",
           fmt::format("{} of {} entries", grouped(facts.diagonal_entries), grouped(std::min(facts.rows, facts.cols))));
  return text;
}

/// Percents that line up below each other.
std::string share_words(double share) {
  if (share == 0) return {};
  return share < 0.001 ? "< 0.1 %" : fmt::format("{:.1f} %", 100 * share);
}

std::string histogram_part(const matrix_facts& facts, const painter& paint, const terminal& where) {
  std::int64_t most = 1;
  for (const length_bin& bin : facts.bins) most = std::max(most, bin.rows);
  std::string text = '\n' + paint.bold("row lengths") + '\n';
  const int room = std::clamp(where.columns - 45, 10, 40);
  const std::string_view dash = where.unicode ? "–" : "-";
  for (const length_bin& bin : facts.bins) {
    if (bin.last < facts.shortest_row) continue;
    const std::string range =
        bin.first == bin.last ? grouped(bin.first) : fmt::format("{}{}{}", grouped(bin.first), dash, grouped(bin.last));
    const double share = static_cast<double>(bin.rows) / static_cast<double>(facts.rows);
    const double length = static_cast<double>(bin.rows) / static_cast<double>(most);
    text += fmt::format("  {} {} {} {}\n", pad_left(range, 15), pad_left(grouped(bin.rows), 12),
                        pad_left(share_words(share), 9), paint.cyan(plot::bar(length, room, where.unicode)));
  }
  return text;
}

std::string saves_words(const format_cost& cost, const matrix_facts& facts) {
  if (!cost.saves_up_to) return "";
  const double places = static_cast<double>(facts.rows) * static_cast<double>(facts.cols);
  if (*cost.saves_up_to <= 0) return "never";
  if (*cost.saves_up_to >= places) return "always";
  return fmt::format("{} entries ({})", plot::short_count(*cost.saves_up_to), percent(*cost.saves_up_to / places));
}

/// One line of the table of formats; the headings are one too.
std::string storage_row(std::string_view name, std::string_view bytes, std::string_view per_entry,
                        std::string_view smaller, std::string_view saves) {
  return fmt::format("  {}{}{}{}{}", pad_right(name, 6), pad_left(bytes, 10), pad_left(per_entry, 11),
                     pad_left(smaller, 9), pad_left(saves, 26));
}

std::string cost_line(const format_cost& cost, const info_report& report, const painter& paint,
                      std::string_view times) {
  if (!cost.bytes)
    return fmt::format("  {}  {}\n", pad_right(name_of(cost.which), 6),
                       paint.yellow("more bytes than 64 bits can count"));
  const auto bytes = static_cast<double>(*cost.bytes);
  const auto entries = static_cast<double>(report.facts.entries);
  std::string per_entry;
  std::string smaller;
  if (entries > 0) {
    const double factor = report.storage.dense_bytes / bytes;
    per_entry = bytes_text(bytes / entries);
    smaller = fmt::format("{} {}", factor < 10000 ? significant(factor) : plot::short_count(factor), times);
  }
  std::string text =
      storage_row(name_of(cost.which), bytes_text(bytes), per_entry, smaller, saves_words(cost, report.facts));
  if (!cost.fits_memory) text += "  " + paint.yellow("exceeds memory");
  return text + '\n';
}

std::string storage_part(const info_report& report, const painter& paint, const terminal& where) {
  const std::string_view times = where.unicode ? "×" : "x";
  std::string text =
      fmt::format("\n{} against {} dense\n", paint.bold("storage"), bytes_text(report.storage.dense_bytes));
  text += paint.dim(storage_row("format", "bytes", "per entry", "saving", "smaller than dense below")) + '\n';
  for (const format_cost& cost : report.storage.formats) text += cost_line(cost, report, paint, times);
  return text;
}

constexpr plot::text_size largest_spy{50, 25};

std::string spy_legend(const spy_raster& counted, plot::text_size size, const terminal& where) {
  const plot::text_size cells = plot::spy_text_cells(size, where.unicode);
  const std::string_view mark = where.unicode ? "dot" : "letter";
  if (counted.width < cells.columns && counted.height < cells.lines)
    return fmt::format("one position takes several {}s", mark);
  const auto places = [](std::int64_t all, std::int64_t parts) {
    return significant(static_cast<double>(all) / static_cast<double>(parts));
  };
  return fmt::format("one {}: {} x {} positions, at most {} of them stored", mark, places(counted.rows, cells.lines),
                     places(counted.cols, cells.columns), percent(counted.densest()));
}

std::string framed_spy(const spy_raster& counted, plot::text_size size, const terminal& where) {
  const painter paint{where.color};
  std::string rule;
  for (std::int64_t i = 0; i < size.columns; ++i) rule += where.unicode ? "─" : "-";
  const auto framed = [&](std::string_view left, const std::string& middle, std::string_view right) {
    return "  " + paint.dim(where.unicode ? left : "+") + middle + paint.dim(where.unicode ? right : "+") + '\n';
  };
  std::string text = fmt::format("\n{}  {}\n", paint.bold("spy"), paint.dim(spy_legend(counted, size, where)));
  text += framed("┌", paint.dim(rule), "┐");
  const std::string side = paint.dim(where.unicode ? "│" : "|");
  for (const std::string& row : plot::spy_text(counted, size, {where.unicode, where.color}))
    text += "  " + side + row + side + '\n';
  return text + framed("└", paint.dim(rule), "┘");
}

}  // namespace

std::string info_screen(const info_report& report, const terminal& where) {
  const painter paint{where.color};
  return facts_part(report, paint, where) + histogram_part(report.facts, paint, where) +
         storage_part(report, paint, where);
}

std::string spy_screen(const any_csr& matrix, const terminal& where) {
  const auto [rows, cols] = std::visit([](const auto& a) { return std::pair(a.rows, a.cols); }, matrix);
  if (rows == 0 || cols == 0) return {};
  const plot::text_size limit{std::min<std::int64_t>(largest_spy.columns, where.columns - 6), largest_spy.lines};
  const plot::text_size size = plot::spy_text_size(rows, cols, limit);
  const plot::text_size cells = plot::spy_text_cells(size, where.unicode);
  return framed_spy(spy(matrix, cells.columns, cells.lines), size, where);
}

}  // namespace lacis::app

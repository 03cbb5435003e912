// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis spgemm on a terminal, in numbers and in words.
#include <fmt/format.h>

#include "commands/products/spgemm_findings.hpp"
#include "console/screen.hpp"
#include "console/table.hpp"
#include "plot/numbers.hpp"

namespace lacis::app {
namespace {

constexpr std::size_t label_width = 15;

std::string size_text(std::int64_t bytes) { return plot::bytes_text(static_cast<double>(bytes)); }

double share(double part, double whole) { return whole > 0 ? part / whole : 0; }
double share(std::int64_t part, std::int64_t whole) {
  return share(static_cast<double>(part), static_cast<double>(whole));
}

/// Shares of one column: with as many digits each.
std::string column_percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string phases(const spgemm_findings& found, bool unicode) {
  const spgemm_report& report = found.report;
  std::string words = fmt::format("read {}, count {}, compute {}", time_text(found.read_seconds, unicode),
                                  time_text(report.count_seconds, unicode), time_text(report.compute_seconds, unicode));
  if (report.compute_seconds > 0)
    words += fmt::format(" ({} products/s)",
                         plot::short_count(static_cast<double>(report.products) / report.compute_seconds));
  if (!found.output.empty()) words += ", write " + time_text(found.write_seconds, unicode);
  return words + ", hash " + time_text(found.hash_seconds, unicode);
}

std::string memory(const spgemm_findings& found) {
  const spgemm_report& report = found.report;
  std::string words = fmt::format("peak {}; input {}, result {}{}, workspace {}", size_text(found.peak_bytes),
                                  size_text(found.input_bytes), size_text(report.result_bytes),
                                  report.slabs > 1 ? " at a time" : "", size_text(report.workspace_bytes));
  if (found.memory_limit > 0)
    words += fmt::format("; limit {}, {} part{}", size_text(found.memory_limit), plot::grouped(report.slabs),
                         report.slabs == 1 ? "" : "s");
  return words;
}

std::string method_table(const spgemm_findings& found, const painter& paint, bool unicode) {
  std::vector<cells> table = {{"method", "rows", "", "products", "entries", "time", ""}};
  const double seconds = found.method_seconds();
  for (std::size_t m = 0; m < spgemm_methods; ++m) {
    const spgemm_share& one = found.report.methods[m];
    if (one.rows == 0) continue;
    table.push_back({std::string(name_of(static_cast<spgemm_method>(m))), plot::grouped(one.rows),
                     column_percent(share(one.rows, found.rows)), plot::short_count(static_cast<double>(one.products)),
                     plot::short_count(static_cast<double>(one.entries)), time_text(one.seconds, unicode),
                     column_percent(share(one.seconds, seconds))});
  }
  if (table.size() == 1) return {};
  const std::vector<std::size_t> widths = widths_of(table);
  std::string text = '\n' + paint.dim(line_of(table[0], widths)) + '\n';
  for (std::size_t i = 1; i < table.size(); ++i) text += line_of(table[i], widths) + '\n';
  return text + "  " + paint.dim("time of all threads together") + '\n';
}

struct method_words {
  std::string rows;  ///< which go to it
  const char* why;
};

method_words words_of(spgemm_method method, const spgemm_share& one) {
  const std::string each = plot::significant(share(one.products, one.rows)) + " each on average";
  switch (method) {
    case spgemm_method::copy:
      return {"with one entry in A", "Each is a row of B, scaled; nothing is added or sorted."};
    case spgemm_method::sort:
      return {"with few products, " + each,
              "Sorting those by column is cheaper than clearing and searching an accumulator."};
    case spgemm_method::dense:
      return {"with many products, " + each + ", for the columns that they span",
              "Each column has a sum of its own; reading the used ones in order sorts the row for nothing."};
    case spgemm_method::hash:
      return {"whose products, " + each + ", are strewn over more columns than a sum for each would be worth",
              "They meet in a table, which is sorted afterwards."};
    case spgemm_method::stencil:
      return {"that repeat the row before, moved by one column",
              "The pattern is found once for many rows; no column is searched or sorted."};
  }
  return {};
}

std::string rows_text(std::int64_t rows) { return plot::grouped(rows) + (rows == 1 ? " row" : " rows"); }

}  // namespace

std::string spgemm_screen(const spgemm_findings& found, const terminal& where) {
  const painter paint{where.color};
  const spgemm_report& report = found.report;
  const char* const times = where.unicode ? "×" : "x";
  const std::string size = fmt::format("{} {} {} {} {}, {}; {} thread{}, {}", plot::grouped(found.rows), times,
                                       plot::grouped(found.inner), times, plot::grouped(found.cols), found.value_type,
                                       report.threads, report.threads == 1 ? "" : "s", name_of(report.isa));
  std::string text = title_line(found.a + (where.unicode ? " · " : " * ") + found.b, size, where) + '\n';
  text += labelled_line("entries",
                        fmt::format("{} in A, {} in B, {} in C", plot::grouped(found.a_entries),
                                    plot::grouped(found.b_entries), plot::grouped(report.entries)),
                        label_width, where);
  text += labelled_line("products",
                        fmt::format("{}; compression {}", plot::grouped(report.products),
                                    report.entries > 0 ? plot::significant(found.compression()) : "-"),
                        label_width, where);
  text += labelled_line("phases", phases(found, where.unicode), label_width, where);
  text += labelled_line("memory", memory(found), label_width, where);
  if (!found.output.empty() && found.output != "-")
    text += labelled_line("written to", found.output, label_width, where);
  text += labelled_line("hash",
                        fmt::format("values {:016x}, columns {:016x}, row offsets {:016x}", found.hashes.values,
                                    found.hashes.columns, found.hashes.row_offsets),
                        label_width, where);
  return text + method_table(found, paint, where.unicode);
}

std::vector<std::string> spgemm_explanation(const spgemm_findings& found) {
  std::vector<std::string> all;
  std::int64_t placed = 0;
  const double seconds = found.method_seconds();
  for (std::size_t m = 0; m < spgemm_methods; ++m) {
    const auto method = static_cast<spgemm_method>(m);
    const spgemm_share& one = found.report.of(method);
    placed += one.rows;
    if (one.rows == 0) continue;
    const method_words words = words_of(method, one);
    all.push_back(fmt::format("{}: {} {}; {} of the time. {}", name_of(method), rows_text(one.rows), words.rows,
                              column_percent(share(one.seconds, seconds)), words.why));
  }
  if (placed < found.rows) all.push_back(rows_text(found.rows - placed) + " without products.");
  all.emplace_back("Every method adds the products of an entry in ascending k, so the choice changes no bit.");
  return all;
}

}  // namespace lacis::app

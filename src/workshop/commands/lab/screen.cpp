// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis lab on a terminal.
#include "console/screen.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "commands/lab/report.hpp"
#include "plot/numbers.hpp"

namespace lacis::app {
namespace {

using lab::method_report;
using methods = std::vector<const method_report*>;

/// A column with two lines of heading.
struct column {
  std::string upper;
  std::string lower;
  std::vector<std::string> cells;
  bool over_several = false;  ///< the upper heading reaches to the left, where others have none

  [[nodiscard]] std::size_t width() const {
    std::size_t most = std::max(columns_of(lower), over_several ? 0 : columns_of(upper));
    for (const std::string& cell : cells) most = std::max(most, columns_of(cell));
    return most;
  }
};

template <class Text> column column_of(std::string upper, std::string lower, const methods& rows, Text text) {
  column made{std::move(upper), std::move(lower), {}, false};
  for (const method_report* row : rows) made.cells.push_back(text(*row));
  return made;
}

std::size_t width_of(const std::vector<column>& table, std::size_t gap) {
  std::size_t width = 2;
  for (const column& c : table) width += c.width() + gap;
  return width - gap;
}

std::string drawn(const std::vector<column>& table, std::size_t most_columns, const painter& paint) {
  const std::size_t gap = width_of(table, 2) <= most_columns ? 2 : 1;
  const std::string between(gap, ' ');
  const auto line = [&](const auto& cell_of) {
    std::string text = "  " + pad_right(cell_of(table[0]), table[0].width());
    for (std::size_t i = 1; i < table.size(); ++i) text += between + pad_left(cell_of(table[i]), table[i].width());
    text.resize(text.find_last_not_of(' ') + 1);
    return text;
  };
  std::string upper;
  std::size_t right_edge = 2 - gap;
  for (const column& c : table) {
    right_edge += gap + c.width();
    if (!c.upper.empty()) upper += pad_left(c.upper, right_edge - columns_of(upper));
  }
  std::string text = paint.dim(upper) + '\n' + paint.dim(line([](const column& c) { return c.lower; })) + '\n';
  for (std::size_t row = 0; row < table[0].cells.size(); ++row)
    text += line([&](const column& c) { return c.cells[row]; }) + '\n';
  return text;
}

std::string sectors(const method_report& method, std::string_view array) {
  const lab::array_traffic* traffic = traffic_of(method, array);
  return traffic == nullptr ? "" : fmt::format("{:.1f}", traffic->sectors_per_request());
}

std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

column time_column(const methods& rows, bool unicode) {
  constexpr double long_seconds = 0.01;
  const bool in_ms = rows.front()->model_s >= long_seconds;
  const double factor = in_ms ? 1e3 : 1e6;
  return column_of("model",
                   in_ms     ? "ms"
                   : unicode ? "µs"
                             : "us",
                   rows, [&](const method_report& m) { return plot::significant(m.model_s * factor); });
}

std::vector<column> main_columns(const methods& rows, bool unicode) {
  const auto significant = [&](std::string upper, std::string lower, double method_report::* member) {
    return column_of(std::move(upper), std::move(lower), rows,
                     [&](const method_report& m) { return plot::significant(m.*member); });
  };
  std::vector<column> table;
  table.push_back(column_of("", "kernel", rows, [](const method_report& m) { return m.kernel; }));
  table.push_back(column_of("busy", "lanes", rows, [](const method_report& m) { return percent(m.active_lanes); }));
  table.push_back(column_of("", "val", rows, [](const method_report& m) { return sectors(m, "values"); }));
  table.push_back(column_of("", "col", rows, [](const method_report& m) { return sectors(m, "columns"); }));
  table.push_back(column_of("sectors/req.", "x", rows, [](const method_report& m) { return sectors(m, "x"); }));
  table.back().over_several = true;
  table.push_back(
      column_of("", "req.", rows, [](const method_report& m) { return fmt::format("{:.2f}", m.requests_per_nnz); }));
  table.push_back(significant("per entry", "bytes", &method_report::bytes_requested_per_nnz));
  table.back().over_several = true;
  table.push_back(significant("model", "DRAM", &method_report::dram_bytes_per_nnz));
  table.push_back(column_of("model", "/min", rows, [](const method_report& m) {
    return m.compulsory_bytes_per_nnz > 0 ? fmt::format("{:.2f}", m.dram_bytes_per_nnz / m.compulsory_bytes_per_nnz)
                                          : "";
  }));
  table.push_back(time_column(rows, unicode));
  table.push_back(column_of("model", "share", rows, [](const method_report& m) { return percent(m.model_share); }));
  return table;
}

/// What was counted of the source beside what was counted of the PTX.
std::vector<column> emitted_columns(const methods& rows) {
  constexpr double sector_bytes = 32;
  const auto number = [](double value) { return fmt::format("{:.2f}", value); };
  const auto add = [&](std::vector<column>& table, std::string upper, std::string lower, auto value) {
    table.push_back(column_of(std::move(upper), std::move(lower), rows, value));
    table.back().over_several = true;
  };
  std::vector<column> table;
  table.push_back(column_of("", "kernel", rows, [](const method_report& m) { return m.kernel; }));
  add(table, "", "lanes", [](const method_report& m) { return percent(m.active_lanes); });
  add(table, "", "req.", [&](const method_report& m) { return number(m.requests_per_nnz); });
  add(table, "", "sectors", [&](const method_report& m) { return number(m.bytes_requested_per_nnz / sector_bytes); });
  add(table, "source, per entry", "confl.", [&](const method_report& m) { return number(m.bank_conflicts_per_nnz); });
  add(table, "", "instr.", [&](const method_report& m) { return number(m.emitted->instructions_per_nnz); });
  add(table, "", "lanes", [](const method_report& m) { return percent(m.emitted->active_lanes); });
  add(table, "", "req.", [&](const method_report& m) { return number(m.emitted->requests_per_nnz); });
  add(table, "", "sectors", [&](const method_report& m) { return number(m.emitted->sectors_per_nnz); });
  add(table, "PTX, per entry", "confl.",
      [&](const method_report& m) { return number(m.emitted->bank_conflicts_per_nnz); });
  return table;
}

/// Nothing where it would be a zero.
std::string hundredths(double number) {
  std::string text = fmt::format("{:.2f}", number);
  return text == "0.00" ? "" : text;
}

/// What few kernels have, as columns that stand only when one has it.
std::vector<column> rare_columns(const methods& rows) {
  std::vector<column> table;
  const auto add_if_any = [&](const char* upper, const char* lower, double method_report::* member) {
    column rare = column_of(upper, lower, rows, [&](const method_report& m) { return hundredths(m.*member); });
    if (std::any_of(rare.cells.begin(), rare.cells.end(), [](const std::string& cell) { return !cell.empty(); }))
      table.push_back(std::move(rare));
  };
  add_if_any("bank", "confl.", &method_report::bank_conflicts_per_nnz);
  add_if_any("", "atomics", &method_report::atomics_per_nnz);
  return table;
}

/// The same as a line, for a screen that is too narrow.
std::string rare_words(const column& rare, const methods& rows) {
  std::string words = (rare.lower == "atomics" ? "atomics" : "bank conflicts") + std::string(" per entry: ");
  bool first = true;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rare.cells[i].empty()) continue;
    words += fmt::format("{}{} {}", first ? "" : ", ", rows[i]->kernel, rare.cells[i]);
    first = false;
  }
  return words;
}

std::string title(const lab_result& result, std::string_view times) {
  const lab::lab_report& report = result.report;
  return fmt::format("{} {} {}, {} entries, {}", plot::grouped(report.rows), times, plot::grouped(report.cols),
                     plot::grouped(report.nnz), result.value_type);
}

std::vector<std::string> notes(const lab_result& result) {
  std::vector<std::string> all = {
      sample_words(result), model_words(*result.report.model),
      "counted: busy lanes, sectors of 32 bytes that a warp's request touches, requests and "
      "their bytes per entry; modelled: DRAM bytes per entry, the same over the least "
      "possible, time, share of the bandwidth in bytes of CSR"};
  if (std::any_of(result.report.methods.begin(), result.report.methods.end(),
                  [](const method_report& m) { return m.emitted.has_value(); }))
    all.emplace_back(
        "PTX: counted by an interpreter of the emitted code, lanes in step: instructions of warps, lanes that "
        "take part in them, requests and sectors of global memory, bank conflicts of shared memory");
  if (std::any_of(result.report.methods.begin(), result.report.methods.end(),
                  [](const method_report& m) { return m.model_share >= 1.005; }))
    all.emplace_back("a share above 100 %: the kernel moves fewer bytes than CSR has, or finds them in the L2");
  if (result.report.fits_l2) all.emplace_back("the matrix fits in the L2, so DRAM bytes are of little use");
  return all;
}

std::int64_t most_run(const lab_sweep& sweep) {
  std::int64_t most = 0;
  for (const lab_sweep::point& point : sweep.points) most = std::max(most, point.result.report.sampled_entries);
  return most;
}

/// A screen being filled.
class page {
 public:
  explicit page(const terminal& where) : paint_{where.color}, columns_(static_cast<std::size_t>(where.columns)) {}
  void add(const std::string& words) { text_ += words; }
  void note(const std::string& words) { text_ += "  " + paint_.dim(wrapped(words, 2, columns_)) + '\n'; }
  [[nodiscard]] const painter& paint() const { return paint_; }
  [[nodiscard]] std::size_t columns() const { return columns_; }
  [[nodiscard]] std::string text() && { return std::move(text_); }

 private:
  painter paint_;
  std::size_t columns_;
  std::string text_;
};

}  // namespace

std::string lab_screen(const lab_result& result, const std::optional<std::string>& explanation, const terminal& where) {
  page page(where);
  page.add(title_line(result.matrix, title(result, where.unicode ? "×" : "x"), where) + '\n');
  const methods rows = result.ranked();
  std::vector<std::string> narrow_words;
  if (!rows.empty()) {
    std::vector<column> table = main_columns(rows, where.unicode);
    for (column& rare : rare_columns(rows)) {
      std::vector<column> wider = table;
      wider.push_back(rare);
      if (width_of(wider, 1) <= page.columns())
        table = std::move(wider);
      else
        narrow_words.push_back(rare_words(rare, rows));
    }
    page.add(drawn(table, page.columns(), page.paint()) + '\n');
    if (rows.front()->emitted) page.add(drawn(emitted_columns(rows), page.columns(), page.paint()) + '\n');
  }
  for (const method_report& method : result.report.methods)
    if (!method.refused.empty()) page.note(fmt::format("not run: {}: {}", method.kernel, method.refused));
  for (const std::string& words : narrow_words) page.note(words);
  for (const std::string& words : notes(result)) page.note(words);
  if (explanation) page.add("\n" + wrapped(*explanation, 0, page.columns()) + '\n');
  return std::move(page).text();
}

std::string sweep_screen(const lab_sweep& sweep, const terminal& where) {
  page page(where);
  const auto table_of = [&](const std::string& heading, auto text) {
    std::vector<column> table(1 + sweep.points.size());
    table[0].lower = "kernel";
    table[0].cells = sweep.kernels;
    for (std::size_t i = 0; i < sweep.points.size(); ++i) {
      table[i + 1].lower = std::to_string(sweep.points[i].row_length);
      for (const std::string& kernel : sweep.kernels) {
        const method_report* method = method_of(sweep.points[i].result, kernel);
        table[i + 1].cells.push_back(method == nullptr ? "-" : text(*method));
      }
    }
    table.back().upper = heading;
    table.back().over_several = true;
    page.add(drawn(table, page.columns(), page.paint()) + '\n');
  };
  table_of("bytes requested per entry, by entries per row",
           [](const method_report& m) { return fmt::format("{:.0f}", m.bytes_requested_per_nnz); });
  table_of("model: share of the bandwidth in %, in bytes of CSR, by entries per row",
           [](const method_report& m) { return fmt::format("{:.0f}", 100 * m.model_share); });
  const lab_result& last = sweep.points.back().result;
  page.note(fmt::format(
      "run: matrices of up to {} entries with {} columns, {}, on a part of the GPU with its share of the L2",
      plot::grouped(most_run(sweep)), plot::grouped(last.report.cols), last.value_type));
  page.note(model_words(*last.report.model));
  return std::move(page).text();
}

}  // namespace lacis::app

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis bench plan on a terminal: a line for each matrix, then how all of them went.
#include <algorithm>
#include <fmt/format.h>

#include "commands/bench/plan.hpp"
#include "console/table.hpp"
#include "plot/numbers.hpp"

namespace lacis::app {
namespace {

enum column : std::size_t { matrix, values, entries, choice, time, off, best, regret, gain, inspection, columns };
constexpr const char* names[columns] = {"matrix", "values", "entries", "choice", "time",
                                        "off by", "best",   "regret",  "gain",   "inspect"};
constexpr std::size_t left = 2;

std::string percent(double share) { return fmt::format("{:.{}f} %", 100 * share, 100 * share < 9.95 ? 1 : 0); }

std::string times(double ratio) { return fmt::format("{:.2f}x", ratio); }

/// "sell-8 in 4 ranges" as "sell-8/4".
std::string short_layout(const std::string& name) {
  const std::size_t in = name.find(" in ");
  return in == std::string::npos ? name
                                 : name.substr(0, in) + '/' + name.substr(in + 4, name.find(' ', in + 4) - in - 4);
}

std::string spread_line(std::string_view name, const plan_spread& spread, const auto& number) {
  return fmt::format("  {}{}{}{}{}  {}\n", pad_right(name, 12), pad_left(number(spread.median), 9),
                     pad_left(number(spread.worst), 9), pad_left(percent(spread.within_5_percent), 13),
                     pad_left(percent(spread.within_30_percent), 13), spread.worst_matrix);
}

}  // namespace

plan_table::plan_table(std::span<const plan_case> cases, const terminal& where)
    : where_(where), widths_{6, 6, 8, 10, 8, 6, 10, 6, 6, 7}, shown_(columns, true) {
  bool has_values = false;
  for (const plan_case& one : cases) {
    // Of a file the name alone is shown, without folders.
    const std::size_t name = one.matrix.size() - (one.matrix.find_last_of('/') + 1);
    widths_[matrix] = std::max(widths_[matrix], name);
    widths_[values] = std::max(widths_[values], one.values.size());
    has_values = has_values || !one.values.empty();
  }
  shown_[values] = has_values;
  // What the others tell as well goes first where the screen is narrow.
  for (const column dispensable : {entries, time, off})
    if (columns_of(head()) > static_cast<std::size_t>(where.columns) + 1) shown_[dispensable] = false;
}

std::string plan_table::head() const {
  cells row;
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns; ++i)
    if (shown_[i]) {
      row.emplace_back(names[i]);
      widths.push_back(widths_[i]);
    }
  return painter{where_.color}.dim(line_of(row, widths, shown_[values] ? left : 1)) + '\n';
}

std::string plan_table::line(const plan_trial& trial) const {
  const std::optional<double> error = trial.prediction_error();
  const plan_try& fastest = trial.best();
  const bool same = &fastest == &trial.chosen();
  const bool disturbed =
      std::any_of(trial.all.begin(), trial.all.end(), [](const plan_try& one) { return one.disturbed > 0; });
  const cells all = {trial.matrix,
                     trial.values,
                     plot::short_count(static_cast<double>(trial.entries)),
                     short_layout(trial.chosen().layout),
                     time_text(trial.chosen().seconds.median, where_.unicode),
                     error ? percent(*error) : "-",
                     same ? "=" : short_layout(fastest.layout),
                     percent(trial.regret()) + (disturbed ? "!" : ""),
                     times(trial.gain.median),
                     plot::significant(trial.inspection_products())};
  cells row;
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns; ++i)
    if (shown_[i]) {
      row.push_back(all[i]);
      widths.push_back(widths_[i]);
    }
  const std::string text = line_of(row, widths, shown_[values] ? left : 1);
  constexpr double noticeable = 0.05;
  const bool worse = trial.regret() > noticeable || trial.gain.high < 1;
  return (worse ? painter{where_.color}.yellow(text) : text) + '\n';
}

std::string plan_table::summary(std::span<const plan_trial> trials) const {
  const painter paint{where_.color};
  const plan_summary all = summary_of(trials);
  std::string text =
      fmt::format("\n{}\n", paint.bold(fmt::format("{} matri{}", all.matrices, all.matrices == 1 ? "x" : "ces")));
  text += paint.dim(fmt::format("  {}{}{}{}{}  {}", pad_right("", 12), pad_left("median", 9), pad_left("worst", 9),
                                pad_left("within 5 %", 13), pad_left("within 30 %", 13), "worst with")) +
          '\n';
  text += spread_line("regret", all.regret, percent);
  if (all.prediction) text += spread_line("prediction", *all.prediction, percent);
  text += fmt::format("  {}{}{}{}  {}\n", pad_right("gain", 12), pad_left(times(all.gain.median), 9),
                      pad_left(times(all.gain.least), 9), pad_left(fmt::format("{} below 1x", all.gain.losses), 26),
                      all.gain.least_matrix);
  const auto products = [](double number) { return plot::significant(number); };
  text += fmt::format("  {}{}{}{}  {}\n", pad_right("inspection", 12), pad_left(products(all.inspection.median), 9),
                      pad_left(products(all.inspection.worst), 9), std::string(26, ' '), all.inspection.worst_matrix);
  const std::string notes =
      "regret: how much longer the choice takes than the best candidate; off by, prediction: its predicted time "
      "against the measured one; gain: the time of a plain loop over that of the choice, below 1x where the whole "
      "interval is; inspection: in products without a plan; !: disturbed by other load";
  return text + "\n  " + paint.dim(wrapped(notes, 2, static_cast<std::size_t>(where_.columns))) + '\n';
}

}  // namespace lacis::app

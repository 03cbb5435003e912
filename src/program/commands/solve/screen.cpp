// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis solve on a terminal: what was chosen and why, how it went, where the time was spent.
#include "console/screen.hpp"

#include <fmt/format.h>

#include "commands/cluster/cluster.hpp"
#include "commands/solve/findings.hpp"
#include "console/memory_share.hpp"
#include "console/table.hpp"
#include "plot/convergence.hpp"
#include "plot/numbers.hpp"

namespace lacis::app {
namespace {

std::string fact_words(const system_facts& facts, bool is_complex) {
  if (!facts.square) return "not square";
  std::string words = std::string(facts.hermitian ? "" : "not ") + (is_complex ? "Hermitian" : "symmetric");
  if (facts.asymmetry > 0) words += fmt::format(" except for rounding errors of {:.1e}", facts.asymmetry);
  if (facts.hermitian && facts.indefinite) words += ", indefinite";
  if (facts.hermitian && !facts.indefinite && facts.positive_diagonal) words += ", looks positive definite";
  if (!facts.full_diagonal)
    words += ", zeros on the diagonal";
  else if (facts.dominant)
    words += ", diagonally dominant";
  return words;
}

plot::convergence curve_of(const solve_findings& found) {
  const solve_attempt& last = found.report.attempts.back();
  return {fmt::format("{}: {}", found.matrix, name_of(last.choice)),
          fmt::format("{} unknowns, {} entries; {} after {} iterations, true residual {:.2e}",
                      plot::grouped(found.cols), plot::grouped(found.entries), name_of(last.report.outcome),
                      last.report.iterations, last.report.true_residual),
          name_of(last.choice), last.report.history, found.tolerance};
}

std::string profile_table(const solve_findings& found, const terminal& where) {
  const solve_report& result = found.report.result();
  std::vector<cells> table = {{"operation", "calls", "time", "", "GB/s", found.report.read_gbs > 0 ? "of limit" : ""}};
  double sum = 0;
  bool in_cache = false;
  bool above_limit = false;
  const auto row = [&](const std::string& name, std::int64_t calls, double seconds, double bytes) {
    const double rate = bytes > 0 && seconds > 0 ? bytes / seconds / 1e9 : 0;
    std::string of_limit;
    if (rate > 0 && found.report.read_gbs > 0) {
      const memory_share share{rate / found.report.read_gbs, bytes / static_cast<double>(calls), found.cache_bytes};
      of_limit = share.text();
      in_cache = in_cache || share.in_cache();
      above_limit = above_limit || share.above_limit();
    }
    table.push_back({name, calls > 0 ? plot::grouped(calls) : "", time_text(seconds, where.unicode),
                     fmt::format("{:.1f} %", 100 * seconds / result.seconds),
                     rate > 0 ? fmt::format("{:.1f}", rate) : "", of_limit});
  };
  for (const solve_share& share : result.shares) {
    row(share.operation, share.calls, share.seconds, share.moved_bytes);
    sum += share.seconds;
  }
  row("the rest", 0, std::max(0.0, result.seconds - sum), 0);
  row("all", 0, result.seconds, 0);
  const auto widths = widths_of(table);
  std::string text;
  for (const cells& line : table) text += "  " + line_of(line, widths) + '\n';
  std::string reasons;
  if (in_cache)
    reasons = fmt::format("in cache: faster than memory, from what the last-level cache ({}) can hold",
                          plot::bytes_text(static_cast<double>(found.cache_bytes)));
  if (above_limit) reasons += (reasons.empty() ? "" : "; ") + std::string(reason_above_limit);
  if (!reasons.empty())
    text += "  " + painter{where.color}.dim(wrapped(reasons, 2, static_cast<std::size_t>(where.columns))) + '\n';
  return text;
}

}  // namespace

std::string solve_svg(const solve_findings& found) { return plot::convergence_svg(curve_of(found)); }

std::string solve_screen(const solve_findings& found, const solve_tables& tables, const terminal& where) {
  const painter paint{where.color};
  const auto line = [&](std::string_view name, const std::string& words) {
    return "  " + pad_right(name, 12) + wrapped(words, 14, static_cast<std::size_t>(where.columns)) + '\n';
  };
  const solve_attempt& last = found.report.attempts.back();
  const solve_report& result = last.report;
  const std::string size =
      fmt::format("{} {} {}, {} entries, {}; {}", plot::grouped(found.rows), where.unicode ? "×" : "x",
                  plot::grouped(found.cols), plot::grouped(found.entries), found.value_type,
                  found.cluster          ? processes_text(*found.cluster)
                  : found.device.empty() ? fmt::format("{} thread{}", found.threads, found.threads == 1 ? "" : "s")
                                         : found.device);
  std::string text = title_line(found.matrix, size, where) + '\n';
  text += line("matrix", fact_words(found.report.facts, found.value_type.starts_with("complex")));
  text += line("b", found.right_side);
  text += line("method", name_of(last.choice) + ": " + last.choice.why);
  if (!last.preconditioner.empty())
    text += line("", last.preconditioner + "; made in " + plot::duration_text(last.prepare_seconds));
  if (found.cluster)
    text += line("plan", found.report.layout + " Made in " + plot::duration_text(found.report.plan_seconds));
  else
    text += line("plan", found.report.layout + ", made in " + plot::duration_text(found.report.plan_seconds));
  for (std::size_t i = 0; i + 1 < found.report.attempts.size(); ++i) {
    const solve_attempt& tried = found.report.attempts[i];
    text += line(i == 0 ? "tried" : "",
                 fmt::format("{}: {} after {} iterations and {}", name_of(tried.choice), name_of(tried.report.outcome),
                             plot::grouped(tried.report.iterations), plot::duration_text(tried.report.seconds)));
  }
  const std::string outcome = fmt::format(
      "{} after {} iterations in {}{}; true residual {:.2e}",
      is_least_squares(found) ? "least-squares solution" : name_of(result.outcome), plot::grouped(result.iterations),
      plot::duration_text(result.seconds),
      result.iterations > 0
          ? fmt::format(" ({} each)", time_text(result.seconds / static_cast<double>(result.iterations), where.unicode))
          : "",
      result.true_residual);
  text += line("result", result.converged() ? paint.green(outcome) : paint.red(outcome));
  if (is_least_squares(found)) text += line("", result.reason);
  if (result.resumed_at > 0) text += line("", fmt::format("resumed at iteration {}", plot::grouped(result.resumed_at)));
  text += line("hash of x", fmt::format("{:016x}{}", found.hash, last.choice.direct ? "" : " (same on every machine)"));
  if (result.history.size() > 1) {
    const std::size_t columns = std::min<std::size_t>(64, static_cast<std::size_t>(std::max(24, where.columns - 14)));
    text += "\n";
    for (const std::string& row : plot::convergence_text(curve_of(found), columns, 8, where.unicode))
      text += "  " + row + '\n';
    text += fmt::format("        iteration 1 to {}\n", plot::grouped(result.iterations));
  }
  if (tables.hierarchy)
    text += '\n' + (last.hierarchy ? hierarchy_table(*last.hierarchy, where)
                                   : "  " + paint.dim("no levels: the preconditioner is not amg") + '\n');
  if (tables.profile) text += '\n' + profile_table(found, where);
  return text;
}

}  // namespace lacis::app

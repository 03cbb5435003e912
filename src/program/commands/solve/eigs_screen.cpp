// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis eigs on a terminal, as JSON and as a picture.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands/cluster/cluster.hpp"
#include "commands/solve/eigs_findings.hpp"
#include "console/json_text.hpp"
#include "console/screen.hpp"
#include "console/table.hpp"
#include "plot/convergence.hpp"
#include "plot/numbers.hpp"

namespace lacis::app {
namespace {

using json = nlohmann::ordered_json;

plot::convergence curve_of(const eigs_findings& found) {
  const eigen_result<double>& result = found.result;
  const std::string method =
      std::string(name_of(result.method)) + (found.preconditioner.empty() ? "" : " with " + found.kind);
  return {fmt::format("{}: {} eigenvalues by {}", found.matrix, result.values.size(), method),
          fmt::format("{} rows, {} entries; {} after {} iterations and {} products; largest |A x - w x| / |w|",
                      plot::grouped(found.rows), plot::grouped(found.entries), name_of(result.outcome),
                      plot::grouped(result.iterations), plot::grouped(result.products)),
          method,
          result.history,
          found.tolerance,
          false};
}

}  // namespace

std::string eigs_svg(const eigs_findings& found) { return plot::convergence_svg(curve_of(found)); }

std::string eigs_screen(const eigs_findings& found, bool profile, const terminal& where) {
  const painter paint{where.color};
  const eigen_result<double>& result = found.result;
  const auto line = [&](std::string_view name, const std::string& words) {
    return "  " + pad_right(name, 12) + wrapped(words, 14, static_cast<std::size_t>(where.columns)) + '\n';
  };
  const std::string place = found.cluster ? processes_text(*found.cluster)
                            : found.device.empty()
                                ? fmt::format("{} thread{}", found.threads, found.threads == 1 ? "" : "s")
                                : found.device;
  std::string text =
      title_line(found.matrix,
                 fmt::format("{} {} {}, {} entries, {}; {}", plot::grouped(found.rows), where.unicode ? "×" : "x",
                             plot::grouped(found.rows), plot::grouped(found.entries), found.value_type, place),
                 where) +
      '\n';
  text += line("method", result.method == eigen_method::lobpcg
                             ? "lobpcg: locally optimal block preconditioned conjugate gradients"
                             : "lanczos: Lanczos with thick restarts");
  if (!found.preconditioner.empty()) text += line("", found.preconditioner);
  text += line("plan", fmt::format("{}{} in {}", found.layout, found.cluster ? " Made" : ", made",
                                   plot::duration_text(found.prepare_seconds)));
  const std::string outcome = fmt::format("{} after {} iterations and {} products in {}", name_of(result.outcome),
                                          plot::grouped(result.iterations), plot::grouped(result.products),
                                          plot::duration_text(result.seconds));
  text += line("result", result.converged() ? paint.green(outcome) : paint.red(outcome));
  if (result.resumed_at > 0) text += line("", fmt::format("resumed at iteration {}", plot::grouped(result.resumed_at)));
  text += line("hash", fmt::format("{:016x} of the vectors (same on every machine)", result.hash));
  if (result.values.empty()) return text;
  std::vector<cells> table = {{"", "eigenvalue", "residual |A x - w x|"}};
  if (!result.converged()) table[0].emplace_back("");
  for (std::size_t i = 0; i < result.values.size(); ++i) {
    table.push_back(
        {std::to_string(i + 1), fmt::format("{:.12g}", result.values[i]), fmt::format("{:.2e}", result.residuals[i])});
    if (!result.converged()) table.back().emplace_back(result.is_converged[i] ? "converged" : "not converged");
  }
  const auto widths = widths_of(table);
  text += '\n';
  for (const cells& row : table) text += "  " + line_of(row, widths, 0) + '\n';
  text += "  " +
          paint.dim(wrapped("the matrix has an eigenvalue within each residual of the value before it, rounding errors "
                            "apart",
                            2, static_cast<std::size_t>(where.columns))) +
          '\n';
  if (std::ranges::count_if(result.history, [](double one) { return std::isfinite(one); }) > 1) {
    const std::size_t columns = std::min<std::size_t>(64, static_cast<std::size_t>(std::max(24, where.columns - 14)));
    text += '\n';
    for (const std::string& row : plot::convergence_text(curve_of(found), columns, 8, where.unicode))
      text += "  " + row + '\n';
    text += fmt::format("        iteration 1 to {}: the largest |A x - w x| / |w|\n", plot::grouped(result.iterations));
  }
  if (profile) {
    std::vector<cells> shares = {{"operation", "calls", "time", ""}};
    for (const solve_share& one : result.shares)
      shares.push_back({one.operation, plot::grouped(one.calls), time_text(one.seconds, where.unicode),
                        fmt::format("{:.1f} %", 100 * one.seconds / result.seconds)});
    const auto room = widths_of(shares);
    text += '\n';
    for (const cells& row : shares) text += "  " + line_of(row, room) + '\n';
  }
  return text;
}

std::string eigs_json(const eigs_findings& found) {
  const eigen_result<double>& result = found.result;
  const auto number = [](double x) { return std::isfinite(x) ? json(x) : json(nullptr); };
  json pairs = json::array();
  for (std::size_t i = 0; i < result.values.size(); ++i)
    pairs.push_back({{"eigenvalue", number(result.values[i])},
                     {"residual", number(result.residuals[i])},
                     {"converged", static_cast<bool>(result.is_converged[i])}});
  json shares = json::array();
  for (const solve_share& one : result.shares)
    shares.push_back({{"operation", one.operation}, {"calls", one.calls}, {"seconds", one.seconds}});
  json history = json::array();
  for (const double one : result.history) history.push_back(number(one));
  const json all = {{"matrix", found.matrix},
                    {"rows", found.rows},
                    {"entries", found.entries},
                    {"value_type", found.value_type},
                    {"device", found.device.empty() ? json("cpu") : json(found.device)},
                    {"threads", found.threads},
                    {"processes", found.cluster ? found.cluster->processes : 1},
                    {"which", found.which},
                    {"method", name_of(result.method)},
                    {"preconditioner", found.preconditioner.empty() ? json(nullptr) : json(found.kind)},
                    {"tolerance", found.tolerance},
                    {"outcome", name_of(result.outcome)},
                    {"converged", result.converged()},
                    {"iterations", result.iterations},
                    {"resumed_at", result.resumed_at},
                    {"products", result.products},
                    {"prepare_s", found.prepare_seconds},
                    {"seconds", result.seconds},
                    {"layout", found.layout},
                    {"hash", fmt::format("{:016x}", result.hash)},
                    {"reason", result.reason},
                    {"pairs", pairs},
                    {"shares", shares},
                    {"history", history}};
  return json_text(all);
}

}  // namespace lacis::app

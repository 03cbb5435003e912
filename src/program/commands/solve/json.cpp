// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis solve --json.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands/solve/findings.hpp"
#include "console/json_text.hpp"

namespace lacis::app {
namespace {

using json = nlohmann::ordered_json;

/// null where a number is not one.
json number(double x) { return std::isfinite(x) ? json(x) : json(nullptr); }

std::string_view method_of(const solver_choice& choice) { return choice.direct ? "direct" : name_of(choice.method); }

json hierarchy_json(const multigrid_report& report) {
  json levels = json::array();
  for (const multigrid_level& one : report.levels)
    levels.push_back({{"rows", one.rows},
                      {"entries", one.entries},
                      {"layout", one.layout},
                      {"aggregation", one.aggregation},
                      {"largest_eigenvalue", one.largest_eigenvalue},
                      {"ranks", one.ranks}});
  json phases = json::object();
  for (const multigrid_phase& one : report.phases) phases[one.name] = one.seconds;
  return {{"levels", levels},
          {"operator_complexity", report.operator_complexity},
          {"narrow", report.narrow},
          {"setup_s", report.setup_seconds},
          {"cycle", name_of(report.cycle)},
          {"smoother", name_of(report.smoother)},
          {"phases_s", phases},
          {"remark", report.remark}};
}

json attempt_json(const solve_attempt& one) {
  return {{"method", method_of(one.choice)},
          {"preconditioner", one.choice.preconditioner ? json(name_of(*one.choice.preconditioner)) : json(nullptr)},
          {"why", one.choice.why},
          {"outcome", name_of(one.report.outcome)},
          {"iterations", one.report.iterations},
          {"true_residual", number(one.report.true_residual)},
          {"prepare_s", one.prepare_seconds},
          {"seconds", one.report.seconds},
          {"reason", one.report.reason},
          {"hierarchy", one.hierarchy ? hierarchy_json(*one.hierarchy) : json(nullptr)}};
}

}  // namespace

std::string solve_json(const solve_findings& found) {
  const solve_attempt& last = found.report.attempts.back();
  const solve_report& result = last.report;
  json attempts = json::array();
  for (const solve_attempt& one : found.report.attempts) attempts.push_back(attempt_json(one));
  json shares = json::array();
  for (const solve_share& share : result.shares)
    shares.push_back({{"operation", share.operation},
                      {"calls", share.calls},
                      {"seconds", share.seconds},
                      {"gbs", share.moved_bytes > 0 && share.seconds > 0 ? json(share.moved_bytes / share.seconds / 1e9)
                                                                         : json(nullptr)}});
  const system_facts& facts = found.report.facts;
  const json all = {
      {"matrix", found.matrix},
      {"right_side", found.right_side},
      {"rows", found.rows},
      {"cols", found.cols},
      {"entries", found.entries},
      {"value_type", found.value_type},
      {"device", found.device.empty() ? json("cpu") : json(found.device)},
      {"threads", found.threads},
      {"processes", found.cluster ? found.cluster->processes : 1},
      {"hermitian", facts.hermitian},
      {"asymmetry", facts.asymmetry},
      {"indefinite", facts.indefinite},
      {"diagonally_dominant", facts.dominant},
      {"method", method_of(last.choice)},
      {"preconditioner", last.choice.preconditioner ? json(name_of(*last.choice.preconditioner)) : json(nullptr)},
      {"outcome", name_of(result.outcome)},
      {"converged", result.converged()},
      {"least_squares", is_least_squares(found)},
      {"iterations", result.iterations},
      {"resumed_at", result.resumed_at},
      {"tolerance", found.tolerance},
      {"residual", number(result.residual)},
      {"true_residual", number(result.true_residual)},
      {"solution_hash", fmt::format("{:016x}", found.hash)},
      {"seconds", result.seconds},
      {"plan_s", found.report.plan_seconds},
      {"layout", found.report.layout},
      {"limit_gbs", found.report.read_gbs > 0 ? json(found.report.read_gbs) : json(nullptr)},
      {"reason", result.reason},
      {"attempts", attempts},
      {"shares", shares},
      {"history", result.history}};
  return json_text(all);
}

}  // namespace lacis::app

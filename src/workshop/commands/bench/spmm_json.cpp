// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis bench spmm --json.
#include <nlohmann/json.hpp>

#include "commands/bench/json_parts.hpp"
#include "commands/bench/spmm.hpp"

namespace lacis::app {
namespace {

using json = nlohmann::ordered_json;

json entry_json(const spmm_bench_report& report, const spmm_bench_run& run, const spmm_bench_entry& entry) {
  json one = contestant_json(entry);
  add_seconds(one, entry.seconds);
  one["min_s"] = entry.least_seconds;
  one["gflops"] = report.gflops(run, entry);
  add_estimate(one, "ratio_to_loop", entry.speed_to_loop);
  add_estimate(one, "ratio_to_peer", entry.speed_to_peer);
  add_disturbance(one, entry);
  return one;
}

json run_json(const spmm_bench_report& report, const spmm_bench_run& run) {
  json entries = json::array();
  for (const spmm_bench_entry& entry : run.entries) entries.push_back(entry_json(report, run, entry));
  return {{"columns", run.columns},
          {"rounds", run.rounds},
          {"layout", run.layout},
          {"plan", run.plan},
          {"inspection_seconds", run.inspection_seconds},
          {"peer", run.peer.empty() ? json(nullptr) : json(run.peer)},
          {"entries", std::move(entries)}};
}

json report_json(const spmm_bench_report& report) {
  json runs = json::array();
  for (const spmm_bench_run& run : report.runs) runs.push_back(run_json(report, run));
  return {{"operation", "spmm"},
          {"matrix", report.matrix},
          {"order", measure::name_of(report.order)},
          {"rows", report.rows},
          {"cols", report.cols},
          {"matrix_entries", report.matrix_entries},
          {"value_type", report.value_type},
          {"threads", report.threads},
          {"remarks", report.remarks},
          {"runs", std::move(runs)}};
}

}  // namespace

std::string spmm_bench_json(const std::vector<spmm_bench_report>& reports) {
  return reports_json(reports, report_json);
}

}  // namespace lacis::app

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis bench spgemm --json.
#include <nlohmann/json.hpp>

#include "commands/bench/spgemm.hpp"
#include "commands/products/spgemm_shares.hpp"
#include "console/json_text.hpp"

namespace lacis::app {
namespace {

using json = nlohmann::ordered_json;

json entry_json(const spgemm_bench_report& report, const spgemm_bench_entry& entry) {
  return {{"name", entry.name},
          {"version", entry.is_peer ? json(entry.version) : json(nullptr)},
          {"threads", entry.threads},
          {"is_peer", entry.is_peer},
          {"sorted", entry.is_sorted},
          {"median_s", entry.seconds.median},
          {"low_s", entry.seconds.low},
          {"high_s", entry.seconds.high},
          {"min_s", entry.least_seconds},
          {"products_per_s", report.products_per_second(entry)},
          {"lacis_gain", entry.lacis_gain.median},
          {"lacis_gain_low", entry.lacis_gain.low},
          {"lacis_gain_high", entry.lacis_gain.high},
          {"first_gain", entry.first_gain.median},
          {"first_gain_low", entry.first_gain.low},
          {"first_gain_high", entry.first_gain.high},
          {"disturbed", entry.disturbed},
          {"retaken", entry.retaken}};
}

json report_json(const spgemm_bench_report& report) {
  json entries = json::array();
  for (const spgemm_bench_entry& entry : report.entries) entries.push_back(entry_json(report, entry));
  return {{"operation", "spgemm"},
          {"a", report.a},
          {"b", report.b},
          {"rows", report.rows},
          {"inner", report.inner},
          {"cols", report.cols},
          {"a_entries", report.a_entries},
          {"b_entries", report.b_entries},
          {"value_type", report.value_type},
          {"threads", report.threads},
          {"rounds", report.rounds},
          {"isa", name_of(report.product.isa)},
          {"products", report.product.products},
          {"entries_of_c", report.product.entries},
          {"compression", report.compression()},
          {"result_bytes", report.product.result_bytes},
          {"workspace_bytes", report.product.workspace_bytes},
          {"methods", shares_json(report.product)},
          {"remarks", report.remarks},
          {"entries", std::move(entries)}};
}

}  // namespace

std::string spgemm_bench_json(const std::vector<spgemm_bench_report>& reports) {
  json all = json::array();
  for (const spgemm_bench_report& report : reports) all.push_back(report_json(report));
  return json_text(all.size() == 1 ? all[0] : all);
}

}  // namespace lacis::app

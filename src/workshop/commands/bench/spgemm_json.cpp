// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis bench spgemm --json.
#include <nlohmann/json.hpp>

#include "commands/bench/json_parts.hpp"
#include "commands/bench/spgemm.hpp"
#include "commands/products/spgemm_shares.hpp"

namespace lacis::app {
namespace {

using json = nlohmann::ordered_json;

json entry_json(const spgemm_bench_report& report, const spgemm_bench_entry& entry) {
  json one = contestant_json(entry);
  one["sorted"] = entry.is_sorted;
  add_seconds(one, entry.seconds);
  one["min_s"] = entry.least_seconds;
  one["products_per_s"] = report.products_per_second(entry);
  add_estimate(one, "lacis_gain", entry.lacis_gain);
  add_estimate(one, "first_gain", entry.first_gain);
  add_disturbance(one, entry);
  return one;
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
  return reports_json(reports, report_json);
}

}  // namespace lacis::app

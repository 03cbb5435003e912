// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis spgemm --json.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "commands/products/spgemm_findings.hpp"
#include "commands/products/spgemm_shares.hpp"
#include "console/json_text.hpp"

namespace lacis::app {

using json = nlohmann::ordered_json;

std::string spgemm_json(const spgemm_findings& found) {
  const spgemm_report& report = found.report;
  const auto hex = [](std::uint64_t hash) { return fmt::format("{:016x}", hash); };
  const json all = {{"a", found.a},
                    {"b", found.b},
                    {"rows", found.rows},
                    {"inner", found.inner},
                    {"cols", found.cols},
                    {"a_entries", found.a_entries},
                    {"b_entries", found.b_entries},
                    {"value_type", found.value_type},
                    {"threads", report.threads},
                    {"isa", name_of(report.isa)},
                    {"products", report.products},
                    {"entries", report.entries},
                    {"compression", report.entries > 0 ? json(found.compression()) : json(nullptr)},
                    {"methods", shares_json(report)},
                    {"read_s", found.read_seconds},
                    {"count_s", report.count_seconds},
                    {"compute_s", report.compute_seconds},
                    {"write_s", found.output.empty() ? json(nullptr) : json(found.write_seconds)},
                    {"hash_s", found.hash_seconds},
                    {"peak_bytes", found.peak_bytes},
                    {"input_bytes", found.input_bytes},
                    {"result_bytes", report.result_bytes},
                    {"workspace_bytes", report.workspace_bytes},
                    {"memory_limit", found.memory_limit > 0 ? json(found.memory_limit) : json(nullptr)},
                    {"parts", report.slabs},
                    {"output", found.output.empty() ? json(nullptr) : json(found.output)},
                    {"hash",
                     {{"values", hex(found.hashes.values)},
                      {"columns", hex(found.hashes.columns)},
                      {"row_offsets", hex(found.hashes.row_offsets)}}},
                    {"explanation", spgemm_explanation(found)}};
  return json_text(all);
}

json shares_json(const spgemm_report& report) {
  double seconds = 0;
  for (const spgemm_share& one : report.methods) seconds += one.seconds;
  json all = json::array();
  for (std::size_t m = 0; m < spgemm_methods; ++m) {
    const spgemm_share& one = report.methods[m];
    if (one.rows == 0) continue;
    all.push_back({{"method", name_of(static_cast<spgemm_method>(m))},
                   {"rows", one.rows},
                   {"products", one.products},
                   {"entries", one.entries},
                   {"seconds", one.seconds},
                   {"share", seconds > 0 ? one.seconds / seconds : 0}});
  }
  return all;
}

}  // namespace lacis::app

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis bench --json.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "commands/bench/json_parts.hpp"
#include "commands/bench/report.hpp"

namespace lacis::app {
namespace {

using json = nlohmann::ordered_json;

json or_null(const std::optional<double>& number) { return number ? json(*number) : json(nullptr); }

json entry_json(const bench_report& report, const bench_entry& entry) {
  json one = {{"name", entry.name},
              {"format", entry.format},
              {"kernel", entry.kernel},
              {"threads", entry.threads},
              {"median_s", entry.seconds.median},
              {"low_s", entry.seconds.low},
              {"high_s", entry.seconds.high},
              {"min_s", entry.least_seconds},
              {"bytes", entry.bytes},
              {"gbs", report.gbs(entry)},
              {"gflops", report.gflops(entry)},
              {"share_of_limit", report.share_of_limit(entry).share},
              {"bytes_are_csr_equivalent", entry.is_peer},
              {"in_cache", entry.bytes <= report.cache_bytes},
              {"is_peer", entry.is_peer}};
  add_estimate(one, "ratio_to_loop", entry.speed_to_loop);
  add_estimate(one, "ratio_to_peer", entry.speed_to_peer);
  add_disturbance(one, entry);
  return one;
}

json reordering_json(const bench_reordering& one) {
  return {{"order", one.order},
          {"seconds", one.seconds},
          {"break_even_products", or_null(one.products)},
          {"break_even_products_with_permutation", or_null(one.permuting_products)}};
}

json report_json(const bench_report& report) {
  json entries = json::array();
  for (const bench_entry& entry : report.entries) entries.push_back(entry_json(report, entry));
  json reorderings = json::array();
  for (const bench_reordering& one : report.reorderings) reorderings.push_back(reordering_json(one));
  return json{{"operation", "spmv"},
              {"matrix", report.matrix},
              {"rows", report.rows},
              {"cols", report.cols},
              {"matrix_entries", report.matrix_entries},
              {"value_type", report.value_type},
              {"threads", report.threads},
              {"rounds", report.rounds},
              {"limit_gbs", report.limit_gbs},
              {"limit_bytes", report.limit_bytes},
              {"cache_bytes", report.cache_bytes},
              {"matrix_bytes", report.matrix_bytes},
              {"exceeds_cache", report.matrix_bytes > report.cache_bytes},
              {"fastest_peer", report.fastest_peer.empty() ? json(nullptr) : json(report.fastest_peer)},
              {"plan", report.plan},
              {"inspection_seconds", or_null(report.inspection_seconds)},
              {"inspection_to_csr", or_null(report.inspection_products())},
              {"reorderings", std::move(reorderings)},
              {"remarks", report.remarks},
              {"entries", std::move(entries)}};
}

}  // namespace

const bench_entry* bench_report::find(const std::string& name) const {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const bench_entry& entry) { return entry.name == name; });
  return found == entries.end() ? nullptr : &*found;
}

std::optional<double> bench_report::inspection_products() const {
  const bench_entry* csr = find("csr");
  if (csr == nullptr || !inspection_seconds) return std::nullopt;
  return *inspection_seconds / csr->seconds.median;
}

std::string bench_json(const std::vector<bench_report>& reports) { return reports_json(reports, report_json); }

}  // namespace lacis::app

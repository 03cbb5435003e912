// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis bench --json.
#include <nlohmann/json.hpp>

#include "app/bench_report.hpp"

namespace lacis::app {
namespace {

using json = nlohmann::ordered_json;

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
              {"share_of_limit", report.share_of_limit(entry)},
              {"is_peer", entry.is_peer},
              {"ratio_to_loop", entry.speed_to_loop.median},
              {"ratio_to_loop_low", entry.speed_to_loop.low},
              {"ratio_to_loop_high", entry.speed_to_loop.high},
              {"ratio_to_peer", nullptr},
              {"ratio_to_peer_low", nullptr},
              {"ratio_to_peer_high", nullptr},
              {"disturbed", entry.disturbed},
              {"retaken", entry.retaken}};
  if (entry.speed_to_peer) {
    one["ratio_to_peer"] = entry.speed_to_peer->median;
    one["ratio_to_peer_low"] = entry.speed_to_peer->low;
    one["ratio_to_peer_high"] = entry.speed_to_peer->high;
  }
  return one;
}

}  // namespace

std::string bench_json(const bench_report& report) {
  json entries = json::array();
  for (const bench_entry& entry : report.entries) entries.push_back(entry_json(report, entry));
  return json{{"operation", "spmv"},
              {"matrix", report.matrix},
              {"rows", report.rows},
              {"cols", report.cols},
              {"nonzeros", report.nonzeros},
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
              {"remarks", report.remarks},
              {"entries", std::move(entries)}}
      .dump(2, ' ', false, json::error_handler_t::replace);
}

}  // namespace lacis::app

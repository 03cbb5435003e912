// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The model: latency and bandwidth (Hockney 1994) for the exchange, bytes over bandwidth for the rest.
#include "commands/cluster/scale_model.hpp"

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>

#include "console/json_text.hpp"

namespace lacis::app {
namespace {

using json = nlohmann::ordered_json;

constexpr double giga = 1e9;
constexpr double micro = 1e-6;

/// x += a p and r -= a q read two vectors and write one, so does p = r + b p; p . q reads two. r . r comes with r.
constexpr std::int64_t cg_vectors_moved = 11;

double message_seconds(const network& link, double messages, double bytes) {
  return messages * link.latency_us * micro + bytes / (link.gbs * giga);
}

json points_json(const std::vector<scale_point>& points) {
  json all = json::array();
  for (const scale_point& at : points)
    all.push_back({{"matrix", at.matrix},
                   {"ranks", at.ranks},
                   {"rows", at.rows},
                   {"ghosts", at.ghosts},
                   {"model_compute_s", at.compute_seconds},
                   {"model_exchange_s", at.exchange_seconds},
                   {"model_product_s", at.product_seconds},
                   {"model_overlapped_s", at.overlapped_seconds},
                   {"model_iteration_s", at.iteration_seconds},
                   {"model_efficiency", at.efficiency}});
  return all;
}

}  // namespace

std::int64_t product_bytes(const range_exchange& range, const rank_storage& storage) {
  constexpr std::int64_t column_bytes = 4;
  constexpr std::int64_t offset_bytes = 8;
  const std::int64_t entry_bytes = column_bytes + (storage.stores_values ? storage.value_bytes : 0);
  return range.entries * entry_bytes + range.rows * (offset_bytes + 2 * storage.value_bytes) +
         range.ghosts * storage.value_bytes;
}

scale_point modelled(const row_exchange& exchange, const rank_storage& storage, const modelled_cluster& cluster) {
  const auto reading = [&](std::int64_t bytes) { return static_cast<double>(bytes) / (cluster.read_gbs * giga); };
  scale_point at;
  at.ranks = static_cast<int>(exchange.ranges.size());
  at.ghosts = exchange.ghosts;
  double alone = 0;
  double vectors = 0;
  for (const range_exchange& range : exchange.ranges) {
    range_exchange without_ghosts = range;
    without_ghosts.ghosts = 0;
    alone += reading(product_bytes(without_ghosts, storage));
    at.rows += range.rows;
    const double compute = reading(product_bytes(range, storage));
    const double exchanged =
        message_seconds(cluster.link, static_cast<double>(std::max(range.messages_in, range.messages_out)),
                        static_cast<double>(std::max(range.ghosts, range.sent) * storage.value_bytes));
    at.compute_seconds = std::max(at.compute_seconds, compute);
    at.exchange_seconds = std::max(at.exchange_seconds, exchanged);
    at.product_seconds = std::max(at.product_seconds, compute + exchanged);
    at.overlapped_seconds = std::max({at.overlapped_seconds, compute, exchanged});
    vectors = std::max(vectors, reading(cg_vectors_moved * range.rows * storage.value_bytes));
  }
  // A sum over all ranks goes along a tree: as many messages as doublings, twice per iteration.
  const int doublings = std::bit_width(static_cast<unsigned>(at.ranks) - 1);
  const double sums = 2 * doublings * message_seconds(cluster.link, 1, static_cast<double>(storage.value_bytes));
  at.iteration_seconds = at.product_seconds + vectors + sums;
  at.efficiency = at.product_seconds > 0 ? alone / (at.ranks * at.product_seconds) : 1;
  return at;
}

std::string scale_json(const scale_findings& found) {
  const network& link = found.cluster.link;
  const json all = {
      {"matrix", found.matrix},
      {"rows", found.rows},
      {"entries", found.entries},
      {"value_type", found.value_type},
      {"cut", found.cut},
      {"network", {{"name", link.name}, {"latency_us", link.latency_us}, {"gbs", link.gbs}, {"source", link.source}}},
      {"read_gbs", found.cluster.read_gbs},
      {"rates", found.rates},
      {"strong", points_json(found.strong)},
      {"weak", points_json(found.weak)},
      {"weak_remark", found.weak_remark.empty() ? json(nullptr) : json(found.weak_remark)}};
  return json_text(all);
}

}  // namespace lacis::app

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What follows from an exchange, and its JSON.
#include "commands/cluster/partition_findings.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "console/json_text.hpp"

namespace lacis::app {
namespace {

using json = nlohmann::ordered_json;

template <class Number> std::int64_t most_of(const row_exchange& exchange, const Number& number) {
  std::int64_t most = 0;
  for (const range_exchange& range : exchange.ranges) most = std::max<std::int64_t>(most, number(range));
  return most;
}

json ranges_json(const partition_findings& found, const rank_findings& of) {
  json all = json::array();
  for (std::size_t r = 0; r < of.exchange.ranges.size(); ++r) {
    const range_exchange& range = of.exchange.ranges[r];
    all.push_back({{"first_row", of.begins[r]},
                   {"rows", range.rows},
                   {"entries", range.entries},
                   {"ghosts", range.ghosts},
                   {"sent", range.sent},
                   {"messages_in", range.messages_in},
                   {"messages_out", range.messages_out},
                   {"memory_bytes", memory_of(range, found.storage)}});
  }
  return all;
}

}  // namespace

double mean_messages(const row_exchange& exchange) {
  return static_cast<double>(exchange.transfers.nnz()) / static_cast<double>(exchange.ranges.size());
}

std::int64_t most_messages(const row_exchange& exchange) {
  return most_of(exchange, [](const range_exchange& r) { return std::max(r.messages_in, r.messages_out); });
}

std::int64_t partition_findings::exchanged_bytes(const rank_findings& of) const {
  return of.exchange.ghosts * storage.value_bytes;
}

std::int64_t partition_findings::busiest_bytes(const rank_findings& of) const {
  return most_of(of.exchange, [](const range_exchange& r) { return std::max(r.ghosts, r.sent); }) * storage.value_bytes;
}

std::int64_t partition_findings::most_memory(const rank_findings& of) const {
  return most_of(of.exchange, [&](const range_exchange& r) { return memory_of(r, storage); });
}

double partition_findings::mean_memory(const rank_findings& of) const {
  double sum = 0;
  for (const range_exchange& range : of.exchange.ranges) sum += static_cast<double>(memory_of(range, storage));
  return sum / static_cast<double>(of.exchange.ranges.size());
}

std::string partition_json(const partition_findings& found) {
  json cuts = json::array();
  for (const rank_findings& of : found.all)
    cuts.push_back({{"ranks", of.ranks},
                    {"ghosts", of.exchange.ghosts},
                    {"imbalance", of.imbalance},
                    {"exchanged_bytes", found.exchanged_bytes(of)},
                    {"busiest_bytes", found.busiest_bytes(of)},
                    {"messages_mean", mean_messages(of.exchange)},
                    {"messages_most", most_messages(of.exchange)},
                    {"memory_mean_bytes", found.mean_memory(of)},
                    {"memory_most_bytes", found.most_memory(of)},
                    {"ranges", ranges_json(found, of)}});
  const json all = {{"matrix", found.matrix},         {"rows", found.rows}, {"entries", found.entries},
                    {"value_type", found.value_type}, {"cut", found.cut},   {"cuts", std::move(cuts)}};
  return json_text(all);
}

}  // namespace lacis::app

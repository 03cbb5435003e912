// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis doctor --device --json: everything that was found, fit to be sent.
#include <algorithm>
#include <nlohmann/json.hpp>

#include <lacis/version.hpp>

#include "commands/machine/device_report.hpp"
#include "commands/machine/machine.hpp"
#include "commands/verify/kernel_json.hpp"
#include "console/json_text.hpp"

namespace lacis::app {
namespace {

using json = nlohmann::ordered_json;

json or_null(const std::string& text) { return text.empty() ? json(nullptr) : json(text); }

json estimate_json(const measure::estimate& one) {
  return {{"median", one.median}, {"low", one.low}, {"high", one.high}};
}

/// The median, its 95 % interval, and the extremes of all samples.
json seconds_json(const std::vector<double>& seconds) {
  json all = estimate_json(measure::median_estimate(seconds));
  all["min"] = *std::min_element(seconds.begin(), seconds.end());
  all["max"] = *std::max_element(seconds.begin(), seconds.end());
  all["samples"] = seconds;
  return all;
}

json time_json(const device_subject& subject, const device_time& time) {
  json one = {{"name", time.name},
              {"refused", or_null(time.refused)},
              {"bits", nullptr},
              {"fault", or_null(time.fault)},
              {"bytes", time.bytes},
              {"seconds", nullptr},
              {"gbs", nullptr},
              {"share_of_copy", nullptr},
              {"peer", subject.peers[static_cast<std::size_t>(time.peer)].name},
              {"ratio_to_peer", nullptr},
              {"ratio_to_one_thread", nullptr},
              {"conversion_seconds", nullptr}};
  if (!time.refused.empty()) return one;
  if (!time.conversion_seconds.empty()) one["conversion_seconds"] = seconds_json(time.conversion_seconds);
  const device_figures figures = figures_of(subject, time);
  one["bits"] = word_of(time.bits);
  one["seconds"] = seconds_json(time.seconds);
  one["gbs"] = figures.gbs;
  one["share_of_copy"] = estimate_json(figures.share_of_copy);
  if (figures.speed_to_peer) one["ratio_to_peer"] = estimate_json(*figures.speed_to_peer);
  if (figures.speed_to_thread) one["ratio_to_one_thread"] = estimate_json(*figures.speed_to_thread);
  return one;
}

json peer_json(const device_peer& peer) {
  return {{"name", peer.name},
          {"library", or_null(peer.library)},
          {"remark", or_null(peer.remark)},
          {"refused", or_null(peer.refused)},
          {"seconds", peer.refused.empty() ? seconds_json(peer.seconds) : json(nullptr)}};
}

json processor_json(const std::vector<processor_time>& rows) {
  json all = json::array();
  for (const processor_time& row : rows)
    all.push_back({{"name", row.name}, {"threads", row.threads}, {"seconds", seconds_json(row.seconds)}});
  return all;
}

json product_json(const device_sparse_product& product) {
  json phases = json::object();
  if (product.refused.empty())
    for (const auto& [name, seconds] : product.phases) phases[name] = seconds_json(seconds);
  return {{"name", product.name},
          {"rows", product.rows},
          {"entries", product.entries},
          {"products", product.products},
          {"result_entries", product.result_entries},
          {"refused", or_null(product.refused)},
          {"bits", word_of(product.bits)},
          {"seconds", product.refused.empty() ? seconds_json(product.seconds) : json(nullptr)},
          {"phases", std::move(phases)},
          {"processor", processor_json(product.processor)}};
}

json subject_json(const device_subject& subject) {
  json times = json::array();
  for (const device_time& time : subject.times) times.push_back(time_json(subject, time));
  json peers = json::array();
  for (const device_peer& peer : subject.peers) peers.push_back(peer_json(peer));
  return {{"name", subject.name},
          {"rows", subject.rows},
          {"entries", subject.entries},
          {"value_type", subject.value_type},
          {"copy", {{"bytes", subject.copied_bytes}, {"seconds", seconds_json(subject.copy_seconds)}}},
          {"operations", std::move(times)},
          {"peers", std::move(peers)},
          {"processor", processor_json(subject.processor)}};
}

json found_json(const device_measurements& measured) {
  const device_report& found = measured.found;
  return {{"device", name_of(measured.device)}, {"name", found.name},
          {"architecture", found.architecture}, {"multiprocessors", found.multiprocessors},
          {"memory_bytes", found.memory_bytes}, {"driver", found.driver_version},
          {"toolkit", found.toolkit_version},   {"plugin", or_null(found.plugin)}};
}

}  // namespace

std::string device_json(const device_diagnosis& all) {
  json subjects = json::array();
  for (const device_subject& subject : all.measured.subjects) subjects.push_back(subject_json(subject));
  json products = json::array();
  for (const device_sparse_product& product : all.measured.sparse_products) products.push_back(product_json(product));
  const json whole = {{"version", version()},
                      {"processor", processor_model()},
                      {"device", found_json(all.measured)},
                      {"kernels", kernel_json(all.kernels)},
                      {"times_count", all.measured.times_count()},
                      {"rounds", all.measured.rounds},
                      {"subjects", std::move(subjects)},
                      {"sparse_products", std::move(products)}};
  return json_text(whole);
}

}  // namespace lacis::app

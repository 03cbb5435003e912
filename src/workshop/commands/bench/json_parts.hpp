// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What the --json output of several benchmarks has in common.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "console/json_text.hpp"
#include "measure/statistics.hpp"

namespace lacis::app {

/// Who computed, in which version, and on how many threads.
template <class Entry> [[nodiscard]] nlohmann::ordered_json contestant_json(const Entry& entry) {
  using json = nlohmann::ordered_json;
  return {{"name", entry.name},
          {"version", entry.is_peer ? json(entry.version) : json(nullptr)},
          {"threads", entry.threads},
          {"is_peer", entry.is_peer}};
}

/// Adds the seconds of one unit with their interval.
inline void add_seconds(nlohmann::ordered_json& to, const measure::estimate& seconds) {
  to["median_s"] = seconds.median;
  to["low_s"] = seconds.low;
  to["high_s"] = seconds.high;
}

/// Adds name, name_low and name_high: an estimate and its interval, or three times null.
inline void add_estimate(nlohmann::ordered_json& to, const std::string& name,
                         const std::optional<measure::estimate>& value) {
  const auto number = [&](double measure::estimate::* part) {
    return value ? nlohmann::ordered_json((*value).*part) : nlohmann::ordered_json(nullptr);
  };
  to[name] = number(&measure::estimate::median);
  to[name + "_low"] = number(&measure::estimate::low);
  to[name + "_high"] = number(&measure::estimate::high);
}

/// How many samples other load disturbed.
template <class Entry> void add_disturbance(nlohmann::ordered_json& to, const Entry& entry) {
  to["disturbed"] = entry.disturbed;
  to["retaken"] = entry.retaken;
}

/// One report as an object, several as an array.
template <class Report>
[[nodiscard]] std::string reports_json(const std::vector<Report>& reports,
                                       nlohmann::ordered_json (*convert)(const std::type_identity_t<Report>&)) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const Report& report : reports) all.push_back(convert(report));
  return json_text(all.size() == 1 ? all[0] : all);
}

}  // namespace lacis::app

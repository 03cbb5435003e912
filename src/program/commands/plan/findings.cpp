// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What follows from the numbers of a plan, and their JSON.
#include "commands/plan/findings.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "console/json_text.hpp"

namespace lacis::app {
namespace {

using json = nlohmann::ordered_json;

const plan_candidate* csr_of(const plan_report& report) {
  const auto found = std::find_if(report.candidates.begin(), report.candidates.end(),
                                  [](const plan_candidate& candidate) { return candidate.layout == "csr"; });
  return found == report.candidates.end() ? nullptr : &*found;
}

json or_null(const std::optional<double>& number) { return number ? json(*number) : json(nullptr); }

json candidate_json(const plan_findings& found, const plan_candidate& candidate) {
  return {{"layout", candidate.layout},
          {"values", candidate.values},
          {"chosen", candidate.chosen},
          {"fits", candidate.fits},
          {"storage_bytes", candidate.storage_bytes},
          {"moved_bytes", candidate.moved_bytes},
          {"bytes_per_entry", or_null(found.per_entry(candidate.moved_bytes))},
          {"predicted_s", candidate.seconds},
          {"measured_s", or_null(candidate.measured_seconds)},
          {"conversion_s", candidate.conversion_seconds},
          {"break_even_products", or_null(found.break_even(candidate))},
          {"limit", candidate.limit}};
}

}  // namespace

std::optional<double> plan_findings::per_entry(double bytes) const {
  return entries == 0 ? std::nullopt : std::optional(bytes / static_cast<double>(entries));
}

std::optional<double> plan_findings::plain_seconds() const {
  if (report.plain_seconds > 0) return report.plain_seconds;
  const plan_candidate* csr = csr_of(report);
  return csr == nullptr ? std::nullopt : std::optional(csr->seconds);
}

std::optional<double> plan_findings::break_even(const plan_candidate& candidate) const {
  const plan_candidate* csr = csr_of(report);
  if (csr == &candidate) return std::nullopt;
  std::optional<double> plain = plain_seconds();
  double own = candidate.seconds;
  if (candidate.measured_seconds && csr != nullptr && csr->measured_seconds) {
    plain = csr->measured_seconds;
    own = *candidate.measured_seconds;
  }
  if (!plain || own >= *plain) return std::nullopt;
  double inspection = report.inspection_seconds;
  if (!candidate.chosen) {
    const auto chosen = std::find_if(report.candidates.begin(), report.candidates.end(),
                                     [](const plan_candidate& one) { return one.chosen; });
    const double made = chosen == report.candidates.end() ? 0 : chosen->conversion_seconds;
    inspection = std::max(0.0, inspection - made) + candidate.conversion_seconds;
  }
  return inspection / (*plain - own);
}

std::optional<double> plan_findings::inspection_products() const {
  const std::optional<double> plain = plain_seconds();
  return plain && *plain > 0 ? std::optional(report.inspection_seconds / *plain) : std::nullopt;
}

std::string plan_json(const plan_findings& found) {
  const plan_report& report = found.report;
  json candidates = json::array();
  for (const plan_candidate& candidate : report.candidates) candidates.push_back(candidate_json(found, candidate));
  const json all = {{"matrix", found.matrix},
                    {"rows", found.rows},
                    {"cols", found.cols},
                    {"entries", found.entries},
                    {"value_type", found.value_type},
                    {"threads", found.threads},
                    {"expected_uses", report.expected_uses},
                    {"columns", found.columns},
                    {"memory_limit", found.memory_limit == 0 ? json(nullptr) : json(found.memory_limit)},
                    {"reorder", name_of(found.reorder)},
                    {"layout", found.layout},
                    {"storage_bytes", found.storage_bytes},
                    {"moved_bytes", found.moved_bytes},
                    {"bytes_per_entry", or_null(found.per_entry(static_cast<double>(found.moved_bytes)))},
                    {"inspection_s", report.inspection_seconds},
                    {"plain_s", or_null(found.plain_seconds())},
                    {"inspection_products", or_null(found.inspection_products())},
                    {"read_gbs", report.read_gbs},
                    {"rates", report.rates},
                    {"tuned", report.tuned},
                    {"candidates", std::move(candidates)},
                    {"explanation", found.explanation},
                    {"powers", found.powers.empty() ? json(nullptr) : json(found.powers)}};
  return json_text(all);
}

}  // namespace lacis::app

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What follows from the trials of lacis bench plan, and their JSON.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "commands/bench/plan.hpp"
#include "console/json_text.hpp"

namespace lacis::app {
namespace {

using json = nlohmann::ordered_json;

struct named_number {
  double number;
  std::string name;
};

std::string label_of(const plan_trial& trial) {
  return trial.values.empty() ? trial.matrix : trial.matrix + ' ' + trial.values;
}

plan_spread spread_of(const std::vector<named_number>& all) {
  std::vector<double> numbers;
  for (const named_number& one : all) numbers.push_back(one.number);
  const auto worst = std::max_element(all.begin(), all.end(),
                                      [](const named_number& a, const named_number& b) { return a.number < b.number; });
  const auto within = [&](double most) {
    const auto count = std::count_if(numbers.begin(), numbers.end(), [&](double number) { return number <= most; });
    return static_cast<double>(count) / static_cast<double>(numbers.size());
  };
  return {measure::median(numbers), worst->number, worst->name, within(0.05), within(0.3)};
}

json or_null(const std::optional<double>& number) { return number ? json(*number) : json(nullptr); }

json try_json(const plan_try& one) {
  return {{"layout", one.layout},           {"values", one.values},
          {"chosen", one.chosen},           {"predicted_s", or_null(one.predicted)},
          {"median_s", one.seconds.median}, {"low_s", one.seconds.low},
          {"high_s", one.seconds.high},     {"disturbed", one.disturbed}};
}

json trial_json(const plan_trial& trial) {
  json candidates = json::array();
  for (const plan_try& one : trial.all) candidates.push_back(try_json(one));
  return {{"matrix", trial.matrix},
          {"values", trial.values.empty() ? json(nullptr) : json(trial.values)},
          {"rows", trial.rows},
          {"cols", trial.cols},
          {"entries", trial.entries},
          {"value_type", trial.value_type},
          {"csr_bytes", trial.csr_bytes},
          {"choice", trial.chosen().layout},
          {"best", trial.best().layout},
          {"regret", trial.regret()},
          {"prediction_error", or_null(trial.prediction_error())},
          {"gain", trial.gain.median},
          {"gain_low", trial.gain.low},
          {"gain_high", trial.gain.high},
          {"inspection_s", trial.inspection_seconds},
          {"plain_s", trial.plain_seconds},
          {"inspection_products", trial.inspection_products()},
          {"candidates", std::move(candidates)}};
}

json spread_json(const plan_spread& spread) {
  return {{"median", spread.median}, {"worst", spread.worst}, {"worst_matrix", spread.worst_matrix}};
}

json shares_json(const plan_spread& spread) {
  json all = spread_json(spread);
  all["within_5_percent"] = spread.within_5_percent;
  all["within_30_percent"] = spread.within_30_percent;
  return all;
}

}  // namespace

const plan_try& plan_trial::best() const {
  return *std::min_element(all.begin(), all.end(),
                           [](const plan_try& a, const plan_try& b) { return a.seconds.median < b.seconds.median; });
}

double plan_trial::regret() const { return chosen().seconds.median / best().seconds.median - 1; }

std::optional<double> plan_trial::prediction_error() const {
  if (!chosen().predicted) return std::nullopt;
  return std::abs(*chosen().predicted - chosen().seconds.median) / chosen().seconds.median;
}

plan_summary summary_of(std::span<const plan_trial> trials) {
  std::vector<named_number> regrets;
  std::vector<named_number> errors;
  std::vector<named_number> inspections;
  std::vector<double> gains;
  plan_gains gain;
  for (const plan_trial& trial : trials) {
    regrets.push_back({trial.regret(), label_of(trial)});
    if (const auto error = trial.prediction_error()) errors.push_back({*error, label_of(trial)});
    inspections.push_back({trial.inspection_products(), label_of(trial)});
    if (gains.empty() || trial.gain.median < gain.least) {
      gain.least = trial.gain.median;
      gain.least_matrix = label_of(trial);
    }
    gains.push_back(trial.gain.median);
    gain.losses += trial.gain.high < 1 ? 1 : 0;
  }
  gain.median = measure::median(gains);
  return {trials.size(), spread_of(regrets), errors.empty() ? std::nullopt : std::optional(spread_of(errors)),
          spread_of(inspections), gain};
}

std::string plan_trials_json(std::span<const plan_trial> trials, int threads, const std::string& rates) {
  const plan_summary all = summary_of(trials);
  json matrices = json::array();
  for (const plan_trial& trial : trials) matrices.push_back(trial_json(trial));
  return json_text({{"operation", "plan"},
                    {"threads", threads},
                    {"rates", rates},
                    {"summary",
                     {{"matrices", all.matrices},
                      {"regret", shares_json(all.regret)},
                      {"prediction_error", all.prediction ? shares_json(*all.prediction) : json(nullptr)},
                      {"gain",
                       {{"median", all.gain.median},
                        {"least", all.gain.least},
                        {"least_matrix", all.gain.least_matrix},
                        {"losses", all.gain.losses}}},
                      {"inspection_products", spread_json(all.inspection)}}},
                    {"matrices", std::move(matrices)}});
}

}  // namespace lacis::app

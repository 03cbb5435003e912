// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis bench plan: whether plans choose the fastest candidate, and how well they predict its time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lacis/plan.hpp>

#include "commands/bench/request.hpp"
#include "console/console.hpp"
#include "measure/statistics.hpp"

namespace lacis::app {

/// A matrix to plan for.
struct plan_case {
  std::string matrix;
  std::string values;        ///< of a generated one, or empty
  std::int64_t entries = 0;  ///< about; 0 when unknown
};
/// The built-in list: every family of generators, from matrices that stay in a core's cache to those that exceed most
/// last levels. The constants of the cost model were fitted on it.
[[nodiscard]] std::vector<plan_case> all_plan_cases();
/// Every file in the folder, by name; files whose name begins with a dot are left out. Throws error(bad_input) when it
/// cannot be read, error(invalid_argument) when it has no file.
[[nodiscard]] std::vector<plan_case> plan_cases_in(const std::string& folder);

/// What to ask of a plan for a candidate of that name: "sell-8" in one range of columns, "sell-8 in 4 ranges" in four.
/// No layout when the name is of none.
struct layout_request {
  std::optional<plan_layout> layout;
  int column_blocks = 0;
};
[[nodiscard]] layout_request layout_named(std::string_view name);

/// One candidate, forced and measured.
struct plan_try {
  std::string layout;
  std::string values;
  bool chosen = false;
  std::optional<double> predicted;  ///< seconds of a product
  measure::estimate seconds;        ///< measured
  int disturbed = 0;
};

/// One matrix.
struct plan_trial {
  std::string matrix;
  std::string values;  ///< of a generated one, or empty
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t entries = 0;
  std::string value_type;
  std::int64_t csr_bytes = 0;
  double inspection_seconds = 0;
  double plain_seconds = 0;   ///< of a product without a plan, measured in the same rounds
  measure::estimate gain;     ///< seconds of a plain loop over those of the chosen one: below 1 the plan loses
  std::vector<plan_try> all;  ///< the chosen one first

  [[nodiscard]] const plan_try& chosen() const { return all.front(); }
  [[nodiscard]] const plan_try& best() const;
  /// How much longer the chosen one takes than the best: 0 is perfect.
  [[nodiscard]] double regret() const;
  /// |predicted - measured| / measured of the chosen one.
  [[nodiscard]] std::optional<double> prediction_error() const;
  /// Inspection in products without a plan.
  [[nodiscard]] double inspection_products() const { return inspection_seconds / plain_seconds; }
};

/// How a number is spread over the matrices.
struct plan_spread {
  double median = 0;
  double worst = 0;
  std::string worst_matrix;
  double within_5_percent = 0;  ///< the share of matrices
  double within_30_percent = 0;
};
/// How plans compare with plain loops.
struct plan_gains {
  double median = 0;
  double least = 0;
  std::string least_matrix;
  std::size_t losses = 0;  ///< matrices with which the plan is slower: even the upper end of the interval is below 1
};
struct plan_summary {
  std::size_t matrices = 0;
  plan_spread regret;
  std::optional<plan_spread> prediction;  ///< nothing when no plan predicted
  plan_spread inspection;                 ///< in products without a plan
  plan_gains gain;
};
/// Of at least one trial.
[[nodiscard]] plan_summary summary_of(std::span<const plan_trial> trials);

/// Columns that suit the cases and the terminal; each trial is a line of its own as soon as it is there.
class plan_table {
 public:
  plan_table(std::span<const plan_case> cases, const terminal& where);
  [[nodiscard]] std::string head() const;
  [[nodiscard]] std::string line(const plan_trial& trial) const;
  [[nodiscard]] std::string summary(std::span<const plan_trial> trials) const;

 private:
  terminal where_;
  std::vector<std::size_t> widths_;
  std::vector<bool> shown_;
};

[[nodiscard]] std::string plan_trials_json(std::span<const plan_trial> trials, int threads, const std::string& rates);

/// Everything: loads, tries, prints.
void bench_plans(const bench_request& request, const std::vector<plan_case>& cases, const plan_options& options);

}  // namespace lacis::app

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What lacis plan found, and its two renderings.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <lacis/plan.hpp>

#include "console/console.hpp"

namespace lacis::app {

struct plan_findings {
  std::string matrix;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t entries = 0;
  std::string value_type;
  int threads = 1;
  reordering reorder = reordering::none;
  std::int64_t columns = 1;       ///< dense ones that a product may have
  std::int64_t memory_limit = 0;  ///< 0: none
  std::string layout;
  std::int64_t storage_bytes = 0;
  std::int64_t moved_bytes = 0;
  std::string explanation;
  std::string powers;  ///< whether four products in a row share a reading of the matrix, and why; empty: there are none
  plan_report report;

  /// Nothing for a matrix without entries.
  [[nodiscard]] std::optional<double> per_entry(double bytes) const;
  /// Seconds of a product without a plan: as predicted, or those of the candidate csr; nothing when neither is known.
  [[nodiscard]] std::optional<double> plain_seconds() const;
  /// After how many products a candidate has regained all of inspection against plain csr; nothing when it never does.
  /// Inspection with another candidate takes as much longer as its conversion does. Measured times count where both
  /// have one.
  [[nodiscard]] std::optional<double> break_even(const plan_candidate& candidate) const;
  /// How many products without a plan take as long as inspection did.
  [[nodiscard]] std::optional<double> inspection_products() const;
};

[[nodiscard]] std::string plan_screen(const plan_findings& found, const terminal& where);
[[nodiscard]] std::string plan_json(const plan_findings& found);

}  // namespace lacis::app

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// One matrix through lacis bench spmv.
#pragma once

#include <string>
#include <vector>

#include <lacis/any_csr.hpp>
#include <lacis/plan.hpp>

#include "commands/bench/report.hpp"

namespace lacis::app {

struct bench_settings {
  std::vector<std::string> formats;  ///< those of product_names() to take; empty: all
  std::vector<std::string> peers;
  std::vector<reordering> reorder;
  plan_options plan;  ///< what every plan is for
  double seconds = 10;
  bool quiet = false;
};

/// Multiplies in every way, compares the results, then measures interleaved. Throws not_verified when bits differ.
[[nodiscard]] bench_report bench_spmv(const bench_settings& settings, const std::string& name, any_csr matrix);

/// After how many products `seconds` are regained by one that takes `faster` instead of `slower`; nothing: never.
[[nodiscard]] std::optional<double> products_to_regain(double seconds, double slower, double faster);

}  // namespace lacis::app

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis bench powers: several products in a row with one plan.
#pragma once

#include <string>

#include <lacis/any_csr.hpp>
#include <lacis/plan.hpp>

#include "commands/bench/solve.hpp"

namespace lacis::app {

struct powers_bench_settings {
  int power = 4;
  plan_options plan;
  double seconds = 10;
  bool quiet = false;
};

/// multiply_powers against one product after the other, with the same plan. Throws where bits differ.
[[nodiscard]] solve_bench_report bench_powers(const powers_bench_settings& settings, const std::string& name,
                                              const any_csr& matrix);

}  // namespace lacis::app

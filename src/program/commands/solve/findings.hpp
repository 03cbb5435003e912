// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What `lacis solve` found, and how it is told.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <lacis/solve_auto.hpp>

#include "console/console.hpp"
#include "ranks/cluster.hpp"

namespace lacis::app {

struct solve_findings {
  std::string matrix;
  std::string right_side;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t entries = 0;
  std::string value_type;
  std::string device;
  int threads = 1;
  double tolerance = 0;
  auto_report report;
  std::uint64_t hash = 0;
  std::optional<spread_facts> cluster;  ///< with --mpi
  double read_seconds = 0;
  std::int64_t cache_bytes = 0;  ///< of the processor's last level; 0 when unknown, or on a device
};

/// Whether x is an answer of least squares and not of the system.
[[nodiscard]] inline bool is_least_squares(const solve_findings& found) {
  const solve_report& result = found.report.result();
  return result.converged() && result.true_residual > found.tolerance;
}

/// Tables that are printed on request.
struct solve_tables {
  bool hierarchy = false;
  bool profile = false;
};

[[nodiscard]] std::string solve_screen(const solve_findings& found, const solve_tables& tables, const terminal& where);
/// The levels of multigrid and the phases of their set-up.
[[nodiscard]] std::string hierarchy_table(const multigrid_report& report, const terminal& where);
[[nodiscard]] std::string solve_json(const solve_findings& found);
[[nodiscard]] std::string solve_svg(const solve_findings& found);

}  // namespace lacis::app

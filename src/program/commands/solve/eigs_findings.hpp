// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What `lacis eigs` found, and how it is told.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <lacis/eigs.hpp>

#include "console/console.hpp"
#include "ranks/cluster.hpp"

namespace lacis::app {

/// The result without its vectors, of any type of values.
struct eigs_findings {
  std::string matrix;
  std::int64_t rows = 0;
  std::int64_t entries = 0;
  std::string value_type;
  std::string device;
  int threads = 1;
  std::string layout;
  std::string which;                    ///< part of the spectrum
  std::string kind;                     ///< of the preconditioner, or none
  std::string preconditioner;           ///< in words; empty: none
  double prepare_seconds = 0;           ///< of plan and preconditioner
  double tolerance = 0;                 ///< as requested
  std::optional<spread_facts> cluster;  ///< with --mpi
  eigen_result<double> result;
};

/// `profile`: with the time per operation.
[[nodiscard]] std::string eigs_screen(const eigs_findings& found, bool profile, const terminal& where);
[[nodiscard]] std::string eigs_json(const eigs_findings& found);
[[nodiscard]] std::string eigs_svg(const eigs_findings& found);

}  // namespace lacis::app

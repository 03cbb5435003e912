// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What solvers are made of through lacis bench: conjugate gradients, PageRank, triangular systems, incomplete factors.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lacis/any_csr.hpp>

#include "console/console.hpp"
#include "measure/statistics.hpp"

namespace lacis::app {

/// Someone who does the work, and how long it took.
struct solve_bench_entry {
  std::string name;
  std::string version;  ///< of another library
  int threads = 1;
  bool is_peer = false;
  measure::estimate seconds;  ///< of one unit
  int disturbed = 0;          ///< samples that stayed disturbed by other load
  int retaken = 0;
  measure::estimate gain;  ///< how many times faster lacis is, paired by round
};

struct solve_bench_report {
  std::string operation;  ///< "cg", "pagerank", "trsv", "ilu0", "ic0"
  std::string matrix;
  std::int64_t rows = 0;
  std::int64_t entries = 0;
  std::string value_type;
  std::string unit;  ///< what one of is timed: "iteration", "solution", "factorisation"
  int steps = 1;     ///< units of one sample
  int threads = 1;
  int rounds = 0;
  std::vector<std::string> notes;          ///< how lacis does it, how it was measured
  std::vector<solve_bench_entry> results;  ///< fastest first
  std::vector<std::string> remarks;        ///< who is missing, and why
};

struct solve_bench_settings {
  std::string operation;
  std::vector<std::string> peers;
  double seconds = 10;
  bool quiet = false;
};

/// The operations that bench_solve knows.
[[nodiscard]] const std::vector<std::string>& solve_bench_operations();

/// Does the work, compares with the peers, then measures everyone interleaved.
[[nodiscard]] solve_bench_report bench_solve(const solve_bench_settings& settings, const std::string& name,
                                             const any_csr& matrix);

[[nodiscard]] std::string solve_bench_screen(const solve_bench_report& report, const terminal& where);
/// One report as an object, several as an array.
[[nodiscard]] std::string solve_bench_json(const std::vector<solve_bench_report>& reports);

}  // namespace lacis::app

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// lacis bench batch and lacis bench small: many small systems, and what a call costs where there is little to compute.
#pragma once

#include <cstdint>
#include <string>

#include <lacis/any_csr.hpp>
#include <lacis/batch.hpp>

#include "commands/bench/solve.hpp"

namespace lacis::app {

struct batch_bench_settings {
  std::int64_t systems = 10000;
  std::int64_t rows = 200;
  std::int64_t entries = 7;  ///< of a row
  double seconds = 10;
  bool quiet = false;
};

/// Generated systems, solved by conjugate gradients to 1e-8: as a batch, one by one, by a plain loop, and by band
/// factors. Throws where a batch does not have the bits of single solutions.
[[nodiscard]] solve_bench_report bench_batch(const batch_bench_settings& settings);

/// Calls on one matrix, timed: products and operations on vectors.
[[nodiscard]] solve_bench_report bench_small(const std::string& name, const any_csr& matrix, double seconds,
                                             bool quiet);

}  // namespace lacis::app

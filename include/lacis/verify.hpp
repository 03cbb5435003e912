// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Does this build, on this machine, give the bits that the order of summation asks for?
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lacis/export.hpp>
#include <lacis/isa.hpp>
#include <lacis/progress.hpp>

namespace lacis {

/// What verify() goes through.
struct verify_options {
  bool all = false;          ///< every matrix with every pair of types: minutes instead of seconds
  std::vector<isa> isas;     ///< empty: supported_isas()
  std::vector<int> threads;  ///< empty: 1, 2, 3, 4, 7
  lacis::progress progress;
};

/// How often one operation was compared with one instruction set.
struct verify_count {
  std::string what;  ///< "csr", "sell", ..., "plan"
  lacis::isa isa = isa::scalar;
  std::int64_t compared = 0;
  std::int64_t differing = 0;
};

struct verify_report {
  std::int64_t products = 0;   ///< compared bit for bit, every NaN alike
  std::int64_t differing = 0;  ///< of the products, and of the refusals that did not come
  std::int64_t refusals = 0;   ///< products that had to throw, and were watched for it
  /// Of the results y = A x: the same for every build, machine, instruction set and number of threads where all is
  /// well.
  std::uint64_t digest = 0;
  std::vector<verify_count> table;
  std::vector<std::string> faults;  ///< the first few, in words
  std::string swept;                ///< what was gone through, in words
  std::string compiler;             ///< that the library was compiled with

  [[nodiscard]] bool good() const { return differing == 0; }
};

/// Multiplies a battery of matrices in every format and through plans, with every pair of types, and compares each
/// result with the reference, which is written as the order is defined. Throws error(unsupported) for an instruction
/// set that does not run here and error(invalid_argument) for a number of threads below 1; a product that is wrong or
/// throws is told in the report.
[[nodiscard]] LACIS_API verify_report verify(const verify_options& options = {});

}  // namespace lacis

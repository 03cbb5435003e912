// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What lacis spgemm finds out, and how it is shown.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <lacis/spgemm.hpp>

#include "console/console.hpp"

namespace lacis::app {

/// solution_hash of each array of a matrix, its integers taken as doubles.
struct matrix_hashes {
  std::uint64_t values = 0;
  std::uint64_t columns = 0;
  std::uint64_t row_offsets = 0;
};

struct spgemm_findings {
  std::string a;
  std::string b;
  std::int64_t rows = 0;   ///< of A and C
  std::int64_t inner = 0;  ///< columns of A, rows of B
  std::int64_t cols = 0;   ///< of B and C
  std::int64_t a_entries = 0;
  std::int64_t b_entries = 0;
  std::string value_type;
  spgemm_report report;
  double read_seconds = 0;  ///< or to generate
  double write_seconds = 0;
  double hash_seconds = 0;
  std::int64_t input_bytes = 0;
  std::int64_t peak_bytes = 0;    ///< the most memory that the process had
  std::int64_t memory_limit = 0;  ///< of the process; 0: none
  std::string output;             ///< empty: C was not kept
  matrix_hashes hashes;

  /// Products an entry of C.
  [[nodiscard]] double compression() const {
    return report.entries > 0 ? static_cast<double>(report.products) / static_cast<double>(report.entries) : 0;
  }
  [[nodiscard]] double method_seconds() const {
    double sum = 0;
    for (const spgemm_share& share : report.methods) sum += share.seconds;
    return sum;
  }
};

[[nodiscard]] std::string spgemm_screen(const spgemm_findings& found, const terminal& where);
/// Which rows went to which method, and why, one line each.
[[nodiscard]] std::vector<std::string> spgemm_explanation(const spgemm_findings& found);
[[nodiscard]] std::string spgemm_json(const spgemm_findings& found);

}  // namespace lacis::app

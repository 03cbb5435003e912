// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What can be counted about a matrix.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include <lacis/any_csr.hpp>
#include <lacis/structure.hpp>

namespace lacis::app {

/// "double", "complex float", ...
template <value Value> [[nodiscard]] std::string type_name() {
  const std::string real = std::is_same_v<real_of<Value>, float> ? "float" : "double";
  return is_complex<Value> ? "complex " + real : real;
}

/// The rows whose length lies between first and last.
struct length_bin {
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::int64_t rows = 0;
};

struct matrix_facts {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t entries = 0;
  std::string value_type;  ///< "double", "complex double", ...
  int value_bytes = 0;
  int index_bytes = 0;
  bool iso = false;
  std::int64_t empty_rows = 0;
  std::int64_t empty_cols = 0;
  std::int64_t shortest_row = 0;
  std::int64_t longest_row = 0;
  double median_row = 0;
  std::vector<length_bin> bins;      ///< 0, 1, 2-3, 4-7, ... up to the longest row
  std::int64_t lower_bandwidth = 0;  ///< the largest row - column of an entry, 0 when none is below the diagonal
  std::int64_t upper_bandwidth = 0;  ///< the largest column - row of an entry
  std::int64_t diagonal_entries = 0;
  symmetry_report symmetry;

  [[nodiscard]] double density() const;
  [[nodiscard]] double mean_row() const;
};

/// Every fact about a canonical matrix. Parallel, a few passes over it; the symmetry takes a transpose.
[[nodiscard]] matrix_facts facts_of(const any_csr& matrix);

}  // namespace lacis::app

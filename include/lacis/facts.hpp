// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Facts of a matrix: sizes, lengths of rows, bandwidth, diagonal, symmetry.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include <lacis/any_csr.hpp>
#include <lacis/csr.hpp>
#include <lacis/export.hpp>
#include <lacis/structure.hpp>
#include <lacis/wide_offsets.hpp>

namespace lacis {

/// "float", "double", "complex float", "complex double".
template <value Value> [[nodiscard]] std::string type_name() {
  const std::string real = std::is_same_v<real_of<Value>, float> ? "float" : "double";
  return is_complex<Value> ? "complex " + real : real;
}

/// The number of rows whose length lies between first and last.
struct length_bin {
  std::int64_t first = 0;  ///< shortest length of the bin
  std::int64_t last = 0;   ///< longest length of the bin
  std::int64_t rows = 0;   ///< rows with such a length
};

/// What find_facts() finds in a matrix.
struct matrix_facts {
  std::int64_t rows = 0;              ///< number of rows
  std::int64_t cols = 0;              ///< number of columns
  std::int64_t entries = 0;           ///< that are stored, zeros among them
  std::string value_type;             ///< as type_name() spells it
  int value_bytes = 0;                ///< of one value
  int index_bytes = 0;                ///< of one column index
  bool iso = false;                   ///< one value is stored for all entries
  std::int64_t empty_rows = 0;        ///< without entries
  std::int64_t empty_cols = 0;        ///< without entries
  std::int64_t shortest_row = 0;      ///< entries of the shortest row; 0 without rows
  std::int64_t longest_row = 0;       ///< entries of the longest row; 0 without rows
  double median_row = 0;              ///< median of the entries per row; 0 without rows
  std::vector<length_bin> bins;       ///< 0, 1, 2-3, 4-7, ... up to the longest row; empty without rows
  std::int64_t lower_bandwidth = 0;   ///< the largest row - column of an entry; 0 when none is below the diagonal
  std::int64_t upper_bandwidth = 0;   ///< the largest column - row of an entry; 0 when none is above the diagonal
  std::int64_t diagonal_entries = 0;  ///< entries on the main diagonal
  symmetry_report symmetry;           ///< of pattern and values

  /// entries / (rows * cols); 0 without rows or columns.
  [[nodiscard]] LACIS_API double density() const;
  /// Mean of the entries per row; 0 without rows.
  [[nodiscard]] LACIS_API double mean_row() const;
};

namespace detail {
template <class Value, class Index> LACIS_API matrix_facts find_facts(const csr_view<Value, Index>& a);
}

/// All facts of a canonical matrix; others are error(invalid_matrix). Parallel, a few passes over the entries; the
/// symmetry of a square matrix takes its transpose.
template <class Matrix> [[nodiscard]] matrix_facts find_facts(const Matrix& a) {
  return detail::find_facts(detail::wide(a).view());
}
/// The same for a matrix whose types are known at run time.
[[nodiscard]] LACIS_API matrix_facts find_facts(const any_csr& matrix);

}  // namespace lacis

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The rows of a matrix that are run, when running all of them would take too long.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <lacis/csr.hpp>

namespace lacis::lab {

struct row_window {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

/// All rows, when they have at most `most_entries` or that is 0. Otherwise up to four windows that share these entries,
/// in the middles of as many equal parts of the matrix. A window is to have several times as many rows as run at once,
/// `rows_at_once`, or all that it shows is how a product begins; so there are fewer when they would be smaller.
[[nodiscard]] std::vector<row_window> choose_rows(std::span<const std::int64_t> row_offsets, std::int64_t most_entries,
                                                  std::int64_t rows_at_once);

/// The rows of a window as a matrix with all columns.
template <class Value> struct window_matrix {
  std::vector<std::int64_t> row_offsets;
  std::vector<std::int32_t> moved_columns;
  csr_view<Value, std::int32_t> view;
};
/// When `diagonal_stays`, columns are moved round as far as rows were, so that an entry of row i and column i keeps
/// equal numbers; its rows are then not sorted.
template <class Value>
[[nodiscard]] window_matrix<Value> cut_rows(const csr_view<Value, std::int32_t>& a, row_window rows,
                                            bool diagonal_stays);

/// Sectors of x that the matrix needs.
[[nodiscard]] std::int64_t needed_sectors(std::span<const std::int32_t> columns, std::int64_t cols, int value_bytes);

}  // namespace lacis::lab

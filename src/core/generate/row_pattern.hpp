// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The places of a generated matrix, and how they are made from rows that can be computed one by one.
#pragma once

#include <concepts>
#include <cstdint>

#include <lacis/buffer.hpp>
#include <lacis/generate.hpp>
#include <lacis/progress.hpp>
#include <lacis/types.hpp>

#include "base/parallel.hpp"
#include "generate/progress_meter.hpp"

namespace lacis::detail {

/// Rows of a canonical CSR matrix without its values.
template <index Index> struct row_pattern {
  std::int64_t first_row = 0;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  buffer<std::int64_t> row_offsets;
  buffer<Index> columns;
};

/// Rows that do not depend on each other: length(i) entries, whose columns write(i, out) stores in ascending order.
template <class Rows, class Index>
concept independent_rows = requires(const Rows& source, std::int64_t i, Index* out) {
  { source.length(i) } -> std::same_as<std::int64_t>;
  source.write(i, out);
};

/// Counts, then fills: each row is computed twice and nothing is stored besides the result.
template <index Index, independent_rows<Index> Rows>
row_pattern<Index> build_rows(row_range range, std::int64_t cols, const Rows& source, const progress& report) {
  const std::int64_t rows = range.last - range.first;
  row_pattern<Index> made{range.first, rows, cols, buffer<std::int64_t>(rows + 1), {}};
  {
    progress_meter meter(report, "counting entries", rows);
    parallel_ranges(rows, [&](std::int64_t begin, std::int64_t end) {
      meter.count(begin, end, [&](std::int64_t i) { made.row_offsets[i] = source.length(range.first + i); });
    });
  }
  made.columns = buffer<Index>(counts_to_offsets(made.row_offsets));
  progress_meter meter(report, "placing entries", rows);
  parallel_rows(made.row_offsets, [&](std::int64_t begin, std::int64_t end) {
    meter.count(begin, end,
                [&](std::int64_t i) { source.write(range.first + i, made.columns.data() + made.row_offsets[i]); });
  });
  return made;
}

}  // namespace lacis::detail

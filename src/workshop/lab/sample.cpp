// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Windows of rows.
#include "lab/sample.hpp"

#include <algorithm>

#include "lab/requests.hpp"

namespace lacis::lab {

std::vector<row_window> choose_rows(std::span<const std::int64_t> row_offsets, std::int64_t most_entries,
                                    std::int64_t rows_at_once) {
  const auto rows = static_cast<std::int64_t>(row_offsets.size()) - 1;
  const std::int64_t nnz = row_offsets.back();
  if (most_entries == 0 || nnz <= most_entries) return {{0, rows}};
  constexpr std::int64_t most_windows = 4;
  constexpr std::int64_t waves = 4;
  const auto rows_of_sample = static_cast<std::int64_t>(static_cast<double>(rows) * static_cast<double>(most_entries) /
                                                        static_cast<double>(nnz));
  const std::int64_t count =
      std::clamp<std::int64_t>(rows_of_sample / std::max<std::int64_t>(1, waves * rows_at_once), 1, most_windows);
  const std::int64_t quota = most_entries / count;
  const auto row_at = [&](std::int64_t entry) {
    return std::lower_bound(row_offsets.begin(), row_offsets.end(), entry) - row_offsets.begin();
  };
  std::vector<row_window> windows;
  for (std::int64_t w = 0; w < count; ++w) {
    const std::int64_t first = nnz / (2 * count) * (2 * w + 1) - quota / 2;
    row_window window{row_at(first), std::min<std::int64_t>(rows, row_at(first + quota))};
    if (!windows.empty()) window.begin = std::max(window.begin, windows.back().end);
    window.end = std::min(rows, std::max(window.end, window.begin + 1));
    if (window.begin < window.end) windows.push_back(window);
  }
  return windows;
}

template <class Value>
window_matrix<Value> cut_rows(const csr_view<Value, std::int32_t>& a, row_window rows, bool diagonal_stays) {
  const auto begin = static_cast<std::size_t>(rows.begin);
  const auto end = static_cast<std::size_t>(rows.end);
  const std::int64_t first = a.row_offsets[begin];
  const auto count = static_cast<std::size_t>(a.row_offsets[end] - first);
  window_matrix<Value> window;
  window.row_offsets.reserve(end - begin + 1);
  for (std::size_t i = begin; i <= end; ++i) window.row_offsets.push_back(a.row_offsets[i] - first);
  std::span<const std::int32_t> columns = a.columns.subspan(static_cast<std::size_t>(first), count);
  if (diagonal_stays && rows.begin > 0 && rows.begin < a.cols) {
    const auto shift = static_cast<std::int32_t>(rows.begin);
    for (const std::int32_t column : columns)
      window.moved_columns.push_back(column >= shift ? column - shift
                                                     : static_cast<std::int32_t>(column + (a.cols - rows.begin)));
    columns = window.moved_columns;
  }
  values_view<Value> values = a.values;
  if (!values.iso) values.data = values.data.subspan(static_cast<std::size_t>(first), count);
  window.view = {rows.end - rows.begin, a.cols, window.row_offsets, columns, values};
  return window;
}

std::int64_t needed_sectors(std::span<const std::int32_t> columns, std::int64_t cols, int value_bytes) {
  const int in_sector = sector_bytes / value_bytes;
  std::vector<bool> needed(static_cast<std::size_t>((cols + in_sector - 1) / in_sector));
  for (const std::int32_t column : columns) needed[static_cast<std::size_t>(column / in_sector)] = true;
  return std::count(needed.begin(), needed.end(), true);
}

template window_matrix<float> cut_rows(const csr_view<float, std::int32_t>&, row_window, bool);
template window_matrix<double> cut_rows(const csr_view<double, std::int32_t>&, row_window, bool);

}  // namespace lacis::lab

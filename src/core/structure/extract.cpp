// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Parts of a matrix: blocks, listed rows and columns, triangles, diagonals.
#include <algorithm>

#include <lacis/structure.hpp>

#include "base/instantiate.hpp"
#include "formats/order_rows.hpp"
#include "structure/select.hpp"

namespace lacis::detail {
namespace {

void require_range(std::int64_t first, std::int64_t last, std::int64_t size, std::string_view what) {
  if (first < 0 || first > last || last > size)
    throw error(errc::invalid_argument, text("there are no ", what, ' ', first, " to ", last,
                                             " (excluded) in a matrix ", "with ", size, ' ', what));
}

/// Rows first_row .. last_row of A without the entries for which keep(row, column) is false; column j becomes
/// j - first_col.
template <value Value, index Index, class Keep>
csr_matrix<Value, Index> filter(const csr_view<Value, Index>& a, std::int64_t first_row, std::int64_t last_row,
                                std::int64_t first_col, std::int64_t last_col, Keep&& keep) {
  const std::int64_t* offsets = a.row_offsets.data() + first_row;
  const Index* columns = a.columns.data();
  const std::int64_t rows = last_row - first_row;
  buffer<std::int64_t> source_offsets(rows + 1);
  parallel_for(rows + 1, [&](std::int64_t i) { source_offsets[i] = offsets[i] - offsets[0]; });

  auto result =
      with_row_lengths<Value, Index>(rows, last_col - first_col, a.values, source_offsets, [&](std::int64_t i) {
        return std::count_if(columns + offsets[i], columns + offsets[i + 1],
                             [&](std::int64_t j) { return keep(first_row + i, j); });
      });
  parallel_each_row(source_offsets, [&](std::int64_t i) {
    row_writer<Value, Index> out(result, i);
    for (std::int64_t k = offsets[i]; k < offsets[i + 1]; ++k)
      if (keep(first_row + i, columns[k])) out.put(static_cast<Index>(columns[k] - first_col), a.values[k]);
  });
  return result;
}

}  // namespace

template <class Value, class Index>
csr_matrix<Value, Index> extract(const csr_view<Value, Index>& a, std::int64_t first_row, std::int64_t last_row,
                                 std::int64_t first_col, std::int64_t last_col) {
  require_range(first_row, last_row, a.rows, "rows");
  require_range(first_col, last_col, a.cols, "columns");
  return filter(a, first_row, last_row, first_col, last_col,
                [=](std::int64_t, std::int64_t j) { return j >= first_col && j < last_col; });
}

template <class Value, class Index>
csr_matrix<Value, Index> extract(const csr_view<Value, Index>& a, std::span<const std::int64_t> rows,
                                 std::span<const std::int64_t> cols) {
  require_within(rows, a.rows, "rows");
  const buffer<Index> position = positions_in<Index>(cols, a.cols, "columns");
  const column_choice<Index> choice{.cols = static_cast<std::int64_t>(cols.size()),
                                    .position = position,
                                    .ascending = std::is_sorted(cols.begin(), cols.end())};
  return select(a, static_cast<std::int64_t>(rows.size()), [&](std::int64_t i) { return rows.data()[i]; }, choice);
}

template <class Value, class Index>
csr_matrix<Value, Index> triangle(const csr_view<Value, Index>& a, std::int64_t diagonal, bool lower) {
  // Indices are not negative, so their difference fits 64 bits whatever the diagonal asked for.
  if (lower) return filter(a, 0, a.rows, 0, a.cols, [=](std::int64_t i, std::int64_t j) { return j - i <= diagonal; });
  return filter(a, 0, a.rows, 0, a.cols, [=](std::int64_t i, std::int64_t j) { return j - i >= diagonal; });
}

template <class Value, class Index> buffer<Value> diagonal(const csr_view<Value, Index>& a, std::int64_t offset) {
  require_canonical(a, "diagonal");
  const std::int64_t first_row = offset < 0 ? std::min(-(offset + 1), a.rows - 1) + 1 : 0;
  const std::int64_t first_col = offset > 0 ? std::min(offset, a.cols) : 0;
  buffer<Value> result(std::min(a.rows - first_row, a.cols - first_col));
  parallel_for(result.size(), [&](std::int64_t d) {
    const Index* begin = a.columns.data() + a.row_offsets.data()[first_row + d];
    const Index* end = a.columns.data() + a.row_offsets.data()[first_row + d + 1];
    const Index* place = std::lower_bound(begin, end, static_cast<Index>(first_col + d));
    result[d] = place != end && *place == first_col + d ? a.values[place - a.columns.data()] : Value{};
  });
  return result;
}

#define LACIS_EXTRACT(Value, Index)                                                                                 \
  template LACIS_API csr_matrix<Value, Index> extract(const csr_view<Value, Index>&, std::int64_t, std::int64_t,    \
                                                      std::int64_t, std::int64_t);                                  \
  template LACIS_API csr_matrix<Value, Index> extract(const csr_view<Value, Index>&, std::span<const std::int64_t>, \
                                                      std::span<const std::int64_t>);                               \
  template LACIS_API csr_matrix<Value, Index> triangle(const csr_view<Value, Index>&, std::int64_t, bool);          \
  template LACIS_API buffer<Value> diagonal(const csr_view<Value, Index>&, std::int64_t);
LACIS_FOR_EACH_TYPE(LACIS_EXTRACT)

}  // namespace lacis::detail

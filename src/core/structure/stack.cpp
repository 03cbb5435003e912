// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Matrices side by side, or one below the other.
#include <algorithm>
#include <cstring>
#include <vector>

#include <lacis/structure.hpp>

#include "base/checked.hpp"
#include "base/instantiate.hpp"
#include "formats/rows.hpp"

namespace lacis::detail {
namespace {

/// The one value that all entries have, when the parts that have entries (or, without any, all parts) are iso with the
/// same bits; otherwise not iso.
template <value Value, index Index> values_view<Value> shared_value(std::span<const csr_view<Value, Index>> parts) {
  const bool any_entries = std::any_of(parts.begin(), parts.end(), [](const auto& part) { return part.nnz() > 0; });
  const Value* shared = nullptr;
  for (const auto& part : parts) {
    if (any_entries && part.nnz() == 0) continue;
    if (!part.values.iso) return {};
    const Value* value = part.values.data.data();
    if (shared != nullptr && std::memcmp(shared, value, sizeof(Value)) != 0) return {};
    shared = value;
  }
  return {std::span<const Value>(shared, 1), true};
}

template <value Value, index Index>
csr_matrix<Value, Index> stack_side_by_side(std::span<const csr_view<Value, Index>> parts) {
  const std::int64_t rows = parts[0].rows;
  std::vector<std::int64_t> first_col;
  std::int64_t cols = 0;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (parts[p].rows != rows)
      throw error(errc::invalid_argument, text("hstack: part ", p, " has ", parts[p].rows, " rows, part 0 has ", rows));
    first_col.push_back(cols);
    cols = checked_add(cols, parts[p].cols, "the columns of hstack");
  }
  require_index<Index>(cols, "columns");

  buffer<std::int64_t> row_offsets(rows + 1);
  parallel_for(rows + 1, [&](std::int64_t i) {
    row_offsets[i] = 0;
    for (const auto& part : parts) row_offsets[i] += part.row_offsets.data()[i];
  });
  const std::int64_t entries = row_offsets[rows];
  csr_matrix<Value, Index> result{.rows = rows,
                                  .cols = cols,
                                  .row_offsets = std::move(row_offsets),
                                  .columns = buffer<Index>(entries),
                                  .values = values_array<Value>::like(shared_value(parts), entries)};
  parallel_each_row(result.row_offsets, [&](std::int64_t i) {
    row_writer<Value, Index> out(result, i);
    for (std::size_t p = 0; p < parts.size(); ++p)
      for (std::int64_t k = parts[p].row_offsets.data()[i]; k < parts[p].row_offsets.data()[i + 1]; ++k)
        out.put(static_cast<Index>(parts[p].columns.data()[k] + first_col[p]), parts[p].values[k]);
  });
  return result;
}

template <value Value, index Index>
csr_matrix<Value, Index> stack_below(std::span<const csr_view<Value, Index>> parts) {
  std::int64_t rows = 0;
  std::int64_t entries = 0;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (parts[p].cols != parts[0].cols)
      throw error(errc::invalid_argument,
                  text("vstack: part ", p, " has ", parts[p].cols, " columns, part 0 has ", parts[0].cols));
    rows = checked_add(rows, parts[p].rows, "the rows of vstack");
    entries = checked_add(entries, parts[p].nnz(), "the entries of vstack");
  }
  csr_matrix<Value, Index> result{.rows = rows,
                                  .cols = parts[0].cols,
                                  .row_offsets = buffer<std::int64_t>(rows + 1),
                                  .columns = buffer<Index>(entries),
                                  .values = values_array<Value>::like(shared_value(parts), entries)};
  std::int64_t row = 0;
  std::int64_t slot = 0;
  for (const auto& part : parts) {
    parallel_for(part.rows, [&](std::int64_t i) { result.row_offsets[row + i] = slot + part.row_offsets.data()[i]; });
    parallel_copy(part.columns, result.columns.data() + slot);
    if (!result.values.iso)
      parallel_for(part.nnz(), [&](std::int64_t k) { result.values.data[slot + k] = part.values[k]; });
    row += part.rows;
    slot += part.nnz();
  }
  result.row_offsets[rows] = entries;
  return result;
}

}  // namespace

template <class Value, class Index>
csr_matrix<Value, Index> stack(std::span<const csr_view<Value, Index>> parts, bool horizontal) {
  if (parts.empty())
    throw error(errc::invalid_argument, text(horizontal ? "hstack" : "vstack", " of no matrices has no size"));
  return horizontal ? stack_side_by_side(parts) : stack_below(parts);
}

#define LACIS_STACK(Value, Index) \
  template LACIS_API csr_matrix<Value, Index> stack(std::span<const csr_view<Value, Index>>, bool);
LACIS_FOR_EACH_TYPE(LACIS_STACK)

}  // namespace lacis::detail

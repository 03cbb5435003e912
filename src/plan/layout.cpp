// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Building, reading back and refilling the layouts of plans.
#include "plan/layout.hpp"

#include <algorithm>
#include <utility>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "formats/rows.hpp"
#include "summation/sum.hpp"

namespace lacis::detail {
namespace {

std::int64_t length_of(std::span<const std::int64_t> offsets, std::int64_t row) {
  return offsets[static_cast<std::size_t>(row + 1)] - offsets[static_cast<std::size_t>(row)];
}

/// The rows that are `wanted`, ascending.
template <class Index, class Wanted> buffer<Index> rows_where(std::int64_t rows, Wanted&& wanted) {
  buffer<std::int64_t> places(rows + 1);
  parallel_for(rows, [&](std::int64_t i) { places[i] = wanted(i) ? 1 : 0; });
  buffer<Index> chosen(counts_to_offsets(places));
  parallel_for(rows, [&](std::int64_t i) {
    if (places[i] != places[i + 1]) chosen[places[i]] = static_cast<Index>(i);
  });
  return chosen;
}

/// The listed rows of a matrix, one below the other.
template <class Value, class Index>
csr_matrix<Value, Index> take_rows(const csr_view<Value, Index>& a, std::span<const Index> rows) {
  const auto count = static_cast<std::int64_t>(rows.size());
  const auto row = [&](std::int64_t k) { return static_cast<std::int64_t>(rows[static_cast<std::size_t>(k)]); };
  csr_matrix<Value, Index> taken{
      .rows = count, .cols = a.cols, .row_offsets = buffer<std::int64_t>(count + 1), .columns = {}, .values = {}};
  parallel_for(count, [&](std::int64_t k) { taken.row_offsets[k] = length_of(a.row_offsets, row(k)); });
  const std::int64_t entries = counts_to_offsets(taken.row_offsets);
  taken.columns = buffer<Index>(entries);
  taken.values = values_array<Value>::like(a.values, entries);
  parallel_each_row(taken.row_offsets, [&](std::int64_t k) {
    const std::int64_t from = a.row_offsets[static_cast<std::size_t>(row(k))];
    const std::int64_t size = length_of(a.row_offsets, row(k));
    std::copy_n(a.columns.data() + from, size, taken.columns.data() + taken.row_offsets[k]);
    if (!a.values.iso) std::copy_n(a.values.data.data() + from, size, taken.values.data.data() + taken.row_offsets[k]);
  });
  return taken;
}

}  // namespace

template <class Value, class Index>
layout<Value, Index> make_layout(const csr_view<Value, Index>& a, const layout_choice& choice) {
  layout<Value, Index> l;
  l.rows = a.rows;
  l.cols = a.cols;
  l.is_sell = choice.is_sell;
  if (!choice.is_sell) {
    l.rows_apart = copy_of(a);
    return l;
  }
  const auto is_long = [&](std::int64_t i) { return length_of(a.row_offsets, i) > summation::canonical.short_limit; };
  l.long_rows = rows_where<Index>(a.rows, is_long);
  l.rows_apart = take_rows<Value, Index>(a, l.long_rows);
  for (int k = 0; k < choice.blocks; ++k) {
    const std::int64_t first = even_cut(a.cols, k, choice.blocks);
    const std::int64_t last = even_cut(a.cols, k + 1, choice.blocks);
    const auto reaches = [&](std::int64_t i) {
      const Index* begin = a.columns.data() + a.row_offsets[static_cast<std::size_t>(i)];
      const Index* end = a.columns.data() + a.row_offsets[static_cast<std::size_t>(i + 1)];
      const Index* found = std::lower_bound(begin, end, static_cast<Index>(first));
      return found != end && *found < last;
    };
    auto rows = rows_where<Index>(a.rows, [&](std::int64_t i) { return !is_long(i) && (k == 0 || reaches(i)); });
    l.blocks.push_back(pack<Value, Index>(a, std::move(rows), first, last));
  }
  return l;
}

template <class Value, class Index> csr_matrix<Value, Index> csr_of(const layout<Value, Index>& l) {
  if (!l.is_sell) return copy_of(l.rows_apart.view());
  csr_matrix<Value, Index> a{.rows = l.rows,
                             .cols = l.cols,
                             .row_offsets = buffer<std::int64_t>(l.rows + 1, 0),
                             .columns = buffer<Index>(l.nnz()),
                             .values = values_array<Value>::like(l.rows_apart.values.view(), l.nnz())};
  for (const auto& block : l.blocks)
    for_each_row(block, [&](std::int64_t slice, std::int64_t lane, std::int64_t row) {
      a.row_offsets[row] += block.lengths[slice * block.height + lane];
    });
  parallel_for(l.long_rows.size(),
               [&](std::int64_t k) { a.row_offsets[l.long_rows[k]] = length_of(l.rows_apart.row_offsets, k); });
  counts_to_offsets(a.row_offsets);
  buffer<std::int64_t> next(a.row_offsets);
  for (const auto& block : l.blocks)
    for_each_row(block, [&](std::int64_t slice, std::int64_t lane, std::int64_t row) {
      for_each_entry(block, slice, lane, [&](std::int64_t slot, std::int64_t column) {
        a.columns[next[row]] = static_cast<Index>(column);
        if (!a.values.iso) a.values.data[next[row]] = block.values[slot];
        ++next[row];
      });
    });
  parallel_each_row(l.rows_apart.row_offsets, [&](std::int64_t k) {
    row_writer<Value, Index> row(a, l.long_rows[k]);
    for (std::int64_t e = l.rows_apart.row_offsets[k]; e < l.rows_apart.row_offsets[k + 1]; ++e)
      row.put(l.rows_apart.columns[e], l.rows_apart.values[e]);
  });
  return a;
}

template <class Value, class Index> void set_values(layout<Value, Index>& l, const csr_view<Value, Index>& a) {
  const auto shape = [&](values_array<Value>& values, std::int64_t slots) {
    if (a.values.iso)
      values = values_array<Value>::same(a.values.data[0]);
    else if (values.iso)
      values = values_array<Value>(buffer<Value>(slots, Value{}));
  };
  for (auto& block : l.blocks) shape(block.values, block.slots());
  shape(l.rows_apart.values, l.rows_apart.nnz());
  if (a.values.iso) return;
  buffer<std::int64_t> next(a.row_offsets);
  for (auto& block : l.blocks)
    for_each_row(block, [&](std::int64_t slice, std::int64_t lane, std::int64_t row) {
      for_each_entry(block, slice, lane,
                     [&](std::int64_t slot, std::int64_t) { block.values.data[slot] = a.values[next[row]++]; });
    });
  parallel_each_row(l.rows_apart.row_offsets, [&](std::int64_t k) {
    const std::int64_t row = l.is_sell ? static_cast<std::int64_t>(l.long_rows[k]) : k;
    std::copy_n(a.values.data.data() + a.row_offsets[static_cast<std::size_t>(row)],
                length_of(l.rows_apart.row_offsets, k), l.rows_apart.values.data.data() + l.rows_apart.row_offsets[k]);
  });
}

template <class Value, class Index> std::int64_t bytes_of(const layout<Value, Index>& l) {
  const auto size = [](const auto& array) { return array.size() * static_cast<std::int64_t>(sizeof(*array.data())); };
  const auto& csr = l.rows_apart;
  std::int64_t bytes = size(csr.row_offsets) + size(csr.columns) + size(csr.values.data) + size(l.long_rows);
  for (const auto& block : l.blocks) bytes += bytes_of(block);
  return bytes;
}

#define LACIS_LAYOUT(Value, Index)                                                                \
  template layout<Value, Index> make_layout(const csr_view<Value, Index>&, const layout_choice&); \
  template csr_matrix<Value, Index> csr_of(const layout<Value, Index>&);                          \
  template void set_values(layout<Value, Index>&, const csr_view<Value, Index>&);                 \
  template std::int64_t bytes_of(const layout<Value, Index>&);
LACIS_FOR_EACH_TYPE(LACIS_LAYOUT)

}  // namespace lacis::detail

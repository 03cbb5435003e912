// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Building, reading back and refilling the layouts of plans.
#include "plan/layout.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <lacis/convert.hpp>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "formats/rows.hpp"
#include "summation/sum.hpp"

namespace lacis::detail {
namespace {

std::int64_t length_of(std::span<const std::int64_t> offsets, std::int64_t row) {
  return offsets[static_cast<std::size_t>(row + 1)] - offsets[static_cast<std::size_t>(row)];
}

/// The rows whose length satisfies `wanted`, ascending.
template <class Index, class Wanted> buffer<Index> rows_where(std::span<const std::int64_t> offsets, Wanted&& wanted) {
  const auto rows = static_cast<std::int64_t>(offsets.size()) - 1;
  buffer<std::int64_t> places(rows + 1);
  parallel_for(rows, [&](std::int64_t i) { places[i] = wanted(length_of(offsets, i)) ? 1 : 0; });
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

template <class Value, class Index> layout<Value, Index> make_layout(const csr_view<Value, Index>& a, bool is_sell) {
  layout<Value, Index> l;
  l.rows = a.rows;
  l.cols = a.cols;
  l.is_sell = is_sell;
  if (!is_sell) {
    l.rows_apart = copy_of(a);
    return l;
  }
  const auto is_long = [](std::int64_t length) { return length > summation::canonical.short_limit; };
  const convert_options options{.slice_height = slice_height<Value>,
                                .sort_window = sort_window,
                                .memory_limit = std::numeric_limits<std::int64_t>::max()};
  const auto sell_of = [&](const csr_view<Value, Index>& rows) {
    return from_csr(rows, options, std::type_identity<sell_matrix<Value, Index>>{});
  };
  l.long_rows = rows_where<Index>(a.row_offsets, is_long);
  if (l.long_rows.empty()) {
    l.short_rows = sell_of(a);
    l.rows_apart.cols = a.cols;
    return l;
  }
  const auto short_rows = rows_where<Index>(a.row_offsets, [&](std::int64_t length) { return !is_long(length); });
  l.short_rows = sell_of(take_rows<Value, Index>(a, short_rows).view());
  parallel_for(l.short_rows.rows, [&](std::int64_t p) {
    l.short_rows.permutation[p] = short_rows[static_cast<std::int64_t>(l.short_rows.permutation[p])];
  });
  l.rows_apart = take_rows<Value, Index>(a, l.long_rows);
  return l;
}

template <class Value, class Index> csr_matrix<Value, Index> csr_of(const layout<Value, Index>& l) {
  if (!l.is_sell) return copy_of(l.rows_apart.view());
  const auto& sell = l.short_rows;
  const values_view<Value> shape = l.long_rows.empty() ? sell.values.view() : l.rows_apart.values.view();
  csr_matrix<Value, Index> a{.rows = l.rows,
                             .cols = l.cols,
                             .row_offsets = buffer<std::int64_t>(l.rows + 1),
                             .columns = buffer<Index>(l.nnz()),
                             .values = values_array<Value>::like(shape, l.nnz())};
  parallel_for(sell.rows, [&](std::int64_t p) { a.row_offsets[sell.permutation[p]] = sell.row_lengths[p]; });
  parallel_for(l.long_rows.size(),
               [&](std::int64_t k) { a.row_offsets[l.long_rows[k]] = length_of(l.rows_apart.row_offsets, k); });
  counts_to_offsets(a.row_offsets);
  parallel_for(sell.rows, [&](std::int64_t p) {
    row_writer<Value, Index> row(a, sell.permutation[p]);
    std::int64_t slot = sell.slice_offsets[p / sell.slice_height] + p % sell.slice_height;
    for (Index s = 0; s < sell.row_lengths[p]; ++s, slot += sell.slice_height)
      row.put(sell.columns[slot], sell.values[slot]);
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
  auto& sell = l.short_rows;
  shape(sell.values, sell.columns.size());
  shape(l.rows_apart.values, l.rows_apart.nnz());
  if (a.values.iso) return;
  parallel_for(sell.rows, [&](std::int64_t p) {
    std::int64_t slot = sell.slice_offsets[p / sell.slice_height] + p % sell.slice_height;
    std::int64_t from = a.row_offsets[static_cast<std::size_t>(sell.permutation[p])];
    for (Index s = 0; s < sell.row_lengths[p]; ++s, slot += sell.slice_height)
      sell.values.data[slot] = a.values[from++];
  });
  parallel_each_row(l.rows_apart.row_offsets, [&](std::int64_t k) {
    const std::int64_t row = l.is_sell ? static_cast<std::int64_t>(l.long_rows[k]) : k;
    std::copy_n(a.values.data.data() + a.row_offsets[static_cast<std::size_t>(row)],
                length_of(l.rows_apart.row_offsets, k), l.rows_apart.values.data.data() + l.rows_apart.row_offsets[k]);
  });
}

template <class Value, class Index> std::int64_t bytes_of(const layout<Value, Index>& l) {
  const auto size = [](const auto& array) { return array.size() * static_cast<std::int64_t>(sizeof(*array.data())); };
  const auto& sell = l.short_rows;
  const auto& csr = l.rows_apart;
  std::int64_t bytes = size(csr.row_offsets) + size(csr.columns) + size(csr.values.data) + size(l.long_rows);
  if (l.is_sell)
    bytes += size(sell.permutation) + size(sell.row_lengths) + size(sell.slice_offsets) + size(sell.columns) +
             size(sell.values.data);
  return bytes;
}

#define LACIS_LAYOUT(Value, Index)                                                \
  template layout<Value, Index> make_layout(const csr_view<Value, Index>&, bool); \
  template csr_matrix<Value, Index> csr_of(const layout<Value, Index>&);          \
  template void set_values(layout<Value, Index>&, const csr_view<Value, Index>&); \
  template std::int64_t bytes_of(const layout<Value, Index>&);
LACIS_FOR_EACH_TYPE(LACIS_LAYOUT)

}  // namespace lacis::detail

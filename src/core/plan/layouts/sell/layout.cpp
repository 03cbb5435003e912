// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Making and refilling the layout `sell`.
#include "plan/layouts/sell/layout.hpp"

#include "base/instantiate.hpp"

namespace lacis::detail {
namespace {

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
sell_layout<Value, Index> keep_rows(const csr_view<Value, Index>& a, buffer<Index> long_rows, buffer<Index> short_rows,
                                    cpu::value_form form) {
  sell_layout<Value, Index> l;
  l.rows = a.rows;
  l.csr_part = take_rows<Value, Index>(a, long_rows);
  l.long_rows = std::move(long_rows);
  l.blocks.push_back(pack<Value, Index>(a, std::move(short_rows), 0, a.cols, form));
  return l;
}

template <class Value, class Index>
cpu::value_form build(sell_layout<Value, Index>& l, const csr_view<Value, Index>& given, const layout_choice& choice) {
  const cpu::value_form form = settled_form(choice.form, given.values);
  const csr_view<Value, Index> a = in_form(given, form);
  auto [long_rows, short_rows] = long_and_short(a, [](std::int64_t) { return true; });
  if (choice.blocks == 1) {
    l = keep_rows<Value, Index>(a, std::move(long_rows), std::move(short_rows), form);
    return form;
  }
  l.rows = a.rows;
  l.csr_part = take_rows<Value, Index>(a, long_rows);
  l.long_rows = std::move(long_rows);
  for (int k = 0; k < choice.blocks; ++k) {
    const std::int64_t first = even_cut(a.cols, k, choice.blocks);
    const std::int64_t last = even_cut(a.cols, k + 1, choice.blocks);
    const auto reaches = [&](std::int64_t i) {
      if (length_of(a.row_offsets, i) > summation::canonical.short_limit) return false;
      const Index* begin = a.columns.data() + a.row_offsets[static_cast<std::size_t>(i)];
      const Index* end = a.columns.data() + a.row_offsets[static_cast<std::size_t>(i + 1)];
      const Index* found = std::lower_bound(begin, end, static_cast<Index>(first));
      return found != end && *found < last;
    };
    auto rows = k == 0 ? std::move(short_rows) : rows_where<Index>(a.rows, reaches);
    l.blocks.push_back(pack<Value, Index>(a, std::move(rows), first, last, form));
  }
  return form;
}

template <class Value, class Index>
void set_values(sell_layout<Value, Index>& l, const csr_view<Value, Index>& a, cpu::value_form form) {
  refill_rows(l.csr_part, a, [&](std::int64_t k) { return l.long_rows[k]; });
  buffer<std::int64_t> next(a.row_offsets);
  for (auto& block : l.blocks) {
    if (block.values.form() != form || form == cpu::value_form::one) {
      block.values = packed_values<Value>(block.slots(), form, a.values.data.empty() ? Value{} : a.values[0]);
      block.values.clear();
    }
    block.values.write([&](auto put) {
      for_each_row(block, [&](std::int64_t slice, std::int64_t lane, std::int64_t row) {
        for_each_entry(block, slice, lane, [&](std::int64_t slot, std::int64_t) { put(slot, a.values[next[row]++]); });
      });
    });
  }
}

template <class Value, class Index> std::int64_t bytes_of(const sell_layout<Value, Index>& l) {
  std::int64_t bytes = bytes_of(l.csr_part) + array_bytes(l.long_rows);
  for (const auto& block : l.blocks) bytes += bytes_of(block);
  return bytes;
}

#define LACIS_SELL_LAYOUT(Value, Index)                                                                            \
  template sell_layout<Value, Index> keep_rows(const csr_view<Value, Index>&, buffer<Index>, buffer<Index>,        \
                                               cpu::value_form);                                                   \
  template cpu::value_form build(sell_layout<Value, Index>&, const csr_view<Value, Index>&, const layout_choice&); \
  template void set_values(sell_layout<Value, Index>&, const csr_view<Value, Index>&, cpu::value_form);            \
  template std::int64_t bytes_of(const sell_layout<Value, Index>&);
LACIS_FOR_EACH_TYPE(LACIS_SELL_LAYOUT)

}  // namespace lacis::detail

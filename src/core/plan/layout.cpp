// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Building, reading back and refilling the layouts of plans.
#include "plan/layout.hpp"

#include <algorithm>
#include <atomic>
#include <omp.h>
#include <utility>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "formats/rows.hpp"
#include "summation/hash.hpp"
#include "summation/sum.hpp"

namespace lacis::detail {
namespace {

std::int64_t length_of(std::span<const std::int64_t> offsets, std::int64_t row) {
  return offsets[static_cast<std::size_t>(row + 1)] - offsets[static_cast<std::size_t>(row)];
}

void raise_to(std::atomic_ref<std::int64_t> least, std::int64_t value) {
  std::int64_t now = least.load(std::memory_order_relaxed);
  while (now < value && !least.compare_exchange_weak(now, value, std::memory_order_relaxed)) {
  }
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

/// A matrix with its values as they are, or a single one.
template <class Value, class Index> csr_view<Value, Index> in_form(csr_view<Value, Index> a, cpu::value_form form) {
  if (form == cpu::value_form::one && !a.values.iso && !a.values.data.empty())
    a.values = {a.values.data.first(1), true};
  return a;
}

}  // namespace

template <class Value, class Index>
layout<Value, Index> make_layout(const csr_view<Value, Index>& given, const layout_choice& choice) {
  cpu::value_form form = choice.form;
  const auto settle_form = [&] {
    if (form != cpu::value_form::full) form = narrowest_form(given.values);
  };
  // Where values repeat with patterns, none needs another form.
  if (choice.kind != plan_layout::stencil || form == cpu::value_form::one) settle_form();
  const csr_view<Value, Index> a = in_form(given, form);
  layout<Value, Index> l;
  l.rows = a.rows;
  l.cols = a.cols;
  l.kind = choice.kind;
  l.form = form;
  if (choice.kind == plan_layout::csr) {
    l.rows_apart = copy_of(a);
    return l;
  }
  if (choice.kind == plan_layout::staged) {
    l.staged = make_staged(a, form);
    return l;
  }
  const auto is_long = [&](std::int64_t i) { return length_of(a.row_offsets, i) > summation::canonical.short_limit; };
  l.long_rows = rows_where<Index>(a.rows, is_long);
  l.rows_apart = take_rows<Value, Index>(a, l.long_rows);
  if (choice.kind == plan_layout::stencil) {
    constexpr std::int64_t height = stencil_rows<Value>::height;
    const std::int64_t slices = a.rows / height;
    slice_patterns patterns = find_patterns(a, 0, slices);
    auto rows = rows_where<Index>(a.rows, [&](std::int64_t i) { return !is_long(i) && !patterns.has_row(i, height); });
    l.stencil = make_stencil(a, std::move(patterns));
    const bool repeat = set_repeated_values(l.stencil, a);
    if (!repeat || 8 * rows.size() > a.rows)
      settle_form();
    else
      form = cpu::value_form::full;
    if (!repeat) set_values(l.stencil, a, form);
    l.form = form;
    l.blocks.push_back(pack<Value, Index>(a, std::move(rows), 0, a.cols, form));
    return l;
  }
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
    l.blocks.push_back(pack<Value, Index>(a, std::move(rows), first, last, form));
  }
  return l;
}

namespace {

/// entry(row, rank in the row, column, value) for every entry of a layout, on threads.
template <class Value, class Index, class Entry> void for_each_entry(const layout<Value, Index>& l, Entry&& entry) {
  buffer<std::uint8_t> passed(l.blocks.size() > 1 ? l.rows : 0, 0);  // entries of a row in the blocks before
  for (const auto& block : l.blocks)
    for_each_row(block, [&](std::int64_t slice, std::int64_t lane, std::int64_t row) {
      std::int64_t rank = passed.empty() ? 0 : passed[row];
      for_each_entry(block, slice, lane,
                     [&](std::int64_t slot, std::int64_t column) { entry(row, rank++, column, block.values[slot]); });
      if (!passed.empty()) passed[row] = static_cast<std::uint8_t>(rank);
    });
  for_each_row(l.stencil, [&](const cpu::stencil_run& run, std::int64_t row) {
    std::int64_t rank = 0;
    for_each_entry(l.stencil, run, row,
                   [&](std::int64_t slot, std::int64_t column) { entry(row, rank++, column, l.stencil.values[slot]); });
  });
  for_each_entry(l.staged, [&](std::int64_t row, std::int64_t rank, std::int64_t slot, std::int64_t column) {
    entry(row, rank, column, l.staged.values[slot]);
  });
  parallel_each_row(l.rows_apart.row_offsets, [&](std::int64_t k) {
    const std::int64_t row = l.kind == plan_layout::csr ? k : static_cast<std::int64_t>(l.long_rows[k]);
    for (std::int64_t e = l.rows_apart.row_offsets[k]; e < l.rows_apart.row_offsets[k + 1]; ++e)
      entry(row, e - l.rows_apart.row_offsets[k], l.rows_apart.columns[e], l.rows_apart.values[e]);
  });
}

}  // namespace

template <class Value, class Index> csr_matrix<Value, Index> csr_of(const layout<Value, Index>& l) {
  if (l.kind == plan_layout::csr) return copy_of(l.rows_apart.view());
  csr_matrix<Value, Index> a{.rows = l.rows,
                             .cols = l.cols,
                             .row_offsets = buffer<std::int64_t>(l.rows + 1, 0),
                             .columns = buffer<Index>(l.nnz()),
                             .values = values_array<Value>(l.nnz())};
  for_each_entry(l, [&](std::int64_t row, std::int64_t rank, std::int64_t, const Value&) {
    std::atomic_ref<std::int64_t> length(a.row_offsets[row]);
    if (length.load(std::memory_order_relaxed) <= rank) raise_to(length, rank + 1);
  });
  counts_to_offsets(a.row_offsets);
  for_each_entry(l, [&](std::int64_t row, std::int64_t rank, std::int64_t column, const Value& v) {
    a.columns[a.row_offsets[row] + rank] = static_cast<Index>(column);
    a.values.data[a.row_offsets[row] + rank] = v;
  });
  return a;
}

template <class Value, class Index>
void set_values(layout<Value, Index>& l, const csr_view<Value, Index>& given, cpu::value_form form) {
  const csr_view<Value, Index> a = in_form(given, form);
  l.form = form;
  auto& apart = l.rows_apart;
  if (a.values.iso)
    apart.values = values_array<Value>::same(a.values.data[0]);
  else if (apart.values.iso)
    apart.values = values_array<Value>(apart.nnz());
  if (!a.values.iso)
    parallel_each_row(apart.row_offsets, [&](std::int64_t k) {
      const std::int64_t row = l.kind == plan_layout::csr ? k : static_cast<std::int64_t>(l.long_rows[k]);
      std::copy_n(a.values.data.data() + a.row_offsets[static_cast<std::size_t>(row)], length_of(apart.row_offsets, k),
                  apart.values.data.data() + apart.row_offsets[k]);
    });
  if (l.kind == plan_layout::stencil && !set_repeated_values(l.stencil, a)) set_values(l.stencil, a, form);
  if (l.kind == plan_layout::staged) set_values(l.staged, a, form);
  buffer<std::int64_t> next(l.blocks.empty() ? std::span<const std::int64_t>{} : a.row_offsets);
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

template <class Value, class Index> std::int64_t bytes_of(const layout<Value, Index>& l) {
  const auto size = [](const auto& array) { return array.size() * static_cast<std::int64_t>(sizeof(*array.data())); };
  const auto& csr = l.rows_apart;
  std::int64_t bytes = size(csr.row_offsets) + size(csr.columns) + size(csr.values.data) + size(l.long_rows);
  for (const auto& block : l.blocks) bytes += bytes_of(block);
  return bytes + bytes_of(l.stencil) + bytes_of(l.staged);
}

namespace {

/// Sums of threads, each on a line of its own.
class hash_sum {
 public:
  void add(std::uint64_t part) {
    auto& mine = sums_[static_cast<std::size_t>(omp_get_thread_num()) % sums_.size()].value;
    std::atomic_ref<std::uint64_t>(mine).fetch_add(part, std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint64_t of_matrix(std::int64_t rows, std::int64_t cols) const {
    std::uint64_t all = summation::entry_hash(rows, cols, 1.0);
    for (const auto& one : sums_) all += one.value;
    return all == 0 ? 1 : all;
  }

 private:
  struct alignas(64) line {
    std::uint64_t value = 0;
  };
  std::vector<line> sums_ = std::vector<line>(static_cast<std::size_t>(std::max(1, omp_get_max_threads())));
};

}  // namespace

template <class Value, class Index> std::uint64_t hash_of(const csr_view<Value, Index>& a) {
  hash_sum sum;
  parallel_each_row(a.row_offsets, [&](std::int64_t i) {
    std::uint64_t row = 0;
    for (std::int64_t k = a.row_offsets[static_cast<std::size_t>(i)];
         k < a.row_offsets[static_cast<std::size_t>(i + 1)]; ++k)
      row += summation::entry_hash<Value>(i, a.columns[static_cast<std::size_t>(k)], a.values[k]);
    sum.add(row);
  });
  return sum.of_matrix(a.rows, a.cols);
}

template <class Value, class Index> std::uint64_t entries_hash(const plan<Value, Index>& p) {
  plan_data<Value, Index>& data = *p.data();
  const std::atomic_ref<std::uint64_t> kept(data.hash);
  if (const std::uint64_t known = kept.load(std::memory_order_relaxed); known != 0) return known;
  hash_sum sum;
  for_each_entry(data.plain, [&](std::int64_t row, std::int64_t, std::int64_t column, const Value& v) {
    sum.add(summation::entry_hash<Value>(row, column, v));
  });
  const std::uint64_t found = sum.of_matrix(data.plain.rows, data.plain.cols);
  kept.store(found, std::memory_order_relaxed);
  return found;
}

template <class Value, class Index> std::int64_t moved_bytes_of(const layout<Value, Index>& l) {
  // What is staged is written and read; its arrays count once among the others.
  return bytes_of(l) + (l.staged.staged_size + l.rows + l.cols) * static_cast<std::int64_t>(sizeof(Value));
}

#define LACIS_LAYOUT(Value, Index)                                                                 \
  template layout<Value, Index> make_layout(const csr_view<Value, Index>&, const layout_choice&);  \
  template csr_matrix<Value, Index> csr_of(const layout<Value, Index>&);                           \
  template void set_values(layout<Value, Index>&, const csr_view<Value, Index>&, cpu::value_form); \
  template std::int64_t bytes_of(const layout<Value, Index>&);                                     \
  template std::uint64_t hash_of(const csr_view<Value, Index>&);                                   \
  template std::uint64_t entries_hash(const plan<Value, Index>&);                                  \
  template std::int64_t moved_bytes_of(const layout<Value, Index>&);
LACIS_FOR_EACH_TYPE(LACIS_LAYOUT)

}  // namespace lacis::detail

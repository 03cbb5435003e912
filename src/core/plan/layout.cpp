// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Making, reading back and refilling any layout of plans.
#include "plan/layout.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <omp.h>
#include <utility>
#include <vector>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "formats/rows.hpp"
#include "plan/entries.hpp"
#include "summation/hash.hpp"

namespace lacis::detail {
namespace {

/// The variant whose alternative number `index` is held, empty.
template <class Value, class Index, std::size_t... I>
any_layout<Value, Index> empty_layout(std::size_t index, std::index_sequence<I...>) {
  any_layout<Value, Index> arrays;
  static_cast<void>(((I == index && (arrays.template emplace<I>(), true)) || ...));
  return arrays;
}

/// The entries of all rows that a layout supplies, in pieces of rows.
template <class Value, class Index>
void read_supply(const layout<Value, Index>& l, bool in_parts, const row_pieces<Value, Index>& piece,
                 const std::function<void(const cpu::launch&, const cpu::row_work<Value, Index>&)>& supply) {
  buffer<std::uint8_t> passed(in_parts ? l.rows : 0, 0);  // entries of a row in the parts before
  const auto read = [&](cpu::row_source<Value, Index>& source, int thread, int threads) {
    const std::int64_t end = source.cut(thread + 1, threads);
    for (std::int64_t p = source.cut(thread, threads); p < end; ++p) {
      const std::int64_t count = source.start(p);
      if (count <= 0) continue;
      const std::int64_t row = source.row();
      const std::int64_t before = source.goes_on() ? passed[row] : 0;
      for (std::int64_t k = 0; k < count; k += cpu::chunk_size) {
        const std::int64_t size = std::min(cpu::chunk_size, count - k);
        piece(row, before + k, size, source.read(size));
      }
      if (!passed.empty() && count <= cpu::short_limit) passed[row] = static_cast<std::uint8_t>(before + count);
    }
  };
  supply(cpu::launch{threads_for_work(l.rows + l.entries), isa::scalar}, cpu::row_work<Value, Index>(std::cref(read)));
}

}  // namespace

template <class Value, class Index>
void read_entries(const layout<Value, Index>& l, const row_pieces<Value, Index>& piece) {
  std::visit(
      [&](const auto& arrays) {
        if constexpr (requires { read_back(arrays, piece); }) {
          read_back(arrays, piece);
        } else {
          bool in_parts = false;
          if constexpr (requires { arrays.in_parts(); }) in_parts = arrays.in_parts();
          read_supply<Value, Index>(l, in_parts, piece,
                                    [&](const cpu::launch& how, const cpu::row_work<Value, Index>& work) {
                                      static_cast<void>(supply_rows(how, arrays, work));
                                    });
        }
      },
      l.arrays);
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

template <class Value, class Index>
layout<Value, Index> make_layout(const csr_view<Value, Index>& a, const layout_choice& choice) {
  using arrays = any_layout<Value, Index>;
  layout<Value, Index> l;
  l.rows = a.rows;
  l.cols = a.cols;
  l.arrays = empty_layout<Value, Index>(static_cast<std::size_t>(choice.kind),
                                        std::make_index_sequence<std::variant_size_v<arrays>>());
  std::visit(
      [&](auto& made) {
        l.form = build(made, a, choice);
        l.entries = made.entries();
      },
      l.arrays);
  return l;
}

template <class Value, class Index> std::string label_of(const layout<Value, Index>& l) {
  return std::visit(
      [&](const auto& arrays) {
        if constexpr (requires { arrays.label(); })
          return arrays.label();
        else
          return text(name_of(l.kind()), '-', cpu::slice_height<Value>);
      },
      l.arrays);
}

template <class Value, class Index> csr_matrix<Value, Index> csr_of(const layout<Value, Index>& l) {
  if (const auto* csr = std::get_if<csr_layout<Value, Index>>(&l.arrays)) return copy_of(csr->view());
  csr_matrix<Value, Index> a{.rows = l.rows,
                             .cols = l.cols,
                             .row_offsets = buffer<std::int64_t>(l.rows + 1, 0),
                             .columns = buffer<Index>(l.entries),
                             .values = values_array<Value>(l.entries)};
  read_entries<Value, Index>(l, [&](std::int64_t row, std::int64_t rank, std::int64_t count, const auto&) {
    std::atomic_ref<std::int64_t> length(a.row_offsets[row]);
    if (length.load(std::memory_order_relaxed) < rank + count) raise_to(length, rank + count);
  });
  counts_to_offsets(a.row_offsets);
  read_entries<Value, Index>(l, [&](std::int64_t row, std::int64_t rank, std::int64_t count, const auto& entries) {
    const std::int64_t to = a.row_offsets[row] + rank;
    std::copy_n(entries.columns, count, a.columns.data() + to);
    if (entries.iso)
      std::fill_n(a.values.data.data() + to, count, entries.values[0]);
    else
      std::copy_n(entries.values, count, a.values.data.data() + to);
  });
  return a;
}

template <class Value, class Index>
void set_values(layout<Value, Index>& l, const csr_view<Value, Index>& a, cpu::value_form form) {
  l.form = form;
  std::visit([&](auto& arrays) { set_values(arrays, in_form(a, form), form); }, l.arrays);
}

template <class Value, class Index> std::int64_t bytes_of(const layout<Value, Index>& l) {
  return std::visit([](const auto& arrays) { return bytes_of(arrays); }, l.arrays);
}

template <class Value, class Index> std::int64_t moved_bytes_of(const layout<Value, Index>& l) {
  std::int64_t copied = 0;
  std::visit(
      [&](const auto& arrays) {
        if constexpr (requires { arrays.copied_bytes(); }) copied = arrays.copied_bytes();
      },
      l.arrays);
  return bytes_of(l) + copied + (l.rows + l.cols) * static_cast<std::int64_t>(sizeof(Value));
}

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
  plan_data<Value, Index>& data = *p.internals();
  const std::atomic_ref<std::uint64_t> kept(data.hash);
  if (const std::uint64_t known = kept.load(std::memory_order_relaxed); known != 0) return known;
  hash_sum sum;
  read_entries<Value, Index>(data.plain, [&](std::int64_t row, std::int64_t, std::int64_t count, const auto& entries) {
    std::uint64_t part = 0;
    for (std::int64_t k = 0; k < count; ++k)
      part += summation::entry_hash<Value>(row, entries.columns[k], entries.values[entries.iso ? 0 : k]);
    sum.add(part);
  });
  const std::uint64_t found = sum.of_matrix(data.plain.rows, data.plain.cols);
  kept.store(found, std::memory_order_relaxed);
  return found;
}

#define LACIS_LAYOUT(Value, Index)                                                                 \
  template layout<Value, Index> make_layout(const csr_view<Value, Index>&, const layout_choice&);  \
  template void read_entries(const layout<Value, Index>&, const row_pieces<Value, Index>&);        \
  template std::string label_of(const layout<Value, Index>&);                                      \
  template csr_matrix<Value, Index> csr_of(const layout<Value, Index>&);                           \
  template void set_values(layout<Value, Index>&, const csr_view<Value, Index>&, cpu::value_form); \
  template std::int64_t bytes_of(const layout<Value, Index>&);                                     \
  template std::uint64_t hash_of(const csr_view<Value, Index>&);                                   \
  template std::uint64_t entries_hash(const plan<Value, Index>&);                                  \
  template std::int64_t moved_bytes_of(const layout<Value, Index>&);
LACIS_FOR_EACH_TYPE(LACIS_LAYOUT)

}  // namespace lacis::detail

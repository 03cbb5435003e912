// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What the layouts of plans share. layouts/README.md says what a layout brings.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <span>

#include <lacis/buffer.hpp>
#include <lacis/csr.hpp>
#include <lacis/plan_layout.hpp>

#include "base/parallel.hpp"
#include "cpu/simd/stored_values.hpp"
#include "cpu/spmv/direct_pairs.hpp"
#include "cpu/spmv/kernels.hpp"
#include "formats/rows.hpp"
#include "plan/layouts/sell/packed_values.hpp"
#include "summation/sum.hpp"

namespace lacis::detail {

/// Two vectors of `size` elements each, `stride` apart.
template <class T> struct two_vectors {
  T* first = nullptr;
  T* second = nullptr;
  std::int64_t size = 0;
  std::int64_t stride = 1;
};

/// Which layout, and how.
struct layout_choice {
  plan_layout kind = plan_layout::csr;
  int blocks = 1;                                ///< sell: ranges of columns; bsr: rows of a block
  cpu::value_form form = cpu::value_form::full;  ///< of values, or one that is narrower than that
  bool borrows = false;                          ///< csr: columns and values stay the caller's
  bool permutes = false;                         ///< staged: blocks of rows share a permutation of x
};

/// Takes pieces of rows: piece(row, rank of its first entry in the row, count, entries), on threads.
template <class Value, class Index>
using row_pieces =
    std::function<void(std::int64_t, std::int64_t, std::int64_t, const cpu::stored_entries<Value, Index>&)>;

[[nodiscard]] inline std::int64_t length_of(std::span<const std::int64_t> offsets, std::int64_t row) {
  return offsets[static_cast<std::size_t>(row + 1)] - offsets[static_cast<std::size_t>(row)];
}

/// Makes a number that threads share at least `value`.
inline void raise_to(std::atomic_ref<std::int64_t> least, std::int64_t value) {
  std::int64_t now = least.load(std::memory_order_relaxed);
  while (now < value && !least.compare_exchange_weak(now, value, std::memory_order_relaxed)) {
  }
}

/// Bytes of arrays.
template <class... Arrays> [[nodiscard]] std::int64_t array_bytes(const Arrays&... arrays) {
  return ((static_cast<std::int64_t>(arrays.size()) * static_cast<std::int64_t>(sizeof(*arrays.data()))) + ... + 0);
}
template <class Value, class Index> [[nodiscard]] std::int64_t bytes_of(const csr_matrix<Value, Index>& a) {
  return array_bytes(a.row_offsets, a.columns, a.values.data);
}

/// The narrowest form of the values where a choice leaves it open.
template <class Value> [[nodiscard]] cpu::value_form settled_form(cpu::value_form chosen, values_view<Value> values) {
  return chosen == cpu::value_form::full ? chosen : narrowest_form(values);
}

/// A matrix with its values as they are, or a single one.
template <class Value, class Index>
[[nodiscard]] csr_view<Value, Index> in_form(csr_view<Value, Index> a, cpu::value_form form) {
  if (form == cpu::value_form::one && !a.values.iso && !a.values.data.empty())
    a.values = {a.values.data.first(1), true};
  return a;
}

/// The rows that are `wanted`, ascending.
template <class Index, class Wanted> [[nodiscard]] buffer<Index> rows_where(std::int64_t rows, Wanted&& wanted) {
  buffer<std::int64_t> places(rows + 1);
  parallel_for(rows, [&](std::int64_t i) { places[i] = wanted(i) ? 1 : 0; });
  buffer<Index> chosen(counts_to_offsets(places));
  parallel_for(rows, [&](std::int64_t i) {
    if (places[i] != places[i + 1]) chosen[places[i]] = static_cast<Index>(i);
  });
  return chosen;
}

/// Puts the values of `a` in rows that are kept as they are: row k is row row_of(k) of `a`, which is in its form.
template <class Value, class Index, class RowOf>
void refill_rows(csr_matrix<Value, Index>& kept, const csr_view<Value, Index>& a, RowOf&& row_of) {
  if (a.values.iso) {
    kept.values = values_array<Value>::same(a.values.data[0]);
    return;
  }
  if (kept.values.iso) kept.values = values_array<Value>(kept.nnz());
  parallel_each_row(kept.row_offsets, [&](std::int64_t k) {
    std::copy_n(a.values.data.data() + a.row_offsets[static_cast<std::size_t>(row_of(k))],
                length_of(kept.row_offsets, k), kept.values.data.data() + kept.row_offsets[k]);
  });
}

}  // namespace lacis::detail

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What decides between the layouts of plans: one pass over the row offsets, the rest from samples. What one layout
// alone asks of a matrix is in its model (layouts/README.md).
#pragma once

#include <algorithm>
#include <cstdint>

#include <lacis/csr.hpp>

#include "base/parallel.hpp"
#include "cpu/simd/stored_values.hpp"

namespace lacis::detail {

struct features {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t entries = 0;
  std::int64_t short_entries = 0;  ///< in rows that the order sums from left to right
  std::int64_t long_rows = 0;
  std::int64_t length_changes = 0;  ///< rows with more or fewer entries than the row before
  std::int64_t sell_slots = 0;      ///< of the short rows as SELL, padding included
  cpu::value_form form = cpu::value_form::full;
  // From samples:
  double run_on = 0;         ///< share of SELL's slots whose columns run on
  double lines_of_x = 0;     ///< lines of x for each entry that a few thousand rows read
  double elements_of_x = 0;  ///< elements of x for each entry that they read
};

/// `a` has canonical rows, or rows in the order of their sums.
template <class Value, class Index>
[[nodiscard]] features features_of(const csr_view<Value, Index>& a, cpu::value_form form);

/// work(first, count): ranges of slices, at a few places of a matrix that has so many, that stand for all. Looking at
/// them takes about as long as a few products, so of a small matrix it is a part too.
template <class Work> void for_each_sample(std::int64_t slices, Work&& work) {
  constexpr int places = 8;
  constexpr std::int64_t share = 64;  // a place has one of so many slices
  constexpr std::int64_t fewest = 16;
  constexpr std::int64_t most = 256;
  const std::int64_t size = std::clamp(slices / share, fewest, most);
  if (slices <= places * size) return slices > 0 ? work(0, slices) : void();
  for (int p = 0; p < places; ++p) work(even_cut(slices - size, p, places - 1), size);
}

}  // namespace lacis::detail

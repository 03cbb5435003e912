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

/// work(first, count): ranges of slices, at a few places of a matrix that has so many, that stand for all.
template <class Work> void for_each_sample(std::int64_t slices, Work&& work) {
  constexpr std::int64_t sample_places = 8;
  constexpr std::int64_t sampled_slices = 256;
  const std::int64_t places = slices <= sample_places * sampled_slices ? 1 : sample_places;
  const std::int64_t size = std::min(slices, sampled_slices * (places == 1 ? sample_places : 1));
  for (std::int64_t p = 0; p < places && size > 0; ++p)
    work(places == 1 ? 0 : even_cut(slices - size, static_cast<int>(p), sample_places - 1), size);
}

}  // namespace lacis::detail

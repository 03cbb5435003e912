// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What decides between the layouts of plans: one pass over the row offsets, the rest from samples.
#pragma once

#include <cstdint>

#include <lacis/csr.hpp>

#include "plan/layout.hpp"

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
  double run_on = 0;           ///< share of SELL's slots whose columns run on
  double in_patterns = 0;      ///< share of rows in slices that have a pattern
  double pattern_slots = 1;    ///< slots of those for each of their entries
  bool values_repeat = false;  ///< with the pattern
  double lines_of_x = 0;       ///< lines of x for each entry that a few thousand rows read
  double elements_of_x = 0;    ///< elements of x for each entry that they read
};

/// `a` has canonical rows, or rows in the order of their sums.
template <class Value, class Index>
[[nodiscard]] features features_of(const csr_view<Value, Index>& a, cpu::value_form form);

}  // namespace lacis::detail

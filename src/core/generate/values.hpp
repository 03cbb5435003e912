// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The values of generated entries: functions of the seed and of the entry's place.
#pragma once

#include <cstdint>

#include <lacis/generate.hpp>
#include <lacis/values.hpp>

#include "generate/row_pattern.hpp"

namespace lacis::detail {

/// What generated_values::natural means for a generator.
enum class natural_values {
  pattern,    ///< 1, stored once
  laplacian,  ///< a positive integer on the diagonal, -1 elsewhere
  integer     ///< as generated_values::integer
};

struct value_rule {
  natural_values natural = natural_values::pattern;
  std::int64_t diagonal = 0;  ///< of natural_values::laplacian; 0 stands for the row's number of entries
  bool symmetric = false;     ///< drawn values depend on the smaller and the larger of row and column only
};

template <value Value, index Index>
values_array<Value> draw_values(const row_pattern<Index>& places, const value_rule& rule, generated_values kind,
                                std::uint64_t seed, const progress& report);

}  // namespace lacis::detail

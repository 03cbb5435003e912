// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Reading the layout `staged` back.
#include "plan/layouts/staged/layout.hpp"

#include <algorithm>
#include <array>

#include "base/instantiate.hpp"

namespace lacis::detail {

template <class Value, class Index>
void read_back(const staged_layout<Value, Index>& l, const row_pieces<Value, Index>& piece) {
  for_each_entry(l.staged, [&](std::int64_t row, std::int64_t rank, std::int64_t slot, std::int64_t column) {
    const Value value = l.staged.values[slot];
    const auto place = static_cast<Index>(column);
    piece(row, rank, 1, {&value, false, &place});
  });
}

#define LACIS_STAGED_LAYOUT(Value, Index) \
  template void read_back(const staged_layout<Value, Index>&, const row_pieces<Value, Index>&);
LACIS_FOR_EACH_TYPE(LACIS_STAGED_LAYOUT)

}  // namespace lacis::detail

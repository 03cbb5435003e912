// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The order of columns in rows: established in place, or asked for.
#pragma once

#include <string_view>

#include <lacis/csr.hpp>
#include <lacis/pattern.hpp>

#include "base/internal.hpp"

namespace lacis::detail {

/// Sorts every row that needs it; entries of one place keep their order.
template <value Value, index Index> void sort_in_place(csr_matrix<Value, Index>& a);

/// Throws error(invalid_matrix) where the sizes of arrays, offsets or columns do not fit the matrix.
template <value Value, index Index> void require_inside(const csr_view<Value, Index>& a);

/// The same, and naming the first place at fault, unless the columns of every row ascend strictly.
template <value Value, index Index>
LACIS_INTERNAL void require_canonical(const csr_view<Value, Index>& a, std::string_view operation);
/// The same for a pattern, which has no values.
template <index Index> void require_canonical_pattern(pattern_view<Index> a, std::string_view operation);

}  // namespace lacis::detail

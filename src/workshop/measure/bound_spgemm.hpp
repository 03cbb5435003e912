// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Whether two products of the same sparse matrices are both right.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <lacis/csr.hpp>

namespace lacis::measure {

struct product_fault {
  std::int64_t row = 0;
  std::string what;  ///< "column 7 where 9 should be"
};

/// Compares two products C = A B with sorted rows. They have the same entries, but for those that `second` may leave
/// out when it drops zeros, which then count as zeros; and their values are as near to each other as two sums in any
/// order are (bound.hpp), entry by entry. Where A and B hold integers and every sum is exact, values are equal.
/// Returns the first row at fault.
template <class Value, class Index>
[[nodiscard]] std::optional<product_fault> compare_products(const csr_view<Value, Index>& a,
                                                            const csr_view<Value, Index>& b,
                                                            const csr_view<Value, Index>& first,
                                                            const csr_view<Value, Index>& second,
                                                            bool second_drops_zeros);

}  // namespace lacis::measure

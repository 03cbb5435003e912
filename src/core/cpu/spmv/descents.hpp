// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Columns that do not ascend, counted, and columns outside a matrix, found, in plain C++.
#pragma once

#include <cstdint>

namespace lacis::cpu::portable {

/// How many of `count` columns are not less than the one that follows; -1 when one of them is not in 0 .. cols.
/// Compiled for itself, with the compiler's vectoriser: there is no sum of floating-point numbers in it to be spoilt.
template <class Index> [[nodiscard]] std::int64_t descents(const Index* columns, std::int64_t count, std::int64_t cols);

}  // namespace lacis::cpu::portable

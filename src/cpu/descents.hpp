// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Columns that do not ascend, counted in plain C++.
#pragma once

#include <cstdint>

namespace lacis::cpu::portable {

/// How many of `count` columns are not less than the one that follows. Compiled for itself, with the compiler's
/// vectoriser: there is no sum of floating-point numbers in it to be spoilt.
template <class Index> [[nodiscard]] std::int64_t descents(const Index* columns, std::int64_t count);

}  // namespace lacis::cpu::portable

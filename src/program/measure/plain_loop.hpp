// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The product as a C++ programmer writes it in a minute: the baseline of every comparison.
#pragma once

#include <cstdint>

namespace lacis::measure {

/// y = A x for CSR arrays, one OpenMP loop over the rows.
template <class Value, class Index>
void plain_loop(std::int64_t rows, const std::int64_t* row_offsets, const Index* columns, const Value* values,
                const Value* x, Value* y, int threads);

}  // namespace lacis::measure

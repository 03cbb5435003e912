// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The product as a C++ programmer writes it in a minute: the baseline of every comparison.
#pragma once

#include <cstdint>

#include "measure/columns.hpp"

namespace lacis::measure {

/// y = A x for CSR arrays, one OpenMP loop over the rows.
template <class Value, class Index>
void plain_loop(std::int64_t rows, const std::int64_t* row_offsets, const Index* columns, const Value* values,
                const Value* x, Value* y, int threads);

/// Y = A X with `count` dense columns, both in that order: one OpenMP loop over the rows, in it one over the entries
/// and one over the columns.
template <class Value, class Index>
void plain_loop(std::int64_t rows, std::int64_t cols, const std::int64_t* row_offsets, const Index* columns,
                const Value* values, std::int64_t count, dense_order order, const Value* x, Value* y, int threads);

}  // namespace lacis::measure

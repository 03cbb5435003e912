// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Conjugate gradients as one would write them for one small system: the yardstick of batches.
#pragma once

#include <cstdint>

namespace lacis::measure {

/// Solves A x = b from x = 0 until |r| <= tolerance |b| by the recurrence; `memory` has room for three vectors. Returns
/// the iterations.
template <class Value>
std::int64_t plain_cg(std::int64_t rows, const std::int64_t* row_offsets, const std::int32_t* columns,
                      const Value* values, const Value* b, Value* x, Value* memory, double tolerance,
                      std::int64_t most_iterations);

}  // namespace lacis::measure

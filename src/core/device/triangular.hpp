// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Triangular systems on a device.
#pragma once

#include <cstdint>

#include "base/internal.hpp"
#include "device/matrix.hpp"
#include "device/runtime.hpp"
#include "summation/triangular.hpp"

namespace lacis::device {

using summation::diagonal;
using summation::triangle;

/// What is found out about a triangle once, for many right-hand sides. It holds the flags of a solution under way, so
/// one stream uses it at a time.
struct triangular_plan {
  triangle part;
  diagonal kind;
  std::int64_t rows = 0;
  device_array<std::int64_t> splits;   ///< where the triangle of a row ends or begins
  device_array<std::int32_t> ready;    ///< for each row: x is known
  device_array<std::int64_t> tickets;  ///< the next row
};

/// Throws error(invalid_argument) when A is not square, error(invalid_matrix) that names the first row whose columns do
/// not ascend or which stores no diagonal where one is wanted. Entries outside of the triangle are not read.
template <class Value, class Index>
[[nodiscard]] LACIS_INTERNAL triangular_plan plan_triangular(runtime& device, const device_csr<Value, Index>& a,
                                                             triangle part, diagonal kind);

/// Solves A x = b: the bits of summation::solve_lower and solve_upper. b and x are on the device, apart from each
/// other.
template <class Value, class Index>
LACIS_INTERNAL void solve(runtime& device, triangular_plan& plan, const device_csr<Value, Index>& a,
                          const device_of<Value>* b, device_of<Value>* x);

}  // namespace lacis::device

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Three loops per iteration, as compilers find them.
#include "measure/plain_cg.hpp"

namespace lacis::measure {

template <class Value>
std::int64_t plain_cg(std::int64_t rows, const std::int64_t* row_offsets, const std::int32_t* columns,
                      const Value* values, const Value* b, Value* x, Value* memory, double tolerance,
                      std::int64_t most_iterations) {
  Value* const r = memory;
  Value* const p = memory + rows;
  Value* const q = memory + 2 * rows;
  Value rho = 0;
  for (std::int64_t i = 0; i < rows; ++i) {
    x[i] = 0;
    r[i] = p[i] = b[i];
    rho += b[i] * b[i];
  }
  const double goal = tolerance * tolerance * static_cast<double>(rho);
  std::int64_t done = 0;
  for (; static_cast<double>(rho) > goal && done < most_iterations; ++done) {
    Value curvature = 0;
    for (std::int64_t i = 0; i < rows; ++i) {
      Value sum = 0;
      for (std::int64_t k = row_offsets[i]; k < row_offsets[i + 1]; ++k) sum += values[k] * p[columns[k]];
      q[i] = sum;
      curvature += sum * p[i];
    }
    const Value alpha = rho / curvature;
    Value next = 0;
    for (std::int64_t i = 0; i < rows; ++i) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
      next += r[i] * r[i];
    }
    const Value beta = next / rho;
    rho = next;
    for (std::int64_t i = 0; i < rows; ++i) p[i] = r[i] + beta * p[i];
  }
  return done;
}

template std::int64_t plain_cg(std::int64_t, const std::int64_t*, const std::int32_t*, const float*, const float*,
                               float*, float*, double, std::int64_t);
template std::int64_t plain_cg(std::int64_t, const std::int64_t*, const std::int32_t*, const double*, const double*,
                               double*, double*, double, std::int64_t);

}  // namespace lacis::measure

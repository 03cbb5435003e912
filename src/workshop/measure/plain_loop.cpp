// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Plain CSR loops, compiled with -O3.
#include "measure/plain_loop.hpp"

#include "base/instantiate.hpp"

namespace lacis::measure {

template <class Value, class Index>
void plain_loop(std::int64_t rows, const std::int64_t* row_offsets, const Index* columns, const Value* values,
                const Value* x, Value* y, int threads) {
#pragma omp parallel for num_threads(threads)
  for (std::int64_t i = 0; i < rows; ++i) {
    Value sum = 0;
    for (std::int64_t k = row_offsets[i]; k < row_offsets[i + 1]; ++k) sum += values[k] * x[columns[k]];
    y[i] = sum;
  }
}

template <class Value, class Index>
void plain_loop(std::int64_t rows, std::int64_t cols, const std::int64_t* row_offsets, const Index* columns,
                const Value* values, std::int64_t count, dense_order order, const Value* x, Value* y, int threads) {
  if (order == dense_order::row) {
#pragma omp parallel for num_threads(threads)
    for (std::int64_t i = 0; i < rows; ++i) {
      Value* const row = y + i * count;
      for (std::int64_t c = 0; c < count; ++c) row[c] = 0;
      for (std::int64_t k = row_offsets[i]; k < row_offsets[i + 1]; ++k) {
        const Value value = values[k];
        const Value* const other = x + columns[k] * count;
        for (std::int64_t c = 0; c < count; ++c) row[c] += value * other[c];
      }
    }
  } else {
#pragma omp parallel for num_threads(threads)
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t c = 0; c < count; ++c) y[c * rows + i] = 0;
      for (std::int64_t k = row_offsets[i]; k < row_offsets[i + 1]; ++k) {
        const Value value = values[k];
        const Value* const other = x + columns[k];
        for (std::int64_t c = 0; c < count; ++c) y[c * rows + i] += value * other[c * cols];
      }
    }
  }
}

#define LACIS_PLAIN_LOOP(Value, Index)                                                                                \
  template void plain_loop(std::int64_t, const std::int64_t*, const Index*, const Value*, const Value*, Value*, int); \
  template void plain_loop(std::int64_t, std::int64_t, const std::int64_t*, const Index*, const Value*, std::int64_t, \
                           dense_order, const Value*, Value*, int);
LACIS_FOR_EACH_TYPE(LACIS_PLAIN_LOOP)

}  // namespace lacis::measure

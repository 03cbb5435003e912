// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A plain CSR loop, compiled with -O3.
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

#define LACIS_PLAIN_LOOP(Value, Index) \
  template void plain_loop(std::int64_t, const std::int64_t*, const Index*, const Value*, const Value*, Value*, int);
LACIS_FOR_EACH_TYPE(LACIS_PLAIN_LOOP)

}  // namespace lacis::measure

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The public headers as CUDA C++: views are plain data that a kernel launch can take apart.
#include <lacis/lacis.hpp>

__global__ void count_long_rows(std::int64_t rows, const std::int64_t* row_offsets, unsigned long long* count) {
  const std::int64_t row = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  if (row < rows && row_offsets[row + 1] - row_offsets[row] > 32) atomicAdd(count, 1ull);
}

void launch_count(const lacis::csr_view<double>& a, unsigned long long* count) {
  count_long_rows<<<static_cast<unsigned>((a.rows + 255) / 256), 256>>>(a.rows, a.row_offsets.data(), count);
}

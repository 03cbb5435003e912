// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Kernels of src/core/kernels once more as plain CUDA, for double and 32-bit columns: the Team must not cost anything,
// so ptxas must need as many registers for either (tools/ptxas-table --against-plain).
#include <stdint.h>

#include "cuda/registers.cuh"

namespace plain {

__device__ __forceinline__ void update(double alpha, double sum, double beta, double* y) {
  const double scaled = alpha == 1 ? sum : alpha * sum;
  *y = beta == 0 ? scaled : scaled + (beta == 1 ? *y : beta * *y);
}

__global__ void __launch_bounds__(256)
    axpby(int64_t count, double alpha, const double* __restrict__ x, double beta, double* y) {
  const int64_t i = int64_t{blockIdx.x} * 256 + threadIdx.x;
  if (i >= count) return;
  if (alpha == 0)
    y[i] = beta == 0 ? 0 : beta == 1 ? y[i] : beta * y[i];
  else
    update(alpha, x[i], beta, &y[i]);
}

__global__ void __maxnreg__(lacis::cuda::most_registers<double>)
    csr_row(int64_t rows, const int64_t* __restrict__ row_offsets, const int* __restrict__ columns,
            const double* __restrict__ values, const double* __restrict__ x, double* y) {
  const int64_t row = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  double sum = 0;
  const int64_t end = row_offsets[row + 1];
  for (int64_t k = row_offsets[row]; k < end; ++k) sum += values[k] * x[columns[k]];
  y[row] = sum;
}

__global__ void __maxnreg__(lacis::cuda::most_registers<double>)
    csr_warp_shuffle(int64_t rows, const int64_t* __restrict__ row_offsets, const int* __restrict__ columns,
                     const double* __restrict__ values, const double* __restrict__ x, double* y) {
  const int64_t thread = int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const int64_t row = thread / 32;
  const int lane = static_cast<int>(thread % 32);
  double sum = 0;
  if (row < rows) {
    const int64_t end = row_offsets[row + 1];
    for (int64_t k = row_offsets[row] + lane; k < end; k += 32) sum += values[k] * x[columns[k]];
  }
  for (int half = 16; half > 0; half /= 2) sum += __shfl_down_sync(0xffffffffu, sum, half);
  if (lane == 0 && row < rows) y[row] = sum;
}

__global__ void __launch_bounds__(256)
    csr_cached(int64_t rows, int64_t cols, const int64_t* __restrict__ row_offsets, const int* __restrict__ columns,
               const double* __restrict__ values, const double* __restrict__ x, double* y) {
  __shared__ double window[256];
  const int64_t first = int64_t{blockIdx.x} * 256;
  const int64_t row = first + threadIdx.x;
  if (row < cols) window[threadIdx.x] = x[row];
  __syncthreads();
  if (row >= rows) return;
  double sum = 0;
  const int64_t end = row_offsets[row + 1];
  for (int64_t k = row_offsets[row]; k < end; ++k) {
    const int64_t place = columns[k] - first;
    sum += values[k] * (place >= 0 && place < 256 ? window[place] : x[columns[k]]);
  }
  y[row] = sum;
}

__global__ void __launch_bounds__(256)
    csr_long(int64_t chunks, const int64_t* __restrict__ chunk_rows, const int64_t* __restrict__ chunk_numbers,
             const int64_t* __restrict__ row_offsets, const int* __restrict__ columns,
             const double* __restrict__ values, const double* __restrict__ x, double alpha, double beta, double* sums,
             double* y) {
  const int lane = threadIdx.x % 32;
  const int64_t chunk = int64_t{blockIdx.x} * 8 + threadIdx.x / 32;
  if (chunk >= chunks) return;
  const int64_t row = chunk_rows[chunk];
  const int64_t row_begin = row_offsets[row];
  const int64_t row_end = row_offsets[row + 1];
  const int64_t begin = row_begin + chunk_numbers[chunk] * 1024;
  const int64_t end = row_end - begin < 1024 ? row_end : begin + 1024;
  double sum = 0;
  for (int64_t k = begin + lane; k < end; k += 32) sum += values[k] * x[columns[k]];
  for (int half = 16; half > 0; half /= 2) sum += __shfl_down_sync(0xffffffffu, sum, half);
  if (lane != 0) return;
  if (row_end - row_begin <= 1024)
    update(alpha, sum, beta, &y[row]);
  else
    sums[chunk] = sum;
}

__global__ void __launch_bounds__(256) plus_reduce(int64_t count, const double* __restrict__ x, double* total) {
  __shared__ double tree[256];
  const int thread = threadIdx.x;
  const int64_t i = int64_t{blockIdx.x} * 256 + thread;
  tree[thread] = i < count ? x[i] : 0;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (thread < half) tree[thread] += tree[thread + half];
    __syncthreads();
  }
  if (thread == 0) atomicAdd(total, tree[0]);
}

__global__ void __launch_bounds__(256)
    coo_atomic(int64_t entries, int64_t value_step, const int* __restrict__ row_indices,
               const int* __restrict__ columns, const double* __restrict__ values, const double* __restrict__ x,
               double alpha, double* y) {
  const int64_t k = int64_t{blockIdx.x} * 256 + threadIdx.x;
  if (k >= entries) return;
  const double product = values[k * value_step] * x[columns[k]];
  atomicAdd(&y[row_indices[k]], alpha == 1 ? product : alpha * product);
}

}  // namespace plain

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Scans and reductions of the CUDA runtime, by CUB.
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cuda/functional>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "cuda/runtime.cuh"

namespace lacis::cuda {
namespace {

/// The counts and a zero after them, so that an exclusive scan ends with the total.
struct count_or_zero {
  const std::int64_t* counts;
  std::int64_t count;
  __device__ std::int64_t operator()(std::int64_t k) const { return k < count ? counts[k] : 0; }
};

/// CUB asks twice: for the size of its memory, and to work in it.
template <class Call> cudaError_t with_memory(cudaStream_t stream, const Call& call) {
  std::size_t bytes = 0;
  if (const cudaError_t status = call(nullptr, bytes); status != cudaSuccess) return status;
  scratch memory(stream);
  if (const cudaError_t status = memory.reserve(bytes); status != cudaSuccess) return status;
  return call(memory.data(), bytes);
}

}  // namespace

cudaError_t scan(const std::int64_t* counts, std::int64_t* offsets, std::int64_t count, cudaStream_t stream) {
  const auto padded =
      thrust::make_transform_iterator(thrust::make_counting_iterator(std::int64_t{0}), count_or_zero{counts, count});
  return with_memory(stream, [&](void* memory, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveSum(memory, bytes, padded, offsets, count + 1, stream);
  });
}

cudaError_t reduce(lacis_reduction operation, const std::int64_t* values, std::int64_t count, std::int64_t* result,
                   cudaStream_t stream) {
  return with_memory(stream, [&](void* memory, std::size_t& bytes) {
    return operation == lacis_reduce_sum ? cub::DeviceReduce::Sum(memory, bytes, values, result, count, stream)
                                         : cub::DeviceReduce::Reduce(memory, bytes, values, result, count,
                                                                     ::cuda::maximum<>{}, std::int64_t{0}, stream);
  });
}

}  // namespace lacis::cuda

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Sorting of segments in the CUDA runtime, by CUB.
#include <cub/device/device_segmented_sort.cuh>

#include "cuda/runtime.cuh"

namespace lacis::cuda {
namespace {

struct alignas(16) sixteen_bytes {
  std::uint64_t words[2];
};

std::size_t rounded(std::size_t bytes) { return (bytes + 255) / 256 * 256; }

/// CUB sorts back and forth between two buffers; ours may not be the one in which it ends.
template <class Key, class Value>
cudaError_t sort(void* keys, void* values, const std::int64_t* offsets, std::int64_t segments, std::int64_t count,
                 cudaStream_t stream) {
  const std::size_t key_bytes = static_cast<std::size_t>(count) * sizeof(Key);
  const std::size_t value_bytes = static_cast<std::size_t>(count) * sizeof(Value);
  cub::DoubleBuffer<Key> key_buffers(static_cast<Key*>(keys), nullptr);
  cub::DoubleBuffer<Value> value_buffers(static_cast<Value*>(values), nullptr);
  const auto run = [&](void* memory, std::size_t& bytes) {
    return cub::DeviceSegmentedSort::SortPairs(memory, bytes, key_buffers, value_buffers, count, segments, offsets,
                                               offsets + 1, stream);
  };

  std::size_t bytes = 0;
  if (const cudaError_t status = run(nullptr, bytes); status != cudaSuccess) return status;
  scratch memory(stream);
  if (const cudaError_t status = memory.reserve(rounded(key_bytes) + rounded(value_bytes) + bytes);
      status != cudaSuccess)
    return status;
  auto* const begin = static_cast<char*>(memory.data());
  key_buffers.d_buffers[1] = reinterpret_cast<Key*>(begin);
  value_buffers.d_buffers[1] = reinterpret_cast<Value*>(begin + rounded(key_bytes));
  if (const cudaError_t status = run(begin + rounded(key_bytes) + rounded(value_bytes), bytes); status != cudaSuccess)
    return status;

  if (key_buffers.Current() != keys)
    if (const cudaError_t status =
            cudaMemcpyAsync(keys, key_buffers.Current(), key_bytes, cudaMemcpyDeviceToDevice, stream);
        status != cudaSuccess)
      return status;
  if (value_buffers.Current() != values)
    return cudaMemcpyAsync(values, value_buffers.Current(), value_bytes, cudaMemcpyDeviceToDevice, stream);
  return cudaSuccess;
}

}  // namespace

cudaError_t sort_segments(void* keys, std::int32_t key_bytes, void* values, std::int32_t value_bytes,
                          const std::int64_t* offsets, std::int64_t segments, std::int64_t count, cudaStream_t stream) {
  if (key_bytes == 4)
    return value_bytes == 4   ? sort<std::int32_t, std::uint32_t>(keys, values, offsets, segments, count, stream)
           : value_bytes == 8 ? sort<std::int32_t, std::uint64_t>(keys, values, offsets, segments, count, stream)
                              : sort<std::int32_t, sixteen_bytes>(keys, values, offsets, segments, count, stream);
  return value_bytes == 4   ? sort<std::int64_t, std::uint32_t>(keys, values, offsets, segments, count, stream)
         : value_bytes == 8 ? sort<std::int64_t, std::uint64_t>(keys, values, offsets, segments, count, stream)
                            : sort<std::int64_t, sixteen_bytes>(keys, values, offsets, segments, count, stream);
}

}  // namespace lacis::cuda

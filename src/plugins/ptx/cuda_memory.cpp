// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The CUDA runtime over the interpreter: memory.
#include <cstring>
#include <new>

#include "ptx/cuda_runtime.hpp"

using lacis::ptx::report;
using lacis::ptx::storage;
using lacis::ptx::the_interpreter;

extern "C" {

// There is one pool, without a state of its own.
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps*) {
  *pool = reinterpret_cast<cudaMemPool_t>(&the_interpreter());
  return cudaSuccess;
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t) { return cudaSuccess; }
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*) { return cudaSuccess; }
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t, cudaMemPoolAttr, void* value) {
  *static_cast<std::uint64_t*>(value) = 0;
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* all_bytes) {
  *free_bytes = the_interpreter().memory().free_bytes();
  *all_bytes = the_interpreter().memory().all_bytes();
  return cudaSuccess;
}

cudaError_t cudaMallocFromPoolAsync(void** memory, std::size_t bytes, cudaMemPool_t, cudaStream_t) {
  try {
    *memory = the_interpreter().memory().allocate(bytes);
  } catch (const std::bad_alloc&) {
    *memory = nullptr;
  }
  return *memory != nullptr ? cudaSuccess : report(cudaErrorMemoryAllocation);
}
cudaError_t cudaFreeAsync(void* memory, cudaStream_t) {
  return the_interpreter().memory().release(memory) ? cudaSuccess : report(cudaErrorInvalidValue);
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t) {
  if (bytes == 0) return cudaSuccess;
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  storage* const target = to_device ? the_interpreter().memory().find(to, bytes) : nullptr;
  storage* const source = from_device ? the_interpreter().memory().find(from, bytes) : nullptr;
  if ((to_device && target == nullptr) || (from_device && source == nullptr)) return report(cudaErrorInvalidValue);
  std::memmove(to, from, bytes);
  if (target != nullptr && source != nullptr)
    target->copy_filled(static_cast<const char*>(to), *source, static_cast<const char*>(from), bytes);
  else if (target != nullptr)
    target->mark_filled(static_cast<const char*>(to), bytes);
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* memory, int byte, std::size_t bytes, cudaStream_t) {
  storage* const target = the_interpreter().memory().find(memory, bytes);
  if (target == nullptr) return report(cudaErrorInvalidValue);
  std::memset(memory, byte, bytes);
  target->mark_filled(static_cast<const char*>(memory), bytes);
  return cudaSuccess;
}

}  // extern "C"

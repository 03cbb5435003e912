// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The CUDA runtime over the interpreter: kernels are registered by the start of the plugin, found by the addresses of
// their functions on the host, and run.
#include <algorithm>

#include "ptx/cuda_runtime.hpp"

using lacis::ptx::kernel;
using lacis::ptx::report;
using lacis::ptx::the_interpreter;

namespace {

constexpr int most_threads = 1024;

struct call_configuration {
  dim3 grid;
  dim3 block;
  std::size_t shared = 0;
  cudaStream_t stream = nullptr;
};
call_configuration pushed;
void* binary = nullptr;

cudaError_t launch(const void* function, dim3 grid, dim3 block, void** arguments, std::size_t shared) {
  if (grid.y != 1 || grid.z != 1 || block.y != 1 || block.z != 1 || grid.x == 0 || block.x == 0 ||
      block.x > most_threads)
    return report(cudaErrorInvalidConfiguration);
  try {
    the_interpreter().launch(function, {grid.x, static_cast<int>(block.x), shared}, arguments);
    return cudaSuccess;
  } catch (const std::exception& failure) {
    return report(cudaErrorLaunchFailure, failure.what());
  }
}

}  // namespace

extern "C" {

// What nvcc's host code calls, declared in a header that only nvcc can read.
void** __cudaRegisterFatBinary(void* wrapper);
void __cudaRegisterFatBinaryEnd(void** handle);
void __cudaUnregisterFatBinary(void** handle);
void __cudaRegisterFunction(void** handle, const char* host_function, char* device_function, const char* device_name,
                            int thread_limit, uint3* thread, uint3* block, dim3* block_size, dim3* grid_size,
                            int* warp_size);
void __cudaRegisterVar(void** handle, char* host, char* device, const char* name, int external, std::size_t bytes,
                       int constant, int global);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, CUstream_st* stream);
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream);
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                               cudaStream_t stream);

void** __cudaRegisterFatBinary(void* wrapper) {
  the_interpreter().add_binary(wrapper);
  return &binary;
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
void __cudaRegisterFunction(void**, const char* host_function, char*, const char* device_name, int, uint3*, uint3*,
                            dim3*, dim3*, int*) {
  the_interpreter().add_kernel(host_function, device_name);
}
void __cudaRegisterVar(void**, char*, char*, const char*, int, std::size_t, int, int) {}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, CUstream_st* stream) {
  pushed = {grid, block, shared, stream};
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
  *grid = pushed.grid;
  *block = pushed.block;
  *shared = pushed.shared;
  *static_cast<cudaStream_t*>(stream) = pushed.stream;
  return cudaSuccess;
}
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void*>(function));
  return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                               cudaStream_t) {
  return launch(kernel, grid, block, arguments, shared);
}
cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                             cudaStream_t) {
  return launch(function, grid, block, arguments, shared);
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void** arguments) {
  return launch(function, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes);
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* facts, const void* function) {
  try {
    const kernel* const found = the_interpreter().find(function);
    if (found == nullptr) return report(cudaErrorNoKernelImageForDevice);
    *facts = {};
    facts->maxThreadsPerBlock = found->most_threads != 0 ? found->most_threads : most_threads;
    facts->sharedSizeBytes = found->shared_bytes;
    facts->ptxVersion = facts->binaryVersion = the_interpreter().architecture_of(the_interpreter().device);
    return cudaSuccess;
  } catch (const std::exception& failure) {
    return report(cudaErrorInvalidPtx, failure.what());
  }
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void*, int threads, std::size_t,
                                                                   unsigned) {
  *blocks = most_threads / std::max(threads, 1);
  return cudaSuccess;
}

}  // extern "C"

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Kernels of the stub: registered, looked up, and held to the limits of compute capability 7.5 when they are launched.
#include <algorithm>

#include "books.hpp"

using namespace stub;

namespace {

constexpr std::int64_t most_blocks = 2147483647;
constexpr std::int64_t most_blocks_in_y = 65535;
constexpr std::int64_t most_threads = 1024;
constexpr std::int64_t warp = 32;
constexpr std::int64_t most_shared = 48 * 1024;
constexpr std::int64_t most_registers = 65536;

dim3 pushed_grid;
dim3 pushed_block;
std::size_t pushed_shared = 0;
cudaStream_t pushed_stream = nullptr;
void* fat_binary = nullptr;

bool within(bool holds, const std::string& kernel, const char* what) {
  if (!holds) violate("a launch of " + kernel + ": " + what);
  return holds;
}

cudaError_t launch(const void* function, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                   cudaStream_t handle) {
  stream* const where = find_stream(handle, "a launch");
  if (where == nullptr) return report(cudaErrorInvalidResourceHandle);
  const auto found = all().kernels.find(function);
  if (found == all().kernels.end()) {
    violate("a launch of something that is not registered as a kernel");
    return report(cudaErrorInvalidDeviceFunction);
  }
  const std::string& name = found->second;
  const std::int64_t threads = std::int64_t{block.x} * block.y * block.z;
  const bool good =
      within(grid.x >= 1 && grid.x <= most_blocks && grid.y >= 1 && grid.y <= most_blocks_in_y && grid.z >= 1 &&
                 grid.z <= most_blocks_in_y,
             name, "a grid has at least 1 and at most 2147483647 blocks") &&
      within(threads >= 1 && threads <= most_threads, name, "a block has at least 1 and at most 1024 threads") &&
      within(threads % warp == 0, name, "blocks are whole warps") &&
      within(static_cast<std::int64_t>(shared) + all().shared_bytes <= most_shared, name,
             "a block has at most 48 KB of shared memory") &&
      within(all().registers * threads <= most_registers, name, "a block has at most 65536 registers");
  if (!good) return report(cudaErrorInvalidConfiguration);
  const stub_launch record{name.c_str(), std::int64_t{grid.x} * grid.y * grid.z, threads,
                           static_cast<std::int64_t>(shared), handle};
  all().launches.push_back(record);
  ++where->issued;
  if (all().run != nullptr)
    if (const int error = all().run(all().run_state, &record, arguments); error != 0)
      all().fault = static_cast<cudaError_t>(error);
  return cudaSuccess;
}

}  // namespace

extern "C" {

// What nvcc's host code calls, declared in a header that only nvcc can read.
void** __cudaRegisterFatBinary(void* binary);
void __cudaRegisterFatBinaryEnd(void** handle);
void __cudaUnregisterFatBinary(void** handle);
char __cudaInitModule(void** handle);
void __cudaRegisterFunction(void** handle, const char* host_function, char* device_function, const char* device_name,
                            int thread_limit, uint3* thread, uint3* block, dim3* block_size, dim3* grid_size,
                            int* warp_size);
void __cudaRegisterVar(void** handle, char* host, char* device, const char* name, int external, std::size_t bytes,
                       int constant, int global);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, CUstream_st* stream);
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream);
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                               cudaStream_t handle);

void** __cudaRegisterFatBinary(void*) { return &fat_binary; }
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
char __cudaInitModule(void**) { return 1; }
void __cudaRegisterFunction(void**, const char* host_function, char*, const char* device_name, int, uint3*, uint3*,
                            dim3*, dim3*, int*) {
  all().kernels[host_function] = device_name;
}
void __cudaRegisterVar(void**, char*, char*, const char*, int, std::size_t, int, int) {}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, CUstream_st* stream) {
  pushed_grid = grid;
  pushed_block = block;
  pushed_shared = shared;
  pushed_stream = stream;
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
  *grid = pushed_grid;
  *block = pushed_block;
  *shared = pushed_shared;
  *static_cast<cudaStream_t*>(stream) = pushed_stream;
  return cudaSuccess;
}
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void*>(function));
  return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                               cudaStream_t handle) {
  if (const cudaError_t error = enter(__func__); error != cudaSuccess) return error;
  return launch(kernel, grid, block, arguments, shared, handle);
}

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                             cudaStream_t handle) {
  if (const cudaError_t error = enter(__func__); error != cudaSuccess) return error;
  return launch(function, grid, block, arguments, shared, handle);
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void** arguments) {
  if (const cudaError_t error = enter(__func__); error != cudaSuccess) return error;
  return launch(function, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes, config->stream);
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* facts, const void* function) {
  if (const cudaError_t error = enter(__func__); error != cudaSuccess) return error;
  if (!all().kernels.contains(function)) return report(cudaErrorInvalidDeviceFunction);
  const int architecture = all().devices[static_cast<std::size_t>(all().current_device)].architecture;
  if (architecture < 75) return report(cudaErrorNoKernelImageForDevice);
  *facts = {};
  facts->maxThreadsPerBlock = static_cast<int>(most_threads);
  facts->numRegs = all().registers;
  facts->sharedSizeBytes = static_cast<std::size_t>(all().shared_bytes);
  facts->ptxVersion = LACIS_CUDA_ARCHITECTURE;  // that kernels were compiled for: CUB takes only such
  facts->binaryVersion = LACIS_CUDA_ARCHITECTURE;
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void*, int threads, std::size_t,
                                                                   unsigned) {
  if (const cudaError_t error = enter(__func__); error != cudaSuccess) return error;
  *blocks = static_cast<int>(most_threads) / std::max(threads, 1);
  return cudaSuccess;
}

}  // extern "C"

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The table of functions over CUDA, and the only symbol of the plugin. Works on the current device of the calling
// thread, which is the first one unless the program has chosen another.
#include <cstdio>
#include <cstring>
#include <mutex>

#include "cuda/runtime.cuh"
#include "cuda/table.cuh"
#include "kernels/kernel.hpp"

namespace lacis::cuda {
namespace {

struct kernel_table {
  cuda_kernel all[kernels::kernel_numbers];
  std::uint64_t hash = 0;
  kernel_table() {
#define LACIS_ADD(header) add_##header##_kernels(all);
    LACIS_FOR_EACH_KERNEL_HEADER(LACIS_ADD)
#undef LACIS_ADD
    for (int number = 0; number < kernels::kernel_numbers; ++number)
      if (all[number].entry != nullptr)
        hash = kernels::hash_kernel(hash, number, all[number].name, all[number].argument_count);
  }
};
const kernel_table& kernels_by_number() {
  static const kernel_table table;
  return table;
}

/// Pools of our own: the default one belongs to the program, and gives memory back whenever a stream is waited for.
struct memory_pools {
  static constexpr int most_devices = 128;  // as many as CUB remembers
  cudaMemPool_t all[most_devices] = {};
  std::mutex mutex;
};
memory_pools& pools_made() {
  static memory_pools pools;
  return pools;
}

cudaError_t pool_of_device(cudaMemPool_t* pool) {
  int device = 0;
  if (const cudaError_t status = cudaGetDevice(&device); status != cudaSuccess) return status;
  if (device >= memory_pools::most_devices) return cudaErrorInvalidDevice;
  const std::lock_guard lock(pools_made().mutex);
  cudaMemPool_t& own = pools_made().all[device];
  if (own == nullptr) {
    cudaMemPoolProps properties = {};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    properties.location.id = device;
    cudaMemPool_t created = nullptr;
    if (const cudaError_t status = cudaMemPoolCreate(&created, &properties); status != cudaSuccess) return status;
    std::uint64_t all = UINT64_MAX;
    if (const cudaError_t status = cudaMemPoolSetAttribute(created, cudaMemPoolAttrReleaseThreshold, &all);
        status != cudaSuccess) {
      static_cast<void>(cudaMemPoolDestroy(created));
      return status;
    }
    own = created;
  }
  *pool = own;
  return cudaSuccess;
}

/// What new arrays may take of the device in use: what is free, and what our pool keeps without using it.
cudaError_t find_free_bytes(int device, std::int64_t* bytes) {
  std::size_t free_bytes = 0;
  std::size_t all_bytes = 0;
  if (const cudaError_t status = cudaMemGetInfo(&free_bytes, &all_bytes); status != cudaSuccess) return status;
  *bytes = static_cast<std::int64_t>(free_bytes);
  if (device >= memory_pools::most_devices) return cudaSuccess;
  const std::lock_guard lock(pools_made().mutex);
  const cudaMemPool_t own = pools_made().all[device];
  if (own == nullptr) return cudaSuccess;
  std::uint64_t kept = 0;
  std::uint64_t used = 0;
  if (const cudaError_t status = cudaMemPoolGetAttribute(own, cudaMemPoolAttrReservedMemCurrent, &kept);
      status != cudaSuccess)
    return status;
  if (const cudaError_t status = cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &used);
      status != cudaSuccess)
    return status;
  *bytes += static_cast<std::int64_t>(kept - used);
  return cudaSuccess;
}

/// Whether there is code for the device. CUDA looks for it on the device in use, so that changes for a moment.
cudaError_t find_kernels(int device, int in_use) {
  if (device != in_use)
    if (const cudaError_t status = cudaSetDevice(device); status != cudaSuccess) return status;
  cudaFuncAttributes compiled = {};
  const cuda_kernel& first = kernels_by_number().all[0];  // of the first types: every kernel is compiled for them
  const cudaError_t found = cudaFuncGetAttributes(&compiled, first.entry);
  const cudaError_t back = device != in_use ? cudaSetDevice(in_use) : cudaSuccess;
  return found != cudaSuccess ? found : back;
}

cudaStream_t stream_of(void* stream) { return static_cast<cudaStream_t>(stream); }
cudaEvent_t event_of(void* event) { return static_cast<cudaEvent_t>(event); }

}  // namespace

cudaError_t allocate(void** memory, std::size_t bytes, cudaStream_t stream) {
  cudaMemPool_t pool = nullptr;
  if (const cudaError_t status = pool_of_device(&pool); status != cudaSuccess) return status;
  return cudaMallocFromPoolAsync(memory, bytes, pool, stream);
}

namespace {

struct functions {
  static std::int32_t probe(void*, std::int32_t number, lacis_device_facts* facts) {
    *facts = {};
    facts->toolkit = CUDART_VERSION;
    if (cudaDriverGetVersion(&facts->driver) != cudaSuccess || facts->driver == 0) {
      static_cast<void>(cudaGetLastError());
      return fail(lacis_code_no_driver, "CUDA: no NVIDIA driver on this machine");
    }
    if (facts->driver / 1000 < CUDART_VERSION / 1000)  // within a major version any driver will do
      return fail(lacis_code_old_driver, "CUDA: the driver is for CUDA %d.%d, the kernels need one for %d.0",
                  facts->driver / 1000, facts->driver % 1000 / 10, CUDART_VERSION / 1000);
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess) count = 0;
    static_cast<void>(cudaGetLastError());
    if (count == 0) return fail(lacis_code_no_device, "CUDA: the driver sees no device");
    if (number >= count)
      return fail(lacis_code_no_device, "CUDA: there is no device %d; there are %d, counted from 0", number, count);
    int in_use = 0;
    if (const std::int32_t code = check(cudaGetDevice(&in_use), "finding a device"); code != 0) return code;
    const int device = number < 0 ? in_use : number;
    cudaDeviceProp properties = {};
    if (const std::int32_t code = check(cudaGetDeviceProperties(&properties, device), "describing the device");
        code != 0)
      return code;
    std::memcpy(facts->name, properties.name, sizeof facts->name - 1);
    facts->architecture = properties.major * 10 + properties.minor;
    facts->multiprocessors = properties.multiProcessorCount;
    facts->memory_bytes = static_cast<std::int64_t>(properties.totalGlobalMem);
    facts->shared_bytes = static_cast<std::int64_t>(properties.sharedMemPerBlock);
    if (properties.memoryPoolsSupported == 0)
      return fail(lacis_code_device, "CUDA: %s has no memory pools, which lacis allocates from", properties.name);
    if (device == in_use)
      if (const std::int32_t code = check(find_free_bytes(device, &facts->free_bytes), "asking for free memory");
          code != 0)
        return code;
    const cudaError_t status = find_kernels(device, in_use);
    if (status != cudaErrorNoKernelImageForDevice && status != cudaErrorInvalidDeviceFunction)
      return check(status, "looking for kernels");
    static_cast<void>(cudaGetLastError());
    return fail(lacis_code_no_kernels, "CUDA: lacis was not compiled for %s (compute capability %d.%d)",
                properties.name, properties.major, properties.minor);
  }
  static std::int32_t use(void*, std::int32_t number, std::int32_t* before) {
    if (before != nullptr)
      if (const std::int32_t code = check(cudaGetDevice(before), "finding a device"); code != 0) return code;
    return check(cudaSetDevice(number), "choosing a device");
  }
  static const char* message(void*, std::int32_t) { return last_words(); }

  static std::int32_t allocate(void*, std::size_t bytes, void* stream, void** memory) {
    const cudaError_t status = cuda::allocate(memory, bytes, stream_of(stream));
    if (status != cudaErrorMemoryAllocation) return check(status, "allocating");
    static_cast<void>(cudaGetLastError());
    std::size_t free_bytes = 0;
    std::size_t all_bytes = 0;
    static_cast<void>(cudaMemGetInfo(&free_bytes, &all_bytes));
    return fail(lacis_code_no_memory, "CUDA: no memory for %zu bytes; %zu of %zu are free", bytes, free_bytes,
                all_bytes);
  }
  static std::int32_t release(void*, void* memory, void* stream) {
    return check(cudaFreeAsync(memory, stream_of(stream)), "releasing memory");
  }
  static std::int32_t copy(void*, void* to, const void* from, std::size_t bytes, lacis_copy_direction direction,
                           void* stream) {
    const cudaMemcpyKind kind = direction == lacis_copy_to_device ? cudaMemcpyHostToDevice
                                : direction == lacis_copy_to_host ? cudaMemcpyDeviceToHost
                                                                  : cudaMemcpyDeviceToDevice;
    return check(cudaMemcpyAsync(to, from, bytes, kind, stream_of(stream)), "copying");
  }
  static std::int32_t fill(void*, void* memory, int byte, std::size_t bytes, void* stream) {
    return check(cudaMemsetAsync(memory, byte, bytes, stream_of(stream)), "filling");
  }

  static std::int32_t launch(void*, std::int32_t kernel, std::int32_t blocks, std::int32_t block_threads,
                             void** arguments, std::int32_t argument_count, void* stream) {
    if (kernel < 0 || kernel >= kernels::kernel_numbers || kernels_by_number().all[kernel].entry == nullptr)
      return fail(lacis_code_invalid, "CUDA: there is no kernel %d", kernel);
    const cuda_kernel& entry = kernels_by_number().all[kernel];
    if (entry.argument_count != argument_count)
      return fail(lacis_code_invalid, "kernel %s has %d arguments, not %d", entry.name, entry.argument_count,
                  argument_count);
    remember_kernel(entry.name);
    const cudaError_t status = cudaLaunchKernel(
        entry.entry, dim3(static_cast<unsigned>(blocks)), dim3(static_cast<unsigned>(block_threads)), arguments,
        static_cast<std::size_t>(entry.shared_bytes_by_thread) * static_cast<std::size_t>(block_threads),
        stream_of(stream));
    if (status == cudaSuccess) return lacis_code_ok;
    char what[160];
    std::snprintf(what, sizeof what, "kernel %s on %d blocks of %d threads", entry.name, blocks, block_threads);
    return check(status, what);
  }
  static std::int32_t scan(void*, const std::int64_t* counts, std::int64_t* offsets, std::int64_t count, void* stream) {
    return check(cuda::scan(counts, offsets, count, stream_of(stream)), "scanning");
  }
  static std::int32_t sort_segments(void*, void* keys, std::int32_t key_bytes, void* values, std::int32_t value_bytes,
                                    const std::int64_t* offsets, std::int64_t segments, std::int64_t count,
                                    void* stream) {
    if ((key_bytes != 4 && key_bytes != 8) || (value_bytes != 4 && value_bytes != 8 && value_bytes != 16))
      return fail(lacis_code_invalid,
                  "no sort of keys of %d and values of %d bytes; keys have 4 or 8, values 4, 8 or 16", key_bytes,
                  value_bytes);
    if (segments == 0 || count == 0) return lacis_code_ok;
    return check(cuda::sort_segments(keys, key_bytes, values, value_bytes, offsets, segments, count, stream_of(stream)),
                 "sorting");
  }
  static std::int32_t reduce(void*, lacis_reduction operation, const std::int64_t* values, std::int64_t count,
                             std::int64_t* result, void* stream) {
    return check(cuda::reduce(operation, values, count, result, stream_of(stream)), "reducing");
  }

  static std::int32_t create_stream(void*, void** stream) {
    cudaStream_t created = nullptr;
    const cudaError_t status = cudaStreamCreateWithFlags(&created, cudaStreamNonBlocking);
    *stream = created;
    return check(status, "creating a stream");
  }
  static std::int32_t destroy_stream(void*, void* stream) {
    return check(cudaStreamDestroy(stream_of(stream)), "destroying a stream");
  }
  static std::int32_t wait(void*, void* stream) {
    return check(cudaStreamSynchronize(stream_of(stream)), "waiting for a stream");
  }
  static std::int32_t create_event(void*, void** event) {
    cudaEvent_t created = nullptr;
    const cudaError_t status = cudaEventCreate(&created);
    *event = created;
    return check(status, "creating an event");
  }
  static std::int32_t destroy_event(void*, void* event) {
    return check(cudaEventDestroy(event_of(event)), "destroying an event");
  }
  static std::int32_t record(void*, void* event, void* stream) {
    return check(cudaEventRecord(event_of(event), stream_of(stream)), "recording an event");
  }
  static std::int32_t elapsed(void*, void* first, void* last, double* seconds) {
    if (const std::int32_t code = check(cudaEventSynchronize(event_of(last)), "waiting for an event"); code != 0)
      return code;
    float milliseconds = 0;
    const std::int32_t code =
        check(cudaEventElapsedTime(&milliseconds, event_of(first), event_of(last)), "timing events");
    *seconds = static_cast<double>(milliseconds) * 1e-3;
    return code;
  }

  static std::int32_t peer_spmv(void*, const lacis_peer_csr* a, const void* x, void* y, std::int32_t repeats,
                                void* stream, lacis_peer_result* result) {
    return cuda::peer_spmv(*a, x, y, repeats, stream_of(stream), *result);
  }
  static std::int32_t peer_vector(void*, lacis_peer_operation operation, lacis_value_type value_type,
                                  std::int64_t count, const void* x, void* y, std::int32_t repeats, void* stream,
                                  lacis_peer_result* result) {
    return cuda::peer_vector(operation, value_type, count, x, y, repeats, stream_of(stream), *result);
  }
};

}  // namespace
}  // namespace lacis::cuda

/// The table; the caller compares its version and its kernels.
extern "C" [[gnu::visibility("default")]] const lacis_runtime* lacis_cuda_runtime() {
  using f = lacis::cuda::functions;
  static const lacis_runtime table = {lacis_runtime_version,
                                      sizeof(lacis_runtime),
                                      lacis::cuda::kernels_by_number().hash,
                                      nullptr,
                                      f::probe,
                                      f::use,
                                      f::message,
                                      f::allocate,
                                      f::release,
                                      f::copy,
                                      f::fill,
                                      f::launch,
                                      f::scan,
                                      f::sort_segments,
                                      f::reduce,
                                      f::create_stream,
                                      f::destroy_stream,
                                      f::wait,
                                      f::create_event,
                                      f::destroy_event,
                                      f::record,
                                      f::elapsed,
                                      f::peer_spmv,
                                      f::peer_vector};
  return &table;
}

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Memory of the stub: pools, allocations with guards, copies, fills.
#include <algorithm>
#include <cstring>

#include "books.hpp"

namespace stub {
namespace {

constexpr std::size_t alignment = 256;
constexpr std::size_t guard_bytes = 256;
constexpr char guard_byte = 0x5a;
constexpr int unfinished_byte = 0xdb;

}  // namespace

void check_guards(const array& checked) {
  const auto intact = [](const char* begin) {
    return std::all_of(begin, begin + guard_bytes, [](char byte) { return byte == guard_byte; });
  };
  if (!intact(checked.begin - guard_bytes) || !intact(checked.begin + checked.bytes))
    violate("something was written beside an array of " + std::to_string(checked.bytes) + " bytes");
}

}  // namespace stub

using namespace stub;

extern "C" {

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  if (const cudaError_t error = enter(__func__); error != cudaSuccess) return error;
  const int device = properties->location.id;
  if (device < 0 || device >= static_cast<int>(all().devices.size())) return report(cudaErrorInvalidDevice);
  *pool = reinterpret_cast<cudaMemPool_t>(++all().pools_made);
  all().pools[*pool] = device;
  return cudaSuccess;
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  if (const cudaError_t error = enter(__func__); error != cudaSuccess) return error;
  return all().pools.erase(pool) == 1 ? cudaSuccess : report(cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr, void*) {
  if (const cudaError_t error = enter(__func__); error != cudaSuccess) return error;
  return all().pools.contains(pool) ? cudaSuccess : report(cudaErrorInvalidValue);
}

/// A pool keeps no more than is in use.
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr, void* value) {
  if (const cudaError_t error = enter(__func__); error != cudaSuccess) return error;
  const auto used = static_cast<std::uint64_t>(all().live_bytes);
  std::memcpy(value, &used, sizeof used);
  return all().pools.contains(pool) ? cudaSuccess : report(cudaErrorInvalidValue);
}

cudaError_t cudaMallocFromPoolAsync(void** memory, std::size_t bytes, cudaMemPool_t pool, cudaStream_t handle) {
  if (const cudaError_t error = enter(__func__); error != cudaSuccess) return error;
  stream* const where = find_stream(handle, "an allocation");
  if (where == nullptr) return report(cudaErrorInvalidResourceHandle);
  const auto found = all().pools.find(pool);
  if (found == all().pools.end() || found->second != where->device) {
    violate("an allocation from a pool that is not the device's");
    return report(cudaErrorInvalidValue);
  }
  if (static_cast<std::int64_t>(bytes) > all().memory - all().live_bytes) return report(cudaErrorMemoryAllocation);
  const std::size_t all_bytes = bytes + 2 * guard_bytes + alignment;
  array made;
  made.block = std::make_unique<char[]>(all_bytes);
  void* at = made.block.get() + guard_bytes;
  std::size_t room = all_bytes - guard_bytes;
  made.begin = static_cast<char*>(std::align(alignment, bytes, at, room));
  made.bytes = bytes;
  made.device = where->device;
  made.last = where;
  made.place = ++where->issued;
  std::memset(made.begin - guard_bytes, guard_byte, guard_bytes);
  std::memset(made.begin, all().new_byte, bytes);
  std::memset(made.begin + bytes, guard_byte, guard_bytes);
  *memory = made.begin;
  all().live_bytes += static_cast<std::int64_t>(bytes);
  all().arrays[made.begin] = std::move(made);
  return cudaSuccess;
}

cudaError_t cudaFreeAsync(void* memory, cudaStream_t handle) {
  if (const cudaError_t error = enter(__func__); error != cudaSuccess) return error;
  stream* const where = find_stream(handle, "a release");
  if (where == nullptr) return report(cudaErrorInvalidResourceHandle);
  array* const freed = find_array(memory);
  if (freed == nullptr || freed->begin != memory) {
    violate("a release of " + text_of(memory) + ", which is no array");
    return report(cudaErrorInvalidValue);
  }
  if (!freed->alive) {
    violate("a second release of an array");
    return report(cudaErrorInvalidValue);
  }
  ++where->issued;
  use(memory, freed->bytes, *where, "a release");
  check_guards(*freed);
  freed->alive = false;
  std::memset(freed->begin, unfinished_byte, freed->bytes);
  all().live_bytes -= static_cast<std::int64_t>(freed->bytes);
  return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t handle) {
  if (const cudaError_t error = enter(__func__); error != cudaSuccess) return error;
  stream* const where = find_stream(handle, "a copy");
  if (where == nullptr) return report(cudaErrorInvalidResourceHandle);
  if (bytes == 0) return cudaSuccess;
  ++where->issued;
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  bool good = to_device || from_device;
  if (!good) violate("a copy in a direction that the stub does not know");
  if (from_device)
    good = use(from, bytes, *where, "the source of a copy") && good;
  else if (find_array(from) != nullptr)
    violate("the source of a copy to the device is memory of the device");
  if (to_device)
    good = use(to, bytes, *where, "the target of a copy") && good;
  else if (find_array(to) != nullptr)
    violate("the target of a copy to the host is memory of the device");
  if (!good) return report(cudaErrorInvalidValue);
  const char* const source = static_cast<const char*>(from);
  if (to_device) {
    std::memmove(to, from, bytes);
    if (!from_device) where->reads.push_back({from, std::vector<char>(source, source + bytes), where->issued});
    return cudaSuccess;
  }
  // In one stream, what was copied from there before has been read.
  std::erase_if(where->reads, [&](const copy_to_device& read) {
    const char* const target = static_cast<const char*>(to);
    const char* const read_from = static_cast<const char*>(read.from);
    return read_from < target + bytes && target < read_from + read.bytes.size();
  });
  where->copies.push_back({to, std::vector<char>(source, source + bytes), where->issued});
  std::memset(to, unfinished_byte, bytes);
  return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void* memory, int byte, std::size_t bytes, cudaStream_t handle) {
  if (const cudaError_t error = enter(__func__); error != cudaSuccess) return error;
  stream* const where = find_stream(handle, "a fill");
  if (where == nullptr) return report(cudaErrorInvalidResourceHandle);
  ++where->issued;
  if (!use(memory, bytes, *where, "what is filled")) return report(cudaErrorInvalidValue);
  std::memset(memory, byte, bytes);
  return cudaSuccess;
}

cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* all_bytes) {
  if (const cudaError_t error = enter(__func__); error != cudaSuccess) return error;
  *free_bytes = static_cast<std::size_t>(all().memory - all().live_bytes);
  *all_bytes = static_cast<std::size_t>(all().memory);
  return cudaSuccess;
}

}  // extern "C"

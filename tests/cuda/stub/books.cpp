// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The books of the stub, and what tests read in them.
#include "books.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace stub {

namespace {

void add_devices(books& the, int count, int driver) {
  the.driver = driver;
  the.devices.clear();
  for (int number = 0; number < count; ++number) {
    the.devices.emplace_back();
    the.devices.back().null_stream = std::make_unique<stream>();
    the.devices.back().null_stream->device = number;
  }
}

books fresh_books() {
  books the;
  the.memory = std::int64_t{1} << 32;
  the.new_byte = 0xcb;
  the.registers = 32;
  add_devices(the, 2, CUDART_VERSION);
  return the;
}

}  // namespace

books& all() {
  static books the = fresh_books();
  return the;
}

void violate(std::string words) { all().violations.push_back(std::move(words)); }

std::string text_of(const void* pointer) {
  char words[32];
  std::snprintf(words, sizeof words, "%p", pointer);
  return words;
}

namespace {

bool costs_the_context(cudaError_t error) {
  switch (error) {
    case cudaErrorIllegalAddress:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorIllegalInstruction:
    case cudaErrorHardwareStackError:
    case cudaErrorAssert:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
      return true;
    default:
      return false;
  }
}

}  // namespace

cudaError_t report(cudaError_t error) {
  all().last_error = error;
  if (costs_the_context(error)) all().context = error;
  return error;
}

cudaError_t enter(const char* function) {
  books& the = all();
  const std::int64_t call = ++the.calls[function];
  if (the.context != cudaSuccess) return report(the.context);
  const auto found = std::ranges::find_if(
      the.failures, [&](const failure_to_come& f) { return f.function == function && f.call == call; });
  return found == the.failures.end() ? cudaSuccess : report(found->error);
}

stream* find_stream(cudaStream_t handle, const char* what) {
  books& the = all();
  if (handle == nullptr) return the.devices[static_cast<std::size_t>(the.current_device)].null_stream.get();
  const auto found = the.streams.find(handle);
  if (found == the.streams.end()) {
    violate(std::string(what) + " in an unknown stream");
    return nullptr;
  }
  if (!found->second->alive) {
    violate(std::string(what) + " in a destroyed stream");
    return nullptr;
  }
  if (found->second->device != the.current_device) {
    violate(std::string(what) + " in a stream of device " + std::to_string(found->second->device) + ", while device " +
            std::to_string(the.current_device) + " is in use");
    return nullptr;
  }
  return found->second.get();
}

cudaError_t complete(stream& where, std::int64_t place) {
  if (all().fault != cudaSuccess) {
    where.copies.clear();
    return report(all().fault);
  }
  while (!where.copies.empty() && where.copies.front().place <= place) {
    std::memcpy(where.copies.front().to, where.copies.front().bytes.data(), where.copies.front().bytes.size());
    where.copies.pop_front();
  }
  while (!where.reads.empty() && where.reads.front().place <= place) {
    const copy_to_device& read = where.reads.front();
    if (std::memcmp(read.from, read.bytes.data(), read.bytes.size()) != 0)
      violate("the source of a copy to the device was changed before the copy was waited for");
    where.reads.pop_front();
  }
  where.done = std::max(where.done, place);
  return cudaSuccess;
}

array* find_array(const void* pointer) {
  const char* const at = static_cast<const char*>(pointer);
  auto found = all().arrays.upper_bound(at);
  if (found == all().arrays.begin()) return nullptr;
  --found;
  return at < found->second.begin + found->second.bytes ? &found->second : nullptr;
}

bool use(const void* pointer, std::size_t bytes, stream& where, const char* what) {
  array* const used = find_array(pointer);
  if (used == nullptr) {
    violate(std::string(what) + ": " + text_of(pointer) + " is not in memory of the device");
    return false;
  }
  if (!used->alive) {
    violate(std::string(what) + ": " + text_of(pointer) + " is in memory that has been freed");
    return false;
  }
  const auto room = static_cast<std::size_t>(used->begin + used->bytes - static_cast<const char*>(pointer));
  if (bytes > room) {
    violate(std::string(what) + ": " + std::to_string(bytes) + " bytes where the array has " + std::to_string(room));
    return false;
  }
  if (used->device != where.device)
    violate(std::string(what) + ": memory of device " + std::to_string(used->device) + " on device " +
            std::to_string(where.device));
  if (used->last != &where && used->last->done < used->place)
    violate(std::string(what) + ": memory that another stream may still be using");
  used->last = &where;
  used->place = where.issued;
  return true;
}

}  // namespace stub

using stub::all;

extern "C" {

void stub_reset() {
  stub::books fresh = stub::fresh_books();
  fresh.kernels = std::move(all().kernels);
  fresh.pools = std::move(all().pools);
  fresh.pools_made = all().pools_made;
  all() = std::move(fresh);
}

void stub_devices(std::int32_t count, std::int32_t driver) { stub::add_devices(all(), count, driver); }

void stub_architecture(std::int32_t device, std::int32_t architecture) {
  all().devices[static_cast<std::size_t>(device)].architecture = architecture;
}
void stub_without_pools(std::int32_t device) { all().devices[static_cast<std::size_t>(device)].pools = false; }
void stub_kernel_facts(std::int32_t registers, std::int32_t shared_bytes) {
  all().registers = registers;
  all().shared_bytes = shared_bytes;
}
void stub_memory(std::int64_t bytes) { all().memory = bytes; }
void stub_new_memory_holds(int byte) { all().new_byte = byte; }

void stub_fail_at(const char* function, std::int64_t call, int error) {
  all().failures.push_back({function, all().calls[function] + call, static_cast<cudaError_t>(error)});
}
void stub_on_launch(int (*run)(void*, const stub_launch*, void**), void* state) {
  all().run = run;
  all().run_state = state;
}

const char* stub_violation(std::int64_t number) {
  const auto& violations = all().violations;
  return number < static_cast<std::int64_t>(violations.size()) ? violations[static_cast<std::size_t>(number)].c_str()
                                                               : nullptr;
}

void stub_expect_nothing_left() {
  for (const auto& [begin, array] : all().arrays) {
    stub::check_guards(array);
    if (array.alive) stub::violate(std::to_string(array.bytes) + " bytes were not freed");
  }
  for (const auto& [handle, stream] : all().streams)
    if (stream->alive) stub::violate("a stream was not destroyed");
  for (const auto& [handle, event] : all().events)
    if (event->alive) stub::violate("an event was not destroyed");
}

std::int64_t stub_calls(const char* function) { return all().calls[function]; }
std::int64_t stub_launches() { return static_cast<std::int64_t>(all().launches.size()); }
stub_launch stub_launch_of(std::int64_t number) { return all().launches[static_cast<std::size_t>(number)]; }
std::int64_t stub_live_bytes() { return all().live_bytes; }

bool stub_find(const void* pointer, const char** begin, const char** end) {
  const stub::array* const found = stub::find_array(pointer);
  if (found == nullptr) return false;
  if (!found->alive) {
    stub::violate("a kernel: " + stub::text_of(pointer) + " is in memory that has been freed");
    return false;
  }
  *begin = found->begin;
  *end = found->begin + found->bytes;
  return true;
}
void stub_touch(const void* pointer, void* stream) {
  stub::stream* const where = stub::find_stream(static_cast<cudaStream_t>(stream), "a kernel");
  if (where != nullptr) stub::use(pointer, 1, *where, "a kernel");
}

}  // extern "C"

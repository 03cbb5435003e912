// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Streams and events of the stub.
#include "books.hpp"

using namespace stub;

namespace {

event* find_event(cudaEvent_t handle, const char* what) {
  const auto found = all().events.find(handle);
  if (found == all().events.end()) {
    violate(std::string(what) + " of an unknown event");
    return nullptr;
  }
  if (!found->second->alive) {
    violate(std::string(what) + " of a destroyed event");
    return nullptr;
  }
  return found->second.get();
}

}  // namespace

extern "C" {

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* handle, unsigned) {
  if (const cudaError_t error = enter(__func__); error != cudaSuccess) return error;
  auto made = std::make_unique<stream>();
  made->device = all().current_device;
  *handle = reinterpret_cast<cudaStream_t>(made.get());
  all().streams[*handle] = std::move(made);
  return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  if (const cudaError_t error = enter(__func__); error != cudaSuccess) return error;
  stream* const where = handle == nullptr ? nullptr : find_stream(handle, "a destruction");
  if (where == nullptr) return report(cudaErrorInvalidResourceHandle);
  if (!where->copies.empty()) violate("a stream was destroyed before a copy to the host was waited for");
  where->alive = false;
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  stream* const where = find_stream(handle, "a wait");
  if (const cudaError_t error = enter(__func__); error != cudaSuccess) {
    if (where != nullptr) {
      where->copies.clear();
      where->reads.clear();
    }
    return error;
  }
  if (where == nullptr) return report(cudaErrorInvalidResourceHandle);
  return complete(*where, where->issued);
}

cudaError_t cudaEventCreate(cudaEvent_t* handle) {
  if (const cudaError_t error = enter(__func__); error != cudaSuccess) return error;
  auto made = std::make_unique<event>();
  made->device = all().current_device;
  *handle = reinterpret_cast<cudaEvent_t>(made.get());
  all().events[*handle] = std::move(made);
  return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t handle) {
  if (const cudaError_t error = enter(__func__); error != cudaSuccess) return error;
  event* const destroyed = find_event(handle, "a destruction");
  if (destroyed == nullptr) return report(cudaErrorInvalidResourceHandle);
  destroyed->alive = false;
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t stream_handle) {
  if (const cudaError_t error = enter(__func__); error != cudaSuccess) return error;
  stream* const where = find_stream(stream_handle, "a record");
  event* const recorded = find_event(handle, "a record");
  if (where == nullptr || recorded == nullptr) return report(cudaErrorInvalidResourceHandle);
  if (recorded->device != where->device) {
    violate("a record of an event of another device");
    return report(cudaErrorInvalidResourceHandle);
  }
  recorded->recorded_in = where;
  recorded->place = ++where->issued;
  recorded->when = std::chrono::steady_clock::now();
  return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
  if (const cudaError_t error = enter(__func__); error != cudaSuccess) return error;
  event* const awaited = find_event(handle, "a wait");
  if (awaited == nullptr) return report(cudaErrorInvalidResourceHandle);
  return awaited->recorded_in == nullptr ? cudaSuccess : complete(*awaited->recorded_in, awaited->place);
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t first, cudaEvent_t last) {
  if (const cudaError_t error = enter(__func__); error != cudaSuccess) return error;
  const event* const begin = find_event(first, "a time");
  const event* const end = find_event(last, "a time");
  if (begin == nullptr || end == nullptr) return report(cudaErrorInvalidResourceHandle);
  if (begin->recorded_in == nullptr || end->recorded_in == nullptr) return report(cudaErrorInvalidResourceHandle);
  if (begin->recorded_in->done < begin->place || end->recorded_in->done < end->place) return report(cudaErrorNotReady);
  *milliseconds = std::chrono::duration<float, std::milli>(end->when - begin->when).count();
  return cudaSuccess;
}

}  // extern "C"

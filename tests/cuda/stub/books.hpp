// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The books of the stub: arrays, streams, events, launches, and what was done to them against the rules.
#pragma once

#include <chrono>
#include <cstdint>
#include <cuda_runtime_api.h>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "stub.hpp"

namespace stub {

/// Carried out when the stream is waited for: until then the host has nothing.
struct copy_to_host {
  void* to;
  std::vector<char> bytes;
  std::int64_t place;
};
/// A GPU may read the host's memory at any time until the stream is waited for.
struct copy_to_device {
  const void* from;
  std::vector<char> bytes;  ///< that were there when the copy was asked for
  std::int64_t place;
};
struct stream {
  int device = 0;
  bool alive = true;
  std::int64_t issued = 0;  ///< the number of work items; an item's place is its number
  std::int64_t done = 0;    ///< the last place that the host has waited for
  std::deque<copy_to_host> copies;
  std::deque<copy_to_device> reads;
};
struct event {
  int device = 0;
  bool alive = true;
  stream* recorded_in = nullptr;
  std::int64_t place = 0;
  std::chrono::steady_clock::time_point when;
};
struct array {
  std::unique_ptr<char[]> block;  ///< with guards around the array
  char* begin = nullptr;
  std::size_t bytes = 0;
  int device = 0;
  bool alive = true;
  stream* last = nullptr;  ///< where it was used last, and at which place
  std::int64_t place = 0;
};
struct device {
  int architecture = 80;
  bool pools = true;
  std::unique_ptr<stream> null_stream;
};
struct failure_to_come {
  std::string function;
  std::int64_t call;  ///< since the reset
  cudaError_t error;
};

struct books {
  // Of the library that is loaded: kept by a reset.
  std::map<const void*, std::string> kernels;
  std::map<cudaMemPool_t, int> pools;  ///< the device of each
  std::uintptr_t pools_made = 0;

  std::vector<device> devices;
  int driver = 0;
  int current_device = 0;
  int registers = 0;
  int shared_bytes = 0;
  std::int64_t memory = 0;
  std::int64_t live_bytes = 0;
  int new_byte = 0;
  std::map<const char*, array> arrays;  ///< freed ones too: their memory is not given out again
  std::map<cudaStream_t, std::unique_ptr<stream>> streams;
  std::map<cudaEvent_t, std::unique_ptr<event>> events;
  std::deque<std::string> violations;
  std::vector<stub_launch> launches;
  std::map<std::string, std::int64_t> calls;
  std::vector<failure_to_come> failures;
  cudaError_t last_error = cudaSuccess;
  cudaError_t fault = cudaSuccess;    ///< of a kernel, not yet reported
  cudaError_t context = cudaSuccess;  ///< what every call returns once the context is lost
  int (*run)(void*, const stub_launch*, void**) = nullptr;
  void* run_state = nullptr;
};
books& all();

void violate(std::string words);
/// Remembers the error for cudaGetLastError, and for every later call when it costs the context.
cudaError_t report(cudaError_t error);
/// Counts a call; an error when it must not do anything.
cudaError_t enter(const char* function);

/// The living stream of a handle, or null after a violation. The null stream is the current device's.
stream* find_stream(cudaStream_t handle, const char* what);
/// The host knows that everything up to the place has been done.
cudaError_t complete(stream& where, std::int64_t place);

/// The array that `bytes` lie in, dead or alive, or null.
array* find_array(const void* pointer);
/// Its bytes are used by the work item that the stream was given last; false after a violation.
bool use(const void* pointer, std::size_t bytes, stream& where, const char* what);
void check_guards(const array& checked);
std::string text_of(const void* pointer);

}  // namespace stub

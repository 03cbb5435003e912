// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What the files of the device's own libraries share: how one is opened, and how its work is timed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <library_types.h>
#include <vector>

#include "cuda/runtime.cuh"

namespace lacis::cuda {

/// A library that is opened when it is asked for. Nothing links it, and it stays open: others in the process may have
/// it too.
class peer_library {
 public:
  /// Opens the file that the environment variable names, or the first of the names that the loader finds.
  peer_library(const char* title, const char* variable, std::initializer_list<const char*> names);

  template <class Function> void find(Function*& function, const char* name) {
    function = reinterpret_cast<Function*>(symbol(name));
  }
  /// The same for a function that older ones lack; null then.
  template <class Function> void find_optional(Function*& function, const char* name) {
    const char* const missing = missing_;
    find(function, name);
    missing_ = missing;
  }
  /// ok when it is open and has every function that is needed.
  [[nodiscard]] std::int32_t state() const;
  [[nodiscard]] const char* title() const { return title_; }

 private:
  void* symbol(const char* name);

  const char* title_;
  const char* variable_;
  void* handle_ = nullptr;
  const char* missing_ = nullptr;  ///< the first function that it lacks
  char problem_[256] = "";         ///< the loader's words
};

/// "cuSPARSE 12.6.3" of a library that tells its properties.
template <class Property> void write_version(const peer_library& library, Property get, lacis_peer_result& result) {
  int version[3] = {};
  static_cast<void>(get(MAJOR_VERSION, &version[0]));
  static_cast<void>(get(MINOR_VERSION, &version[1]));
  static_cast<void>(get(PATCH_LEVEL, &version[2]));
  std::snprintf(result.library, sizeof result.library, "%s %d.%d.%d", library.title(), version[0], version[1],
                version[2]);
}

/// Two events around work in a stream.
class stopwatch {
 public:
  explicit stopwatch(cudaStream_t stream) : stream_(stream) {}
  ~stopwatch() {
    for (const cudaEvent_t event : {first_, last_})
      if (event != nullptr) static_cast<void>(cudaEventDestroy(event));
  }
  stopwatch(const stopwatch&) = delete;
  stopwatch& operator=(const stopwatch&) = delete;

  /// The seconds of run(), which returns 0 or a code that is passed on.
  template <class Run> std::int32_t time(const Run& run, double& seconds) {
    for (cudaEvent_t* const event : {&first_, &last_})
      if (*event == nullptr)
        if (const std::int32_t code = check(cudaEventCreate(event), "creating an event"); code != 0) return code;
    if (const std::int32_t code = check(cudaEventRecord(first_, stream_), "recording an event"); code != 0) return code;
    if (const std::int32_t code = run(); code != 0) return code;
    if (const std::int32_t code = check(cudaEventRecord(last_, stream_), "recording an event"); code != 0) return code;
    if (const std::int32_t code = check(cudaEventSynchronize(last_), "waiting for an event"); code != 0) return code;
    float milliseconds = 0;
    const std::int32_t code = check(cudaEventElapsedTime(&milliseconds, first_, last_), "timing events");
    seconds = static_cast<double>(milliseconds) * 1e-3;
    return code;
  }

 private:
  cudaStream_t stream_;
  cudaEvent_t first_ = nullptr;
  cudaEvent_t last_ = nullptr;
};

/// The median seconds of `repeats` runs after one that is not counted.
template <class Run> std::int32_t time_runs(cudaStream_t stream, std::int32_t repeats, const Run& run, double& median) {
  if (const std::int32_t code = run(); code != 0) return code;
  stopwatch watch(stream);
  std::vector<double> seconds(static_cast<std::size_t>(std::max(repeats, std::int32_t{1})));
  for (double& one : seconds)
    if (const std::int32_t code = watch.time(run, one); code != 0) return code;
  std::sort(seconds.begin(), seconds.end());
  median = (seconds[(seconds.size() - 1) / 2] + seconds[seconds.size() / 2]) / 2;
  return lacis_code_ok;
}

}  // namespace lacis::cuda

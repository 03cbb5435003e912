// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The CUDA runtime over the interpreter: devices, errors, streams and events. Everything is done when a call returns,
// so streams and events have nothing to wait for.
#include <chrono>
#include <cstdio>
#include <cuda_runtime_api.h>

#include "ptx/cuda_runtime.hpp"

using lacis::ptx::report;
using lacis::ptx::the_interpreter;

namespace {

constexpr int multiprocessors = 4;  // few, as small grids fill them

cudaError_t last_error = cudaSuccess;

struct error_name {
  cudaError_t error;
  const char* name;
  const char* words;
};
constexpr error_name known_errors[] = {
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {cudaErrorNoKernelImageForDevice, "cudaErrorNoKernelImageForDevice", "no PTX for the device"},
    {cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "launch failure"},
    {cudaErrorInvalidPtx, "cudaErrorInvalidPtx", "the PTX cannot be interpreted"},
};

/// An event is the moment at which it was recorded.
using moment = std::chrono::steady_clock::time_point;
moment& moment_of(cudaEvent_t event) { return *reinterpret_cast<moment*>(event); }

}  // namespace

namespace lacis::ptx {

cudaError_t report(cudaError_t error) {
  last_error = error;
  return error;
}
cudaError_t report(cudaError_t error, const char* words) {
  the_interpreter().last_fault = words;
  return report(error);
}

}  // namespace lacis::ptx

extern "C" {

cudaError_t cudaDriverGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int* count) {
  *count = lacis::ptx::most_devices;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  *device = the_interpreter().device;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  if (device < 0 || device >= lacis::ptx::most_devices) return report(cudaErrorInvalidDevice);
  the_interpreter().device = device;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int number) {
  const int found = the_interpreter().architecture_of(number);
  const int architecture = found != 0 ? found : number;
  *properties = {};
  std::snprintf(properties->name, sizeof properties->name, "interpreter of PTX for compute capability %d.%d",
                architecture / 10, architecture % 10);
  properties->major = architecture / 10;
  properties->minor = architecture % 10;
  properties->multiProcessorCount = multiprocessors;
  properties->totalGlobalMem = the_interpreter().memory().all_bytes();
  properties->sharedMemPerBlock = 48 * 1024;
  properties->memoryPoolsSupported = 1;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int number) {
  const int architecture = the_interpreter().architecture_of(number);
  switch (attribute) {
    case cudaDevAttrComputeCapabilityMajor:
      *value = architecture / 10;
      return cudaSuccess;
    case cudaDevAttrComputeCapabilityMinor:
      *value = architecture % 10;
      return cudaSuccess;
    case cudaDevAttrMultiProcessorCount:
      *value = multiprocessors;
      return cudaSuccess;
    case cudaDevAttrMaxGridDimX:
      *value = 2147483647;
      return cudaSuccess;
    default:
      return report(cudaErrorInvalidValue);
  }
}

cudaError_t cudaGetLastError() { return std::exchange(last_error, cudaSuccess); }
cudaError_t cudaPeekAtLastError() { return last_error; }
const char* cudaGetErrorName(cudaError_t error) {
  for (const error_name& known : known_errors)
    if (known.error == error) return known.name;
  return "unrecognized error code";
}
const char* cudaGetErrorString(cudaError_t error) {
  if (error == cudaErrorLaunchFailure || error == cudaErrorInvalidPtx) return the_interpreter().last_fault.c_str();
  for (const error_name& known : known_errors)
    if (known.error == error) return known.words;
  return "unrecognized error code";
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  *stream = reinterpret_cast<cudaStream_t>(new char);
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  delete reinterpret_cast<char*>(stream);
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  *event = reinterpret_cast<cudaEvent_t>(new moment);
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete &moment_of(event);
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
  moment_of(event) = std::chrono::steady_clock::now();
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t first, cudaEvent_t last) {
  *milliseconds = std::chrono::duration<float, std::milli>(moment_of(last) - moment_of(first)).count();
  return cudaSuccess;
}

}  // extern "C"

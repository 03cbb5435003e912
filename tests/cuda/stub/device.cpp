// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Devices and errors of the stub.
#include <cstdio>

#include "books.hpp"

using namespace stub;

namespace {

constexpr int multiprocessors = 4;  // few: grids that fill the device stay small enough to run on a host

bool there_is(int device) { return device >= 0 && device < static_cast<int>(all().devices.size()); }

/// The name and the words of the errors that tests ask for.
struct error_words {
  cudaError_t error;
  const char* name;
  const char* words;
};
constexpr error_words known_errors[] = {
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {cudaErrorInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {cudaErrorNoKernelImageForDevice, "cudaErrorNoKernelImageForDevice", "no kernel image is available"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {cudaErrorIllegalAddress, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
    {cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure"},
};

}  // namespace

extern "C" {

cudaError_t cudaDriverGetVersion(int* version) {
  if (const cudaError_t error = enter(__func__); error != cudaSuccess) return error;
  *version = all().driver;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int* count) {
  if (const cudaError_t error = enter(__func__); error != cudaSuccess) return error;
  if (all().devices.empty()) return report(cudaErrorNoDevice);
  *count = static_cast<int>(all().devices.size());
  return cudaSuccess;
}

cudaError_t cudaGetDevice(int* device) {
  if (const cudaError_t error = enter(__func__); error != cudaSuccess) return error;
  *device = all().current_device;
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) {
  if (const cudaError_t error = enter(__func__); error != cudaSuccess) return error;
  if (!there_is(device)) return report(cudaErrorInvalidDevice);
  all().current_device = device;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int number) {
  if (const cudaError_t error = enter(__func__); error != cudaSuccess) return error;
  if (!there_is(number)) return report(cudaErrorInvalidDevice);
  const device& described = all().devices[static_cast<std::size_t>(number)];
  *properties = {};
  std::snprintf(properties->name, sizeof properties->name, "stub %d", number);
  properties->major = described.architecture / 10;
  properties->minor = described.architecture % 10;
  properties->multiProcessorCount = multiprocessors;
  properties->totalGlobalMem = static_cast<std::size_t>(all().memory);
  properties->sharedMemPerBlock = 48 * 1024;
  properties->memoryPoolsSupported = described.pools ? 1 : 0;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int number) {
  if (const cudaError_t error = enter(__func__); error != cudaSuccess) return error;
  if (!there_is(number)) return report(cudaErrorInvalidDevice);
  const int architecture = all().devices[static_cast<std::size_t>(number)].architecture;
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
      violate("attribute " + std::to_string(attribute) + " of a device, which the stub does not know");
      return report(cudaErrorInvalidValue);
  }
}

cudaError_t cudaGetLastError() {
  const cudaError_t error = all().last_error;
  all().last_error = all().context;  // a lost context stays lost
  return error;
}
cudaError_t cudaPeekAtLastError() { return all().last_error; }

const char* cudaGetErrorName(cudaError_t error) {
  for (const error_words& known : known_errors)
    if (known.error == error) return known.name;
  return "unrecognized error code";
}
const char* cudaGetErrorString(cudaError_t error) {
  for (const error_words& known : known_errors)
    if (known.error == error) return known.words;
  return "unrecognized error code";
}

}  // extern "C"

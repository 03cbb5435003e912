// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What CUDA reports, as codes and words.
#include <cstdarg>
#include <cstdio>

#include "cuda/runtime.cuh"

namespace lacis::cuda {
namespace {

thread_local char words[1024] = "";
/// Work is reported when it is waited for: then the last kernel is the best hint that there is.
thread_local const char* last_kernel = nullptr;

lacis_code code_of(cudaError_t status) {
  switch (status) {
    case cudaErrorMemoryAllocation:
      return lacis_code_no_memory;
    case cudaErrorIllegalAddress:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorIllegalInstruction:
    case cudaErrorHardwareStackError:
    case cudaErrorAssert:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
      return lacis_code_kernel_fault;
    case cudaErrorInvalidValue:
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidResourceHandle:
      return lacis_code_invalid;
    case cudaErrorInvalidDevice:
    case cudaErrorNoDevice:
      return lacis_code_no_device;
    default:
      return lacis_code_device;
  }
}

}  // namespace

const char* last_words() { return words; }
void remember_kernel(const char* name) { last_kernel = name; }

std::int32_t fail(lacis_code code, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(words, sizeof words, format, arguments);
  va_end(arguments);
  return code;
}

std::int32_t check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return lacis_code_ok;
  static_cast<void>(cudaGetLastError());  // or the next call would report it again
  const lacis_code code = code_of(status);
  const bool in_kernel = code == lacis_code_kernel_fault && last_kernel != nullptr;
  return fail(code, "CUDA, %s%s%s: %s (%s)", what, in_kernel ? ", after the launch of kernel " : "",
              in_kernel ? last_kernel : "", cudaGetErrorString(status), cudaGetErrorName(status));
}

}  // namespace lacis::cuda

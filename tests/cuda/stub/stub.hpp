// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What a test sets and reads of the fake CUDA runtime libcudart_stub.so, which records every call and runs no kernels.
// Device memory is host memory. For one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

struct stub_launch {
  const char* kernel;  ///< as __cudaRegisterFunction named it: mangled
  std::int64_t blocks;
  std::int64_t threads;       ///< of a block
  std::int64_t shared_bytes;  ///< that the launch gives to a block
  void* stream;
};

/// As after the start of the program: two devices (CUB asks once how many) of compute capability 8.0, no memory, no
/// streams but the null ones, no records, no failures to come. What the plugin has registered stays, and so do its
/// memory pools.
void stub_reset();

/// Devices of compute capability 8.0, and a driver for CUDA `driver / 1000`; 0 is none.
void stub_devices(std::int32_t count, std::int32_t driver);
/// Kernels are there from 75 on.
void stub_architecture(std::int32_t device, std::int32_t architecture);
void stub_without_pools(std::int32_t device);
/// What cudaFuncGetAttributes tells of every kernel.
void stub_kernel_facts(std::int32_t registers, std::int32_t shared_bytes);
/// Allocations that would take more than this fail.
void stub_memory(std::int64_t bytes);
/// New memory is filled with this byte; 0xcb unless told otherwise.
void stub_new_memory_holds(int byte);

/// The `call`-th call from now on of the function, counted from 1, does nothing and returns the error. An error that
/// costs the context, such as an illegal address, is returned by every call after it.
void stub_fail_at(const char* function, std::int64_t call, int error);

/// Runs the kernel of a launch; an error becomes that of the next wait. Null: nothing is run.
void stub_on_launch(int (*run)(void* state, const stub_launch* launch, void** arguments), void* state);

/// Rules that were broken since the reset, in words; null behind the last.
const char* stub_violation(std::int64_t number);
/// Makes a violation of every array, stream and event that is left, and of every damaged guard.
void stub_expect_nothing_left();

std::int64_t stub_calls(const char* function);  ///< since the reset
std::int64_t stub_launches();
stub_launch stub_launch_of(std::int64_t number);
std::int64_t stub_live_bytes();

/// Whether the pointer points into an array, and which bytes that has; a violation when it is freed.
bool stub_find(const void* pointer, const char** begin, const char** end);
/// A kernel in the stream reads or writes the array.
void stub_touch(const void* pointer, void* stream);

}  // extern "C"

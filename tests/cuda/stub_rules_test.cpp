// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Every rule of the stub of CUDA's runtime is broken here once, and the stub says so.
#include <cstring>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include "stubbed_device.hpp"

extern "C" void __cudaRegisterFunction(void** handle, const char* host_function, char* device_function,
                                       const char* device_name, int thread_limit, uint3* thread, uint3* block,
                                       dim3* block_size, dim3* grid_size, int* warp_size);

namespace lacis::device {
namespace {

const char some_kernel = 0;

class StubRules : public ::testing::Test {
 protected:
  void SetUp() override {
    stub_reset();
    cudaMemPoolProps properties = {};
    properties.location.type = cudaMemLocationTypeDevice;
    ASSERT_EQ(cudaMemPoolCreate(&pool, &properties), cudaSuccess);
    __cudaRegisterFunction(nullptr, &some_kernel, nullptr, "some_kernel", -1, nullptr, nullptr, nullptr, nullptr,
                           nullptr);
  }
  char* allocate(std::size_t bytes, cudaStream_t stream = nullptr) {
    void* memory = nullptr;
    EXPECT_EQ(cudaMallocFromPoolAsync(&memory, bytes, pool, stream), cudaSuccess);
    return static_cast<char*>(memory);
  }
  static cudaStream_t create_stream() {
    cudaStream_t stream = nullptr;
    EXPECT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
    return stream;
  }
  static cudaEvent_t create_event() {
    cudaEvent_t event = nullptr;
    EXPECT_EQ(cudaEventCreate(&event), cudaSuccess);
    return event;
  }
  static cudaError_t launch(dim3 grid, dim3 block, std::size_t shared = 0) {
    return cudaLaunchKernel(&some_kernel, grid, block, nullptr, shared, nullptr);
  }
  /// The one violation so far.
  static void expect(const std::string& words) { EXPECT_EQ(violations(), words.empty() ? "" : words + "\n"); }
  static void expect_part(const std::string& words) {
    EXPECT_NE(violations().find(words), std::string::npos) << violations();
    EXPECT_EQ(stub_violation(1), nullptr) << violations();
  }

  cudaMemPool_t pool = nullptr;
  char host[64] = {};
};

TEST_F(StubRules, ProperWorkBreaksNone) {
  char* const memory = allocate(64);
  EXPECT_EQ(static_cast<unsigned char>(*memory), 0xcb);
  EXPECT_EQ(cudaMemcpyAsync(memory, host, 64, cudaMemcpyHostToDevice, nullptr), cudaSuccess);
  EXPECT_EQ(cudaMemsetAsync(memory + 32, 1, 32, nullptr), cudaSuccess);
  EXPECT_EQ(launch(2147483647, 1024, 48 * 1024), cudaSuccess);
  EXPECT_EQ(cudaMemcpyAsync(host, memory, 64, cudaMemcpyDeviceToHost, nullptr), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaSuccess);
  EXPECT_EQ(host[31] + host[32], 1);
  EXPECT_EQ(stub_live_bytes(), 64);
  EXPECT_EQ(cudaFreeAsync(memory, nullptr), cudaSuccess);
  stub_expect_nothing_left();
  expect("");
}

TEST_F(StubRules, CopiesStayWithinAnArray) {
  char* const memory = allocate(64);
  EXPECT_EQ(cudaMemcpyAsync(memory + 1, host, 64, cudaMemcpyHostToDevice, nullptr), cudaErrorInvalidValue);
  expect("the target of a copy: 64 bytes where the array has 63");
}
TEST_F(StubRules, CopiesComeFromTheDevice) {
  EXPECT_EQ(cudaMemcpyAsync(host, host + 32, 8, cudaMemcpyDeviceToHost, nullptr), cudaErrorInvalidValue);
  expect_part("is not in memory of the device");
}
TEST_F(StubRules, CopiesToTheDeviceComeFromTheHost) {
  char* const memory = allocate(64);
  cudaMemcpyAsync(memory, memory + 32, 8, cudaMemcpyHostToDevice, nullptr);
  expect("the source of a copy to the device is memory of the device");
}
TEST_F(StubRules, CopiesToTheHostEndThere) {
  char* const memory = allocate(64);
  cudaMemcpyAsync(memory, memory + 32, 8, cudaMemcpyDeviceToHost, nullptr);
  expect("the target of a copy to the host is memory of the device");
}
TEST_F(StubRules, CopiesHaveADirection) {
  EXPECT_EQ(cudaMemcpyAsync(host, host + 32, 8, cudaMemcpyDefault, nullptr), cudaErrorInvalidValue);
  expect("a copy in a direction that the stub does not know");
}
TEST_F(StubRules, FillsStayWithinAnArray) {
  char* const memory = allocate(64);
  EXPECT_EQ(cudaMemsetAsync(memory, 0, 65, nullptr), cudaErrorInvalidValue);
  expect("what is filled: 65 bytes where the array has 64");
}
TEST_F(StubRules, NothingIsUsedAfterItsRelease) {
  char* const memory = allocate(64);
  cudaFreeAsync(memory, nullptr);
  EXPECT_EQ(cudaMemsetAsync(memory, 0, 1, nullptr), cudaErrorInvalidValue);
  expect_part("is in memory that has been freed");
}
TEST_F(StubRules, KernelsUseNothingAfterItsRelease) {
  char* const memory = allocate(64);
  cudaFreeAsync(memory, nullptr);
  const char* begin = nullptr;
  const char* end = nullptr;
  EXPECT_FALSE(stub_find(memory, &begin, &end));
  expect_part("is in memory that has been freed");
}
TEST_F(StubRules, AnArrayIsReleasedOnce) {
  char* const memory = allocate(64);
  cudaFreeAsync(memory, nullptr);
  EXPECT_EQ(cudaFreeAsync(memory, nullptr), cudaErrorInvalidValue);
  expect("a second release of an array");
}
TEST_F(StubRules, OnlyArraysAreReleased) {
  char* const memory = allocate(64);
  EXPECT_EQ(cudaFreeAsync(memory + 8, nullptr), cudaErrorInvalidValue);
  expect_part("which is no array");
}
TEST_F(StubRules, NothingIsWrittenBesideAnArray) {
  char* const behind = allocate(64);
  char* const before = allocate(64);
  behind[64] = 0;
  before[-1] = 0;
  cudaFreeAsync(behind, nullptr);
  expect("something was written beside an array of 64 bytes");
  cudaFreeAsync(before, nullptr);
  EXPECT_STREQ(stub_violation(1), "something was written beside an array of 64 bytes");
}
TEST_F(StubRules, NothingIsLeft) {
  allocate(64);
  create_stream();
  create_event();
  stub_expect_nothing_left();
  expect("64 bytes were not freed\na stream was not destroyed\nan event was not destroyed");
}
TEST_F(StubRules, MemoryComesFromAPoolOfTheDevice) {
  void* memory = nullptr;
  EXPECT_EQ(cudaMallocFromPoolAsync(&memory, 64, nullptr, nullptr), cudaErrorInvalidValue);
  expect("an allocation from a pool that is not the device's");
}

TEST_F(StubRules, TheHostHasACopyOnlyAfterTheWait) {
  char* const memory = allocate(64);
  cudaMemsetAsync(memory, 7, 64, nullptr);
  cudaMemcpyAsync(host, memory, 64, cudaMemcpyDeviceToHost, nullptr);
  cudaMemsetAsync(memory, 9, 64, nullptr);
  EXPECT_NE(host[0], 7);
  cudaStreamSynchronize(nullptr);
  EXPECT_EQ(host[0], 7);
  expect("");
}
TEST_F(StubRules, TheHostKeepsTheSourceOfACopyUntilTheWait) {
  cudaMemcpyAsync(allocate(64), host, 64, cudaMemcpyHostToDevice, nullptr);
  host[5] = 2;
  cudaStreamSynchronize(nullptr);
  expect("the source of a copy to the device was changed before the copy was waited for");
}

TEST_F(StubRules, AWaitForAnotherStreamOrAnEarlierEventBringsNoCopy) {
  const cudaStream_t stream = create_stream();
  const cudaEvent_t event = create_event();
  char* const memory = allocate(64, stream);
  cudaMemsetAsync(memory, 7, 64, stream);
  cudaEventRecord(event, stream);
  cudaMemcpyAsync(host, memory, 64, cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(nullptr);
  cudaEventSynchronize(event);
  EXPECT_NE(host[0], 7);
  cudaEventRecord(event, stream);
  cudaEventSynchronize(event);
  EXPECT_EQ(host[0], 7);
}
TEST_F(StubRules, AStreamWithACopyUnderWayIsNotDestroyed) {
  const cudaStream_t stream = create_stream();
  char* const memory = allocate(64, stream);
  cudaMemcpyAsync(host, memory, 64, cudaMemcpyDeviceToHost, stream);
  cudaStreamDestroy(stream);
  expect("a stream was destroyed before a copy to the host was waited for");
}
TEST_F(StubRules, AnotherStreamWaitsForMemory) {
  const cudaStream_t stream = create_stream();
  char* const memory = allocate(64, stream);
  cudaMemsetAsync(memory, 7, 64, nullptr);
  expect("what is filled: memory that another stream may still be using");
}
TEST_F(StubRules, AWaitOrAnEventOrdersStreams) {
  const cudaStream_t stream = create_stream();
  const cudaEvent_t event = create_event();
  char* const memory = allocate(64, stream);
  cudaStreamSynchronize(stream);
  cudaMemsetAsync(memory, 7, 64, nullptr);
  cudaEventRecord(event, nullptr);
  cudaEventSynchronize(event);
  cudaMemsetAsync(memory, 7, 64, stream);
  expect("");
}
TEST_F(StubRules, KernelsWaitForTheMemoryOfAnotherStream) {
  const cudaStream_t stream = create_stream();
  char* const memory = allocate(64);
  stub_touch(memory, stream);
  expect("a kernel: memory that another stream may still be using");
}
TEST_F(StubRules, WorkHasALivingStream) {
  const cudaStream_t stream = create_stream();
  cudaStreamDestroy(stream);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
  expect("a wait in a destroyed stream");
  EXPECT_EQ(cudaStreamSynchronize(reinterpret_cast<cudaStream_t>(host)), cudaErrorInvalidResourceHandle);
  EXPECT_STREQ(stub_violation(1), "a wait in an unknown stream");
}
TEST_F(StubRules, EventsLive) {
  const cudaEvent_t event = create_event();
  cudaEventDestroy(event);
  EXPECT_EQ(cudaEventRecord(event, nullptr), cudaErrorInvalidResourceHandle);
  expect("a record of a destroyed event");
  EXPECT_EQ(cudaEventSynchronize(reinterpret_cast<cudaEvent_t>(host)), cudaErrorInvalidResourceHandle);
  EXPECT_STREQ(stub_violation(1), "a wait of an unknown event");
}
TEST_F(StubRules, DevicesKeepApart) {
  const cudaStream_t stream = create_stream();
  const cudaEvent_t event = create_event();
  char* const memory = allocate(64);
  cudaStreamSynchronize(nullptr);
  cudaSetDevice(1);
  cudaMemsetAsync(memory, 0, 1, nullptr);
  expect("what is filled: memory of device 0 on device 1");
  cudaStreamSynchronize(stream);
  EXPECT_STREQ(stub_violation(1), "a wait in a stream of device 0, while device 1 is in use");
  cudaEventRecord(event, nullptr);
  EXPECT_STREQ(stub_violation(2), "a record of an event of another device");
}

TEST_F(StubRules, GridsHaveBlocksAndNotTooMany) {
  EXPECT_EQ(launch(0, 32), cudaErrorInvalidConfiguration);
  expect("a launch of some_kernel: a grid has at least 1 and at most 2147483647 blocks");
  launch(2147483648u, 32);
  EXPECT_NE(stub_violation(1), nullptr);
  EXPECT_EQ(stub_launches(), 0);
}
TEST_F(StubRules, BlocksHaveAtMost1024Threads) {
  EXPECT_EQ(launch(1, 1056), cudaErrorInvalidConfiguration);
  expect("a launch of some_kernel: a block has at least 1 and at most 1024 threads");
}
TEST_F(StubRules, BlocksAreWholeWarps) {
  EXPECT_EQ(launch(1, 48), cudaErrorInvalidConfiguration);
  expect("a launch of some_kernel: blocks are whole warps");
}
TEST_F(StubRules, BlocksHaveAtMost48KilobytesOfSharedMemory) {
  stub_kernel_facts(32, 1024);
  EXPECT_EQ(launch(1, 32, 47 * 1024 + 1), cudaErrorInvalidConfiguration);
  expect("a launch of some_kernel: a block has at most 48 KB of shared memory");
}
TEST_F(StubRules, BlocksHaveAtMost65536Registers) {
  stub_kernel_facts(65, 0);
  EXPECT_EQ(launch(1, 1024), cudaErrorInvalidConfiguration);
  expect("a launch of some_kernel: a block has at most 65536 registers");
}
TEST_F(StubRules, KernelsAreRegistered) {
  EXPECT_EQ(cudaLaunchKernel(host, 1, 32, nullptr, 0, nullptr), cudaErrorInvalidDeviceFunction);
  expect("a launch of something that is not registered as a kernel");
}
TEST_F(StubRules, UnknownAttributesAreNoticed) {
  int value = 0;
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrMaxPitch, 0), cudaErrorInvalidValue);
  expect_part("which the stub does not know");
}

TEST_F(StubRules, FailuresComeAtTheCallThatWasNamed) {
  stub_fail_at("cudaEventCreate", 2, cudaErrorMemoryAllocation);
  create_event();
  cudaEvent_t event = nullptr;
  EXPECT_EQ(cudaEventCreate(&event), cudaErrorMemoryAllocation);
  create_event();
}
TEST_F(StubRules, ErrorsAreTakenOnceUnlessTheContextIsLost) {
  EXPECT_EQ(cudaSetDevice(7), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  stub_fail_at("cudaStreamSynchronize", 1, cudaErrorIllegalAddress);
  EXPECT_EQ(cudaStreamSynchronize(nullptr), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaSetDevice(0), cudaErrorIllegalAddress);
}

}  // namespace
}  // namespace lacis::device

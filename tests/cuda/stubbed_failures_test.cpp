// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What the plugin says when CUDA fails, and what it leaves behind: nothing, and no error for the next call.
#include <cuda_runtime_api.h>
#include <functional>
#include <gtest/gtest.h>
#include <tuple>
#include <vector>

#include "device/spgemm.hpp"
#include "device/spmv.hpp"
#include "kernels/vector.hpp"
#include "stubbed_device.hpp"
#include "support/errors.hpp"
#include "verify/test_matrices.hpp"

namespace lacis::device {
namespace {

constexpr int most_calls = 100;

/// The plugin itself; nothing is run. A failure must leave no error for whoever calls CUDA next.
class StubbedFailures : public ::testing::Test {
 protected:
  void SetUp() override { stub_reset(); }
  void TearDown() override {
    stub_expect_nothing_left();
    EXPECT_EQ(violations(), "");
    EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
  }
  static void expect(std::int32_t got, lacis_code code, const std::string& words) {
    EXPECT_EQ(got, code);
    EXPECT_EQ(std::string(plugin.message(plugin.state, got)), words);
  }
  static std::int32_t probe(std::int32_t number = 0) {
    lacis_device_facts facts;
    return plugin.probe(plugin.state, number, &facts);
  }
  /// Does the work with each call of each function failing once: the work must say so.
  static void expect_every_failure_is_reported(const std::vector<const char*>& functions,
                                               const std::function<std::int32_t()>& work) {
    for (const char* const function : functions) {
      int calls = 0;
      for (bool failed = true; failed && calls < most_calls; ++calls) {
        const std::int64_t before = stub_calls(function);
        stub_fail_at(function, calls + 1, cudaErrorInvalidValue);
        const std::int32_t code = work();
        failed = stub_calls(function) > before + calls;
        EXPECT_EQ(code != lacis_code_ok, failed) << function << ", call " << calls + 1;
        EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess) << function << ", call " << calls + 1;
        if (!failed) stub_reset();  // the failure that did not come
      }
      EXPECT_GT(calls, 1) << function << " is not called";
    }
  }

  static const lacis_runtime& plugin;
};
const lacis_runtime& StubbedFailures::plugin = stubbed_plugin();

TEST_F(StubbedFailures, NoDriver) {
  stub_devices(1, 0);
  expect(probe(), lacis_code_no_driver, "CUDA: no NVIDIA driver on this machine");
}
TEST_F(StubbedFailures, ADriverThatDoesNotTellItsVersion) {
  stub_fail_at("cudaDriverGetVersion", 1, cudaErrorInvalidValue);
  expect(probe(), lacis_code_no_driver, "CUDA: no NVIDIA driver on this machine");
}
TEST_F(StubbedFailures, AnOldDriver) {
  stub_devices(1, 12020);
  expect(probe(), lacis_code_old_driver, "CUDA: the driver is for CUDA 12.2, the kernels need one for 13.0");
}
TEST_F(StubbedFailures, NoDevice) {
  stub_devices(0, CUDART_VERSION);
  expect(probe(), lacis_code_no_device, "CUDA: the driver sees no device");
}
TEST_F(StubbedFailures, ANumberOutOfRange) {
  expect(probe(2), lacis_code_no_device, "CUDA: there is no device 2; there are 2, counted from 0");
  expect(plugin.use(plugin.state, 2, nullptr), lacis_code_no_device,
         "CUDA, choosing a device: invalid device ordinal (cudaErrorInvalidDevice)");
}
TEST_F(StubbedFailures, NoMemoryPools) {
  stub_without_pools(0);
  expect(probe(), lacis_code_device, "CUDA: stub 0 has no memory pools, which lacis allocates from");
}
TEST_F(StubbedFailures, NoKernelsForTheDevice) {
  stub_architecture(0, 61);
  expect(probe(), lacis_code_no_kernels, "CUDA: lacis was not compiled for stub 0 (compute capability 6.1)");
  stub_architecture(0, 80);
  stub_fail_at("cudaFuncGetAttributes", 1, cudaErrorInvalidDeviceFunction);
  expect(probe(), lacis_code_no_kernels, "CUDA: lacis was not compiled for stub 0 (compute capability 8.0)");
}
TEST_F(StubbedFailures, KernelsAreLookedForOnTheDeviceThatIsAskedFor) {
  stub_architecture(1, 61);
  expect(probe(1), lacis_code_no_kernels, "CUDA: lacis was not compiled for stub 1 (compute capability 6.1)");
  EXPECT_EQ(probe(0), lacis_code_ok);
  std::int32_t before = -1;
  EXPECT_EQ(plugin.use(plugin.state, 1, &before), lacis_code_ok);
  EXPECT_EQ(before, 0) << "a look at a device does not choose it";
  EXPECT_EQ(probe(0), lacis_code_ok);
  EXPECT_EQ(probe(-1), lacis_code_no_kernels);
}
TEST_F(StubbedFailures, ALookAtADeviceReportsEveryFailure) {
  expect_every_failure_is_reported({"cudaDriverGetVersion", "cudaGetDeviceCount", "cudaGetDeviceProperties",
                                    "cudaMemGetInfo", "cudaFuncGetAttributes"},
                                   [] { return probe(0); });
  expect_every_failure_is_reported({"cudaGetDevice"}, [] { return probe(-1); });
  expect_every_failure_is_reported({"cudaSetDevice"}, [] { return probe(1); });
}
TEST_F(StubbedFailures, UseReportsEveryFailure) {
  expect_every_failure_is_reported({"cudaGetDevice", "cudaSetDevice"}, [] {
    std::int32_t before = -1;
    return plugin.use(plugin.state, 0, &before);
  });
}

TEST_F(StubbedFailures, OutOfMemoryNamesTheBytesAndWhatIsFree) {
  stub_memory(1000);
  void* memory = nullptr;
  ASSERT_EQ(plugin.allocate(plugin.state, 600, nullptr, &memory), lacis_code_ok);
  void* more = nullptr;
  expect(plugin.allocate(plugin.state, 4096, nullptr, &more), lacis_code_no_memory,
         "CUDA: no memory for 4096 bytes; 400 of 1000 are free");
  EXPECT_EQ(plugin.release(plugin.state, memory, nullptr), lacis_code_ok);
}
TEST_F(StubbedFailures, ADeviceWithoutAPoolIsTriedAgain) {
  stub_devices(64 + 1, CUDART_VERSION);
  for (const char* const function : {"cudaMemPoolCreate", "cudaMemPoolSetAttribute"}) {
    ASSERT_EQ(plugin.use(plugin.state, 40, nullptr), lacis_code_ok);  // no test before has allocated there
    stub_fail_at(function, 1, cudaErrorInvalidValue);
    void* memory = nullptr;
    expect(plugin.allocate(plugin.state, 256, nullptr, &memory), lacis_code_invalid,
           "CUDA, allocating: invalid argument (cudaErrorInvalidValue)");
  }
  const std::int64_t before = stub_calls("cudaMemPoolSetAttribute");
  void* memory = nullptr;
  ASSERT_EQ(plugin.allocate(plugin.state, 256, nullptr, &memory), lacis_code_ok);
  EXPECT_EQ(stub_calls("cudaMemPoolSetAttribute"), before + 1) << "a pool that keeps its memory";
  EXPECT_EQ(plugin.release(plugin.state, memory, nullptr), lacis_code_ok);
}
TEST_F(StubbedFailures, ThereArePoolsFor128Devices) {
  stub_devices(128 + 1, CUDART_VERSION);
  ASSERT_EQ(plugin.use(plugin.state, 128, nullptr), lacis_code_ok);
  void* memory = nullptr;
  expect(plugin.allocate(plugin.state, 256, nullptr, &memory), lacis_code_no_device,
         "CUDA, allocating: invalid device ordinal (cudaErrorInvalidDevice)");
}

TEST_F(StubbedFailures, CopiesFillsAndReleasesSayWhatTheyWere) {
  void* memory = nullptr;
  ASSERT_EQ(plugin.allocate(plugin.state, 256, nullptr, &memory), lacis_code_ok);
  char host[256] = {};
  stub_fail_at("cudaMemcpyAsync", 1, cudaErrorInvalidValue);
  expect(plugin.copy(plugin.state, memory, host, 256, lacis_copy_to_device, nullptr), lacis_code_invalid,
         "CUDA, copying: invalid argument (cudaErrorInvalidValue)");
  stub_fail_at("cudaMemsetAsync", 1, cudaErrorInvalidValue);
  expect(plugin.fill(plugin.state, memory, 0, 256, nullptr), lacis_code_invalid,
         "CUDA, filling: invalid argument (cudaErrorInvalidValue)");
  stub_fail_at("cudaFreeAsync", 1, cudaErrorInvalidValue);
  expect(plugin.release(plugin.state, memory, nullptr), lacis_code_invalid,
         "CUDA, releasing memory: invalid argument (cudaErrorInvalidValue)");
  EXPECT_EQ(plugin.release(plugin.state, memory, nullptr), lacis_code_ok);
}
TEST_F(StubbedFailures, StreamsAndEventsThatCannotBeMadeAreNull) {
  stub_fail_at("cudaStreamCreateWithFlags", 1, cudaErrorMemoryAllocation);
  stub_fail_at("cudaEventCreate", 1, cudaErrorMemoryAllocation);
  int something = 0;
  void* handle = &something;
  expect(plugin.create_stream(plugin.state, &handle), lacis_code_no_memory,
         "CUDA, creating a stream: out of memory (cudaErrorMemoryAllocation)");
  EXPECT_EQ(handle, nullptr);
  handle = &something;
  expect(plugin.create_event(plugin.state, &handle), lacis_code_no_memory,
         "CUDA, creating an event: out of memory (cudaErrorMemoryAllocation)");
  EXPECT_EQ(handle, nullptr);
}
TEST_F(StubbedFailures, TimesOfEventsReportEveryFailure) {
  void* events[2];
  for (void*& event : events) ASSERT_EQ(plugin.create_event(plugin.state, &event), lacis_code_ok);
  double seconds = 0;
  expect(plugin.elapsed(plugin.state, events[0], events[1], &seconds), lacis_code_invalid,
         "CUDA, timing events: invalid resource handle (cudaErrorInvalidResourceHandle)");
  stub_fail_at("cudaEventSynchronize", 1, cudaErrorInvalidValue);
  expect(plugin.elapsed(plugin.state, events[0], events[1], &seconds), lacis_code_invalid,
         "CUDA, waiting for an event: invalid argument (cudaErrorInvalidValue)");
  stub_fail_at("cudaEventRecord", 1, cudaErrorInvalidValue);
  expect(plugin.record(plugin.state, events[0], nullptr), lacis_code_invalid,
         "CUDA, recording an event: invalid argument (cudaErrorInvalidValue)");
  for (void* const event : events) {
    stub_fail_at("cudaEventDestroy", 1, cudaErrorInvalidValue);
    expect(plugin.destroy_event(plugin.state, event), lacis_code_invalid,
           "CUDA, destroying an event: invalid argument (cudaErrorInvalidValue)");
    EXPECT_EQ(plugin.destroy_event(plugin.state, event), lacis_code_ok);
  }
}

TEST_F(StubbedFailures, KernelsThatAreNotThereAreRefused) {
  expect(plugin.launch(plugin.state, -1, 1, 256, nullptr, 0, nullptr), lacis_code_invalid,
         "CUDA: there is no kernel -1");
  expect(plugin.launch(plugin.state, 0, 1, 256, nullptr, 4, nullptr), lacis_code_invalid,
         "kernel axpby has 5 arguments, not 4");
  EXPECT_EQ(stub_launches(), 0);
}
TEST_F(StubbedFailures, ALaunchThatFailsIsNamedWithItsGrid) {
  stub_fail_at("cudaLaunchKernel", 1, cudaErrorInvalidConfiguration);
  void* arguments[5] = {};
  expect(plugin.launch(plugin.state, 0, 3, 256, arguments, 5, nullptr), lacis_code_invalid,
         "CUDA, kernel axpby on 3 blocks of 256 threads: invalid configuration argument "
         "(cudaErrorInvalidConfiguration)");
}

TEST_F(StubbedFailures, ScansAndReductionsReportEveryFailureAndLeaveNothing) {
  const std::vector<const char*> functions = {"cudaMallocFromPoolAsync", "cudaGetDevice", "__cudaLaunchKernel"};
  std::int64_t numbers[2] = {};  // no kernel runs, so that these are not of the device does no harm
  expect_every_failure_is_reported(functions, [&] { return plugin.scan(nullptr, numbers, numbers, 10000, nullptr); });
  for (const lacis_reduction operation : {lacis_reduce_sum, lacis_reduce_max})
    expect_every_failure_is_reported(
        functions, [&] { return plugin.reduce(nullptr, operation, numbers, 10000, numbers, nullptr); });
}

/// CUB sorts more than 500 segments in another way than fewer. It can do without knowing the device.
TEST_F(StubbedFailures, SortsReportEveryFailureAndLeaveNothing) {
  for (const std::int64_t segments : {20, 700}) {
    const auto sort = [segments] {
      constexpr std::int64_t length = 10;
      stub_new_memory_holds(0);  // where CUB's kernels, which do not run, would count the long segments
      void* memory = nullptr;
      if (const auto code = plugin.allocate(nullptr, 1 << 20, nullptr, &memory); code != lacis_code_ok) return code;
      auto* const begin = static_cast<char*>(memory);
      const auto code =
          plugin.sort_segments(nullptr, begin, 4, begin + (1 << 19), 8, nullptr, segments, segments * length, nullptr);
      EXPECT_EQ(plugin.release(nullptr, memory, nullptr), lacis_code_ok);
      return code;
    };
    expect_every_failure_is_reported({"cudaMallocFromPoolAsync", "__cudaLaunchKernel"}, sort);
    if (segments > 500) expect_every_failure_is_reported({"cudaMemcpyAsync", "cudaStreamSynchronize"}, sort);
  }
}

/// Wherever operations are cut short, they throw, and what they had allocated is freed: see TearDown.
TEST_F(StubbedCuda, OperationsThatFailHalfwayLeaveNothing) {
  const auto matrix = verification::from_rows<double, std::int32_t>(
      40, 40, verification::entries::reals,
      [](std::int64_t i) { return verification::random_columns(i, i % 36, 40, 1); });
  const auto work = [&] {
    const auto a = upload(device, matrix.view());
    const auto b = device.zeros<double>(40);
    const auto c = device.zeros<double>(40);
    for (const spmv_method method : {spmv_method::csr_stream, spmv_method::hyb_canonical, spmv_method::jds_canonical})
      spmv(device, method, a, 1.0, b.data(), 0.0, c.data());
    static_cast<void>(device.download<double>(spgemm(device, a, a).values));
  };
  for (const auto& [function, failure, wanted] :
       {std::tuple{"cudaMallocFromPoolAsync", cudaErrorMemoryAllocation, errc::out_of_memory},
        {"cudaMemcpyAsync", cudaErrorInvalidValue, errc::invalid_argument},
        {"cudaMemsetAsync", cudaErrorInvalidValue, errc::invalid_argument},
        {"cudaLaunchKernel", cudaErrorInvalidConfiguration, errc::invalid_argument},
        {"cudaStreamSynchronize", cudaErrorNoDevice, errc::no_device}}) {
    const std::int64_t before = stub_calls(function);
    work();
    const std::int64_t calls = stub_calls(function) - before;
    EXPECT_GT(calls, 0) << function;
    for (std::int64_t call = 1; call <= calls; ++call) {
      stub_fail_at(function, call, failure);
      EXPECT_EQ(test::code_of(work), wanted) << function << ", call " << call;
      EXPECT_EQ(stub_live_bytes(), 0) << function << ", call " << call;
      EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess) << function << ", call " << call;
    }
  }
}

TEST_F(StubbedCuda, AFailingKernelIsNamedAtTheWaitAndTheContextIsLost) {
  {
    const auto x = device.zeros<double>(100);
    device.wait();
    device.launch_over(kernels::axpby<raw_memory, double, simt::none>{100, 1, x.data(), 1, x.data() + 1000000}, 100);
    EXPECT_EQ(test::code_of([&] { device.wait(); }), errc::kernel_fault);
    EXPECT_EQ(cuda.fault(), "kernel axpby: argument 4 does not point into an array of the device");
    EXPECT_STREQ(stubbed_plugin().message(nullptr, lacis_code_kernel_fault),
                 "CUDA, waiting for a stream, after the launch of kernel axpby: unspecified launch failure "
                 "(cudaErrorLaunchFailure)");
    EXPECT_EQ(test::code_of([&] { static_cast<void>(device.allocate<double>(10)); }), errc::kernel_fault);
  }
  stub_reset();  // a process that lost its context has nothing to free any more
}

}  // namespace
}  // namespace lacis::device

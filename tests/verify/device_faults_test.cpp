// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Verification on a device that fails as a GPU may: a kernel that never ends, and a context that is lost.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <thread>

#include <lacis/error.hpp>

#include "support/errors.hpp"
#include "verify/kernel_ledger.hpp"
#include "verify/verify.hpp"
#include "verify/watchdog.hpp"

namespace lacis {
namespace {

using namespace std::chrono_literals;
using test::code_of;
using verification::kernel_ledger;
using verification::schedules;
using verification::watchdog;

TEST(Watchdog, BarksOnceWhereWorkTakesLongerThanTheLimitAndOnlyThere) {
  std::atomic<int> barks = 0;
  watchdog dog(0.2, [&](double seconds) {
    EXPECT_EQ(seconds, 0.2);
    ++barks;
  });
  for (int run = 0; run < 3; ++run) {
    dog.begin();
    dog.end();
  }
  std::this_thread::sleep_for(500ms);
  EXPECT_EQ(barks, 0);
  dog.begin();
  std::this_thread::sleep_for(900ms);
  dog.end();
  EXPECT_EQ(barks, 1);
}

TEST(Watchdog, WithoutALimitSleeps) {
  watchdog dog(0, [](double) { FAIL(); });
  dog.begin();
  std::this_thread::sleep_for(100ms);
}

kernel_report verify_with(const char* plugin, kernel_verify_options options) {
  ::setenv("LACIS_CUDA_PLUGIN", plugin, 1);
  options.device = devices::cuda();
  return verify_kernels(options);
}

[[noreturn]] void verify_what_hangs() {
  kernel_verify_options options;
  options.limit_seconds = 1;
  options.hung = [](const std::string& words) {
    std::fprintf(stderr, "%s\n", words.c_str());
    std::_Exit(7);
  };
  static_cast<void>(verify_with(LACIS_PLUGIN_NEVER_ENDS, options));
  std::_Exit(0);
}

TEST(DeviceFaultsTest, AKernelThatNeverEndsIsNamedWithinTheLimit) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EXIT(
      verify_what_hangs(), testing::ExitedWithCode(7),
      "csr_.*, float, 32-bit columns, matrix '.*', .*, cuda:0: not done after 1 seconds; the last kernel launched is "
      "csr_");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 20s);
}

[[noreturn]] void verify_what_is_lost() {
  const kernel_report report = verify_with(LACIS_PLUGIN_LOST, {});
  std::fprintf(stderr, "%d differing, %zu faults, %zu never launched, stopped: %s\n",
               static_cast<int>(report.differing), report.faults.size(), report.never_launched.size(),
               report.stopped.c_str());
  std::_Exit(report.good() ? 0 : 7);
}

TEST(DeviceFaultsTest, ADeviceThatIsLostIsToldOnce) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(verify_what_is_lost(), testing::ExitedWithCode(7),
              "^1 differing, 0 faults, 0 never launched, stopped: the device does not answer any more after csr_.*, "
              "float, 32-bit columns, matrix '.*', .*, cuda:0: CUDA: unspecified launch failure\n$");
}

[[noreturn]] void verify_triangles() {
  ::setenv("LACIS_CUDA_PLUGIN", LACIS_HOST_PLUGIN, 1);
  kernel_verify_options options;
  options.device = devices::cuda();
  kernel_ledger book(options, {});
  kernel_ledger in_turns({}, {{simt::turns::forward, 0}});
  verification::verify_triangular_kernels<double, std::int32_t>(book);
  verification::verify_triangular_kernels<double, std::int32_t>(in_turns);
  std::fprintf(stderr, "%ld warps, %ld more runs, %ld differing\n", static_cast<long>(book.resident_warps()),
               static_cast<long>(book.report().runs - in_turns.report().runs),
               static_cast<long>(book.report().differing));
  std::_Exit(0);
}

TEST(DeviceFaultsTest, TriangularSystemsHaveMoreWarpsThanAGpuRunsAtATime) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(verify_triangles(), testing::ExitedWithCode(0), "^256 warps, 2 more runs, 0 differing\n$");
}

TEST(KernelLedger, AWrongResultAndAFaultyKernelDoNotEndTheSweep) {
  kernel_ledger book({}, schedules(false));
  const verification::kernel_trial trial{"method", "any", "float", "", "form"};
  int runs = 0;
  book.check(trial, [&](device::runtime&) {
    ++runs;
    return std::string("wrong");
  });
  book.check(trial, [&](device::runtime&) -> std::string {
    ++runs;
    throw error(errc::kernel_fault, "this kernel alone");
  });
  EXPECT_EQ(runs, 6);
  EXPECT_EQ(book.report().differing, 6);
}

TEST(KernelLedger, RepeatsEveryRunInEverySchedule) {
  kernel_verify_options options;
  options.repeats = 4;
  kernel_ledger book(options, schedules(false));
  int runs = 0;
  book.check({"method", "any", "float", "", "form"},
             [&](device::runtime&) { return std::string(++runs == 11 ? "late" : ""); });
  EXPECT_EQ(runs, 12);
  EXPECT_EQ(book.report().runs, 12);
  EXPECT_EQ(book.report().differing, 1);
  options.repeats = 0;
  EXPECT_EQ(code_of([&] { kernel_ledger none(options, {}); }), errc::invalid_argument);
}

}  // namespace
}  // namespace lacis

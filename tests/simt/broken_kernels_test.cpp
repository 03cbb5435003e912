// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Kernels with one mistake each: the executor, its schedules or the race detector must find it and name the line.
#include "simt/broken_kernels.hpp"

#include <cstdlib>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

#include <lacis/error.hpp>

#include "simt/executor.hpp"

namespace lacis::simt {
namespace {

constexpr std::int64_t elements = 256;

const std::vector<double>& numbers() {
  static const std::vector<double> x = [] {
    std::vector<double> all;
    for (int i = 0; i < elements; ++i) all.push_back(1 + i % 7);
    return all;
  }();
  return x;
}

/// Runs the kernel on `numbers`; the result, or the text of the fault.
template <class Kernel> std::pair<double, std::string> result_of(int blocks, const schedule& turns, int threads = 1) {
  executor host(threads);
  std::vector<double> total(2, 0.0);
  try {
    host.run(Kernel{{numbers().data(), elements}, {total.data(), 2}}, blocks, turns);
  } catch (const error& fault) {
    EXPECT_EQ(fault.code(), errc::kernel_fault);
    return {0, fault.what()};
  }
  return {total[0], ""};
}

template <class Kernel> std::string line_of() {
  return "tests/simt/broken_kernels.hpp:" + std::to_string(Kernel::line);
}

const std::vector<schedule> schedules = {
    {turns::forward, 0}, {turns::reverse, 0}, {turns::shuffled, 1}, {turns::shuffled, 2}};

/// The number of different results over the schedules; one alone hides the mistake.
template <class Kernel> std::size_t results(int blocks) {
  std::set<double> all;
  for (const schedule& turns : schedules) all.insert(result_of<Kernel>(blocks, turns).first);
  return all.size();
}

#ifdef LACIS_THREAD_SANITIZER
/// Runs the kernel in a process of its own; the race detector ends it with its code and names the line.
template <class Kernel> void expect_race(int blocks = 4, const schedule& turns = {turns::shuffled, 3}) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        (void)result_of<Kernel>(blocks, turns, 2);
        std::exit(0);
      },
      testing::ExitedWithCode(66), std::string("data race.*") + Kernel::name + ".*" + line_of<Kernel>());
}

TEST(BrokenKernels, MissingBarrierIsARace) { expect_race<broken::missing_barrier>(); }
TEST(BrokenKernels, MissingWarpSyncIsARace) { expect_race<broken::missing_warp_sync>(); }
// In turns forward, when lane 1 goes on, lane 0 is already at the next meeting.
TEST(BrokenKernels, MissingSecondSyncIsARace) { expect_race<broken::missing_second_sync>(1, {turns::forward, 0}); }
TEST(BrokenKernels, MissingSecondBarrierIsARace) {
  expect_race<broken::missing_second_barrier>(1, {turns::forward, 0});
}
TEST(BrokenKernels, RaceBetweenBlocksIsFound) { expect_race<broken::race_between_blocks>(); }

TEST(BrokenKernels, RelaxedPublishIsARace) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        executor host(2);
        std::vector<std::int32_t> tickets(2, 0);
        std::vector<double> total(2, 0.0);
        host.run(broken::relaxed_publish{{tickets.data(), 2}, {numbers().data(), elements}, {total.data(), 2}}, 2);
        std::exit(0);
      },
      testing::ExitedWithCode(66), "data race.*relaxed_publish.*" + line_of<broken::relaxed_publish>());
}
#else
TEST(BrokenKernels, MissingBarrierShowsInSomeSchedule) { EXPECT_GT(results<broken::missing_barrier>(1), 1u); }
TEST(BrokenKernels, MissingWarpSyncShowsInSomeSchedule) { EXPECT_GT(results<broken::missing_warp_sync>(1), 1u); }
#endif

TEST(BrokenKernels, DivergentBarrierIsReportedAtItsLineInEverySchedule) {
  for (const schedule& turns : schedules) {
    const std::string fault = result_of<broken::divergent_barrier>(2, turns).second;
    EXPECT_EQ(fault.find(line_of<broken::divergent_barrier>() + ": divergent barrier: thread "), 0u) << fault;
    EXPECT_NE(fault.find("kernel divergent_barrier, block "), std::string::npos) << fault;
  }
}

TEST(BrokenKernels, InactiveShuffleIsReportedAtItsLineInEverySchedule) {
  for (const schedule& turns : schedules) {
    const std::string fault = result_of<broken::inactive_shuffle>(1, turns).second;
    EXPECT_EQ(fault.find(line_of<broken::inactive_shuffle>() + ": shuffle of an inactive lane: the mask 0xffffffff"),
              0u)
        << fault;
    EXPECT_NE(fault.find("kernel inactive_shuffle, block 0, thread "), std::string::npos) << fault;
  }
}

}  // namespace
}  // namespace lacis::simt

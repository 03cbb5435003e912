// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The kernel's counts, of work whose load is known.
#include "measure/quiet.hpp"

#include <atomic>
#include <chrono>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace lacis::measure {
namespace {

using namespace std::chrono_literals;

void spin_for(std::chrono::milliseconds duration) {
  const auto end = std::chrono::steady_clock::now() + duration;
  while (std::chrono::steady_clock::now() < end) continue;
}

TEST(Quiet, CountsTheRunningOfThisThread) {
  const auto of_this_thread = [] { return thread_times(0)[gettid()].running; };
  if (of_this_thread() == 0) GTEST_SKIP() << "this kernel does not count";
  const auto before = of_this_thread();
  spin_for(50ms);
  const auto after = of_this_thread();
  EXPECT_GT(after, before);
  EXPECT_LT(after - before, 1'000'000'000);
}

TEST(Quiet, NobodyWaitsInAProcessThatIsGone) { EXPECT_TRUE(thread_times(0x7ffffff0).empty()); }

TEST(Quiet, SeesThreadsThatWaitForEachOther) {
  if (thread_times(0)[gettid()].running == 0) GTEST_SKIP() << "this kernel does not count";
  const auto processors = std::max(1U, std::thread::hardware_concurrency());
  if (processors > 64) GTEST_SKIP() << "too many processors to keep busy";
  std::atomic<bool> done = false;
  std::vector<std::thread> others;
  for (unsigned i = 0; i < 4 * processors; ++i)
    others.emplace_back([&] {
      while (!done) continue;
    });
  const double share = observe(0, [] { spin_for(200ms); });
  done = true;
  for (std::thread& other : others) other.join();
  EXPECT_GT(share, 0.1);
}

TEST(Quiet, SettlesWhenNothingRuns) {
  const auto begin = std::chrono::steady_clock::now();
  settle(0x7ffffff0);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 90ms);
}

}  // namespace
}  // namespace lacis::measure

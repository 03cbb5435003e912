// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Threads in the child of a fork. These tests find something only where g++ compiles them: its OpenMP runtime has no
// threads in the child and waits for them for ever, that of clang starts new ones.
#include <array>
#include <atomic>
#include <gtest/gtest.h>
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/parallel.hpp"

namespace lacis::detail {
namespace {

/// Whether work() returns true in a child, which is given half a minute.
template <class Work> testing::AssertionResult holds_in_child(Work&& work) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(30);
    _exit(work() ? 0 : 1);
  }
  int status = -1;
  if (child < 0 || waitpid(child, &status, 0) != child) return testing::AssertionFailure() << "no child";
  if (WIFSIGNALED(status)) return testing::AssertionFailure() << "ended by signal " << WTERMSIG(status);
  return status == 0 ? testing::AssertionSuccess() : testing::AssertionFailure() << "another result";
}

TEST(Fork, DoesTheWorkOfAllThreadsInTheChild) {
  const auto both = [] {
    std::array<std::atomic<int>, 2> times{};
    on_threads(2, [&](int t, int threads) { times.at(static_cast<std::size_t>(t)) += threads; });
    return times[0] == 2 && times[1] == 2;
  };
  ASSERT_TRUE(both()) << "which starts the threads that the child will not have";
  EXPECT_TRUE(holds_in_child(both));
}

TEST(Fork, VisitsEveryIndexInTheChild) {
  const int before = omp_get_max_threads();
  omp_set_num_threads(4);
  const auto sum = [] {
    std::atomic<std::int64_t> all{0};
    parallel_for(100000, [&](std::int64_t i) { all += i; });
    return all.load();
  };
  const std::int64_t expected = sum();
  EXPECT_TRUE(holds_in_child([&] { return sum() == expected; }));
  omp_set_num_threads(before);
}

}  // namespace
}  // namespace lacis::detail

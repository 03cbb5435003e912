// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The host executor: what a team gives to threads, in every schedule, and what it refuses.
#include "simt/executor.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include <lacis/error.hpp>

#include "simt/host_memory.hpp"

namespace lacis::simt {
namespace {

const std::vector<schedule> schedules = {
    {turns::forward, 0}, {turns::reverse, 0}, {turns::shuffled, 1}, {turns::shuffled, 7}};

/// A kernel made of a lambda over the team.
template <class Body, class Shared = no_shared, int Threads = 64> struct kernel_of {
  static constexpr const char* name = "kernel_of";
  static constexpr int block_threads = Threads;
  using shared = Shared;
  Body body;
  void operator()(host_team team) const { body(team); }
};

template <class Shared = no_shared, int Threads = 64, class Body>
void run(int blocks, const schedule& turns, int threads, Body body) {
  executor(threads).run(kernel_of<Body, Shared, Threads>{body}, blocks, turns);
}

template <class Shared = no_shared, class Body> std::string fault_of(const schedule& turns, Body body, int blocks = 1) {
  try {
    run<Shared>(blocks, turns, 1, body);
  } catch (const error& fault) {
    EXPECT_EQ(fault.code(), errc::kernel_fault);
    return fault.what();
  }
  return "no fault";
}

TEST(Executor, RunsEveryThreadOfEveryBlockOnce) {
  for (const schedule& turns : schedules)
    for (const int threads : {1, 3}) {
      std::vector<int> visits(10 * 64, 0);
      run(10, turns, threads, [&](host_team team) {
        EXPECT_EQ(team.blocks(), 10);
        EXPECT_EQ(team.lane() + 32 * team.warp(), team.thread());
        ++visits[static_cast<std::size_t>(team.block() * 64 + team.thread())];
      });
      EXPECT_EQ(visits, std::vector<int>(10 * 64, 1));
    }
}

TEST(Executor, TakesTurnsInTheOrderAskedFor) {
  const auto order_of = [](const schedule& turns) {
    std::int32_t next = 0;
    std::vector<int> order(3 * 64, -1);
    run(3, turns, 1, [&](host_team team) {
      order[static_cast<std::size_t>(team.atomic_add(next, 1))] = team.block() * 64 + team.thread();
    });
    return order;
  };
  std::vector<int> ascending(3 * 64);
  std::iota(ascending.begin(), ascending.end(), 0);
  EXPECT_EQ(order_of({turns::forward, 0}), ascending);
  EXPECT_EQ(order_of({turns::reverse, 0}), std::vector<int>(ascending.rbegin(), ascending.rend()));
  const auto shuffled = order_of({turns::shuffled, 1});
  EXPECT_NE(shuffled, ascending);
  EXPECT_EQ(shuffled, order_of({turns::shuffled, 1}));
  EXPECT_NE(shuffled, order_of({turns::shuffled, 2}));
  EXPECT_TRUE(std::is_permutation(shuffled.begin(), shuffled.end(), ascending.begin()));
}

TEST(Executor, BarriersSeparateWhatIsBeforeFromWhatIsAfter) {
  struct exchange {
    shared_array<int, 64> from;
  };
  for (const schedule& turns : schedules) {
    std::vector<int> seen(64, -1);
    run<exchange>(1, turns, 1, [&](host_team team) {
      auto& from = team.shared<exchange>().from;
      for (int round = 0; round < 5; ++round) {
        from[team.thread()] = 100 * round + team.thread();
        team.barrier();
        seen[static_cast<std::size_t>(team.thread())] = from[63 - team.thread()];
        EXPECT_EQ(seen[static_cast<std::size_t>(team.thread())], 100 * round + 63 - team.thread());
        team.barrier();
      }
    });
  }
}

TEST(Executor, ShufflesAndVotesMeetTheLanesOfTheMask) {
  for (const schedule& turns : schedules)
    run(2, turns, 2, [&](host_team team) {
      const int lane = team.lane();
      EXPECT_EQ(team.shuffle(full_mask, 1.5 * lane, 7), 1.5 * 7);
      EXPECT_EQ(team.shuffle(full_mask, lane, 3, 8), lane / 8 * 8 + 3);
      EXPECT_EQ(team.shuffle_down(full_mask, lane, 4), lane < 28 ? lane + 4 : lane);
      EXPECT_EQ(team.shuffle_down(full_mask, lane, 4, 8), lane % 8 < 4 ? lane + 4 : lane);
      EXPECT_EQ(team.shuffle_xor(full_mask, std::int64_t{lane}, 5), lane ^ 5);
      EXPECT_EQ(team.ballot(full_mask, lane % 3 == 0), 0x49249249u);
      EXPECT_EQ(team.any(full_mask, lane == 31), true);
      EXPECT_EQ(team.any(full_mask, false), false);
      const complex_number<double> z = team.shuffle(full_mask, complex_number<double>{1.0 * lane, -2.0 * lane}, 9);
      EXPECT_EQ(z.re, 9);
      EXPECT_EQ(z.im, -18);
      const unsigned half = lane < 16 ? 0x0000ffffu : 0xffff0000u;
      EXPECT_EQ(team.ballot(half, lane % 2 == 1), half & 0xaaaaaaaau);
      team.sync_warp(half);
    });
}

TEST(Executor, AtomicsReturnWhatWasThere) {
  for (const schedule& turns : schedules) {
    std::int64_t sum = 0;
    double real = 0;
    complex_number<float> complex{0, 0};
    std::int32_t largest = -5;
    unsigned wrapped = 0;
    std::int32_t owner = -1;
    std::vector<int> tickets(4 * 64, 0);
    run(4, turns, 2, [&](host_team team) {
      const std::int64_t before = team.atomic_add(sum, 1);
      ++tickets[static_cast<std::size_t>(before)];
      team.atomic_add(real, 0.5);
      team.atomic_add(complex, {1, -1});
      team.atomic_max(largest, team.thread());
      EXPECT_LE(team.atomic_increment(wrapped, 9), 9u);
      team.atomic_compare_exchange(owner, -1, team.block());
    });
    EXPECT_EQ(sum, 256);
    EXPECT_EQ(tickets, std::vector<int>(256, 1));
    EXPECT_EQ(real, 128);
    EXPECT_EQ(complex.re, 256);
    EXPECT_EQ(complex.im, -256);
    EXPECT_EQ(largest, 63);
    EXPECT_EQ(wrapped, 256u % 10);
    EXPECT_GE(owner, 0);
  }
}

TEST(Executor, SharedMemoryHoldsNoZerosToBeginWith) {
  struct words {
    shared_array<std::uint32_t, 100> all;
  };
  run<words>(3, {}, 1, [](host_team team) {
    auto& all = team.shared<words>().all;
    EXPECT_EQ(all[99], 0xcbcbcbcbu);
    team.barrier();
    if (team.thread() == 0) all[99] = 0;
  });
}

TEST(Executor, BlocksThatWaitForEarlierTicketsComeToAnEnd) {
  for (const schedule& turns : schedules)
    for (const int threads : {1, 2}) {
      std::int32_t next = 0;
      std::vector<std::int32_t> ready(20, 0);
      std::vector<std::int64_t> value(20, 0);
      run(20, turns, threads, [&](host_team team) {
        if (team.thread() != 0) return;
        const auto ticket = static_cast<std::size_t>(team.atomic_add(next, 1));
        std::int64_t before = 0;
        if (ticket > 0) {
          while (team.load<memory_order::acquire>(ready[ticket - 1]) == 0) team.pause();
          before = value[ticket - 1];
        }
        value[ticket] = before + static_cast<std::int64_t>(ticket);
        team.store<memory_order::release>(ready[ticket], 1);
      });
      EXPECT_EQ(value[19], 190);
    }
}

TEST(Executor, WaitingForABlockThatHasNotBegunIsADeadlock) {
  std::vector<std::int32_t> ready(3, 0);
  const std::string fault = fault_of(
      {turns::reverse, 0},
      [&](host_team team) {
        if (team.thread() == 5 && team.block() > 0)
          while (team.load<memory_order::acquire>(ready[static_cast<std::size_t>(team.block()) - 1]) == 0) team.pause();
        team.barrier();
        if (team.thread() == 0) team.store<memory_order::release>(ready[static_cast<std::size_t>(team.block())], 1);
      },
      3);
  EXPECT_NE(fault.find("deadlock: it waits for something that no running thread will do"), std::string::npos) << fault;
  EXPECT_NE(fault.find("thread 5 (lane 5 of warp 0)"), std::string::npos) << fault;
  EXPECT_NE(fault.find("tests/simt/executor_test.cpp:"), std::string::npos) << fault;
}

TEST(Executor, AMaskThatLeavesOutItsCallerIsAFault) {
  const std::string fault = fault_of({}, [](host_team team) { (void)team.ballot(0xfffffffeu, true); });
  EXPECT_NE(fault.find("ballot whose mask 0xfffffffe leaves out its caller; kernel kernel_of, block 0, thread 0"),
            std::string::npos)
      << fault;
}

TEST(Executor, AShuffleFromALaneOutsideOfTheMaskIsAFault) {
  const std::string fault = fault_of({}, [](host_team team) {
    if (team.lane() < 16) (void)team.shuffle(0x0000ffffu, 1, 20);
  });
  EXPECT_NE(fault.find("shuffle from an inactive lane: lane 20 is not in the mask 0x0000ffff"), std::string::npos)
      << fault;
}

TEST(Executor, LanesAtDifferentWarpOperationsAreAFault) {
  for (const schedule& turns : schedules) {
    const std::string fault = fault_of(turns, [](host_team team) {
      if (team.lane() < 16)
        team.sync_warp();
      else
        (void)team.any(full_mask, true);
    });
    EXPECT_NE(fault.find(" waits in a "), std::string::npos) << fault;
  }
}

TEST(Executor, OneHelperCalledFromTwoBranchesIsTwoSites) {
  const auto helper = [](host_team team, call_site site = call_site::here()) { team.barrier(site); };
  const std::string fault = fault_of({}, [&](host_team team) {
    if (team.thread() < 40)
      helper(team);
    else
      helper(team);
  });
  EXPECT_NE(fault.find("divergent barrier: thread 0 waits at tests/simt/executor_test.cpp:"), std::string::npos)
      << fault;
}

TEST(Executor, ALaneThatWaitsAtABarrierCannotShuffle) {
  for (const schedule& turns : schedules) {
    const std::string fault = fault_of(turns, [](host_team team) {
      if (team.lane() == 3)
        team.barrier();
      else
        team.sync_warp();
    });
    EXPECT_NE(fault.find("names lane 3, which has gone to a barrier"), std::string::npos) << fault;
  }
}

TEST(Executor, AnIndexOutsideOfASharedArrayIsAFaultAtItsLine) {
  struct words {
    shared_array<int, 10> all;
  };
  const std::string fault = fault_of<words>({}, [](host_team team) {
    if (team.thread() == 10) team.shared<words>().all[team.thread()] = 1;
  });
  EXPECT_NE(fault.find("executor_test.cpp:" + std::to_string(__LINE__ - 2) +
                       ": index 10 is outside of a shared array of 10 elements"),
            std::string::npos)
      << fault;
}

TEST(Executor, AnIndexOutsideOfAnArrayIsAFaultAtItsLine) {
  std::vector<double> array(20, 0.0);
  const host_memory::out<double> y(array.data(), 20);
  const std::string fault = fault_of({}, [&](host_team team) { y[team.thread() - 1] = 1; });
  EXPECT_NE(fault.find("executor_test.cpp:" + std::to_string(__LINE__ - 1) +
                       ": index -1 is outside of an array of 20 elements"),
            std::string::npos)
      << fault;
}

TEST(Executor, RunsAgainAfterAFault) {
  executor host(2);
  const auto faulty = [](host_team team) {
    if (team.thread() == 3) team.barrier();
  };
  EXPECT_THROW(host.run(kernel_of<decltype(faulty)>{faulty}, 4), error);
  std::int32_t count = 0;
  const auto counting = [&](host_team team) {
    team.barrier();
    team.atomic_add(count, 1);
  };
  host.run(kernel_of<decltype(counting)>{counting}, 4);
  EXPECT_EQ(count, 256);
}

TEST(Executor, ALaunchNamesTheThreadsOfABlockAndEachHasAnElement) {
  executor host(2);
  for (const schedule& turns : schedules)
    for (const int threads : {32, 96, 1024}) {
      std::vector<int> seen(static_cast<std::size_t>(3 * threads), -1);
      const auto reversed = [&](host_team team) {
        EXPECT_EQ(team.threads(), threads);
        const auto elements = team.shared_elements<int>();
        elements[team.thread()] = team.thread();
        team.barrier();
        seen[static_cast<std::size_t>(team.block() * threads + team.thread())] =
            elements[team.threads() - 1 - team.thread()];
      };
      host.run(kernel_of<decltype(reversed), shared_by_thread<int>>{reversed}, 3, turns, threads);
      for (int k = 0; k < 3 * threads; ++k)
        EXPECT_EQ(seen[static_cast<std::size_t>(k)], threads - 1 - k % threads) << threads;
    }
}

TEST(Executor, AnIndexOutsideOfTheElementsOfThreadsIsAFaultAtItsLine) {
  const std::string fault =
      fault_of<shared_by_thread<int>>({}, [](host_team team) { team.shared_elements<int>()[team.thread() + 1] = 1; });
  EXPECT_NE(fault.find("executor_test.cpp:" + std::to_string(__LINE__ - 1) +
                       ": index 64 is outside of a shared array of 64 elements"),
            std::string::npos)
      << fault;
}

TEST(Executor, RefusesBlocksThatAreNotWholeWarps) {
  executor host(1);
  const auto nothing = [](const void*, host_team) {};
  EXPECT_THROW(host.run({"odd", 48, 1, 0}, nothing, nullptr, {}), error);
  EXPECT_THROW(host.run({"large", 2048, 1, 0}, nothing, nullptr, {}), error);
  EXPECT_THROW(host.run({"negative", 32, -1, 0}, nothing, nullptr, {}), error);
  host.run({"empty", 32, 0, 0}, nothing, nullptr, {});
}

}  // namespace
}  // namespace lacis::simt

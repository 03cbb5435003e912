// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Traced launches: what small kernels ask for, counted by hand.
#include "lab/trace.hpp"

#include <gtest/gtest.h>

#include <lacis/error.hpp>

#include "simt/executor.hpp"
#include "simt/host_memory.hpp"

namespace lacis::lab {
namespace {

using simt::host_team;

/// A kernel made of a lambda over the team.
template <class Body, class Shared> struct kernel_of {
  static constexpr const char* name = "kernel_of";
  static constexpr int block_threads = 64;
  using shared = Shared;
  Body body;
  void operator()(host_team team) const { body(team); }
};

/// Two arrays of doubles that a kernel may use, and the counts of one traced launch.
struct traced {
  alignas(256) double a[1024] = {};
  alignas(256) double y[1024] = {};
  address_map map;
  traffic counts;

  traced() {
    map.add(role::values, a, sizeof a);
    map.add(role::y, y, sizeof y);
  }
  [[nodiscard]] simt::checked_pointer<const double> in() const { return {a, 1024, true}; }
  [[nodiscard]] simt::checked_pointer<double> out() { return {y, 1024, true}; }
  template <class Shared = simt::no_shared, class Body> void run(int blocks, Body body) {
    launch_trace trace(gpu_named("t4"), map, counts);
    simt::executor executor(1);
    executor.trace_by(&trace);
    executor.run(kernel_of<Body, Shared>{body}, blocks);
  }
};

TEST(Trace, CountsRequestsOfEveryWarp) {
  traced t;
  t.run(2, [a = t.in(), y = t.out()](host_team team) {
    const int i = team.block() * 64 + team.thread();
    y[i] = a[4 * i];
  });
  EXPECT_EQ(t.counts[role::values].requests, 4);
  EXPECT_EQ(t.counts[role::values].sectors, 4 * 32);
  EXPECT_EQ(t.counts[role::values].lines, 4 * 8);
  EXPECT_EQ(t.counts[role::y].requests, 4);
  EXPECT_EQ(t.counts[role::y].sectors, 4 * 8);
  EXPECT_EQ(t.counts[role::y].lines, 4 * 2);
  EXPECT_EQ(t.counts[role::y].first_reads, 0) << "it is only written";
  EXPECT_EQ(t.counts[role::y].written_back, 4 * 8);
}

TEST(Trace, ASumIntoAnElementIsALoadAndAStore) {
  traced t;
  t.run(1, [y = t.out()](host_team team) { y[team.thread()] = y[team.thread()] + 1; });
  EXPECT_EQ(t.counts[role::y].requests, 2 * 2);
  EXPECT_EQ(t.counts[role::y].first_reads, 16);
  EXPECT_EQ(t.counts[role::y].fetched, 16);
  EXPECT_EQ(t.counts[role::y].written_back, 16);
}

TEST(Trace, CountsAtomicsByLaneAndTheirSectorsOnce) {
  traced t;
  t.run(1, [y = t.out()](host_team team) {
    if (team.lane() < 10) team.atomic_add(y[0], 1.0);
  });
  EXPECT_EQ(t.counts[role::y].requests, 2);
  EXPECT_EQ(t.counts[role::y].atomics, 20);
  EXPECT_EQ(t.counts[role::y].sectors, 2);
  EXPECT_EQ(t.counts[role::y].fetched, 1);
  EXPECT_EQ(t.counts[role::y].written_back, 1);
  EXPECT_EQ(t.y[0], 20);
}

struct banks {
  simt::shared_array<float, 2048> words;
};

TEST(Trace, CountsConflictsOfBanks) {
  for (const int stride : {1, 2, 8, 32, 33}) {
    traced t;
    t.run<banks>(1, [stride](host_team team) {
      team.shared<banks>().words[1024 * team.warp() + team.lane() * stride] = 1;  // each warp has its half
    });
    EXPECT_EQ(t.counts.shared_requests, 2);
    EXPECT_EQ(t.counts.bank_conflicts, stride == 33 ? 0 : 2 * (stride - 1)) << stride;
    EXPECT_EQ(t.counts.shared_passes, t.counts.bank_conflicts + 2);
  }
}

TEST(Trace, BarriersPartRequests) {
  traced t;
  const auto at_one_line = [](const auto& a, int i) { return a[i]; };
  t.run(1, [a = t.in(), at_one_line](host_team team) {
    if (team.lane() < 16) at_one_line(a, team.thread());
    team.barrier();
    if (team.lane() >= 16) at_one_line(a, team.thread());
  });
  EXPECT_EQ(t.counts[role::values].requests, 4) << "half a warp before the barrier, half behind it";
}

TEST(Trace, AnIndexOutsideIsStillAFault) {
  traced t;
  try {
    t.run(1, [y = t.out()](host_team team) { y[1024 + team.thread()] = 1; });
    FAIL() << "no fault";
  } catch (const error& fault) {
    EXPECT_EQ(fault.code(), errc::kernel_fault);
    EXPECT_NE(std::string(fault.what()).find("index 1024 is outside of an array of 1024 elements"), std::string::npos)
        << fault.what();
  }
}

TEST(Trace, ALaunchAfterwardsIsNotTraced) {
  traced t;
  launch_trace trace(gpu_named("t4"), t.map, t.counts);
  simt::executor executor(2);
  executor.trace_by(&trace);
  executor.trace_by(nullptr);
  const auto body = [y = simt::checked_pointer<double>(t.y, 1024)](host_team team) { y[team.thread()] = 1; };
  executor.run(kernel_of<decltype(body), simt::no_shared>{body}, 1);
  EXPECT_EQ(t.counts[role::y].requests, 0);
  EXPECT_EQ(t.y[63], 1);
}

}  // namespace
}  // namespace lacis::lab

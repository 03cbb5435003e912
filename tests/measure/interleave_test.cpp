// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Turns, rounds and retakes, with contestants that write down when they run.
#include "measure/interleave.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lacis::measure {
namespace {

struct call {
  std::size_t who;
  int times;
};

std::vector<contestant> recorded(std::size_t count, std::vector<call>& calls, double seconds = 1) {
  std::vector<contestant> all;
  for (std::size_t i = 0; i < count; ++i)
    all.push_back({"", [i, &calls, seconds](int times) {
                     calls.push_back({i, times});
                     return seconds + static_cast<double>(i);
                   }});
  return all;
}

interleave_options quick(int rounds) {
  interleave_options options;
  options.seconds = 0;
  options.least_rounds = rounds;
  options.observe = [](pid_t, const std::function<void()>& work) {
    work();
    return 0.0;
  };
  return options;
}

TEST(Interleave, EveryRoundHasEveryContestantOnce) {
  for (int round = 0; round < 20; ++round) {
    std::vector<std::size_t> order = order_of_round(7, 3, round);
    std::sort(order.begin(), order.end());
    EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6}));
  }
}

TEST(Interleave, OrderChangesFromRoundToRoundAndIsReproducible) {
  std::set<std::vector<std::size_t>> orders;
  for (int round = 0; round < 20; ++round) {
    orders.insert(order_of_round(7, 3, round));
    EXPECT_EQ(order_of_round(7, 3, round), order_of_round(7, 3, round));
  }
  EXPECT_GT(orders.size(), 15U);
}

TEST(Interleave, ATurnIsAWarmUpAndATimedRunInTheOrderOfTheRound) {
  std::vector<call> calls;
  const std::vector<samples> taken = interleave(recorded(3, calls), quick(4));
  ASSERT_EQ(taken.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(taken[i].seconds, std::vector<double>(4, 1 + static_cast<double>(i)));
  std::vector<std::size_t> expected = {0, 0, 1, 1, 2, 2};  // how long each takes is tried first
  for (int round = 0; round < 4; ++round)
    for (const std::size_t i : order_of_round(3, interleave_options{}.seed, round))
      expected.insert(expected.end(), 2, i);
  std::vector<std::size_t> seen;
  for (const call& c : calls) seen.push_back(c.who);
  EXPECT_EQ(seen, expected);
}

TEST(Interleave, ShortWorkIsRepeatedForOneSample) {
  std::vector<call> calls;
  interleave_options options = quick(1);
  options.least_sample_seconds = 0.5;
  (void)interleave(recorded(1, calls, 0.125), options);
  EXPECT_EQ(calls.back().times, 4);
}

TEST(Interleave, DisturbedSamplesAreTakenAgain) {
  // Shares that others take, in the order of the timed runs.
  const std::vector<double> shares = {0.5, 0.01, 0.0, 0.9, 0.3, 0.6, 0.8};
  std::size_t next = 0;
  std::vector<double> times = {10, 11, 12, 13, 14, 15, 16};
  interleave_options options = quick(3);
  options.most_retakes = 3;
  options.observe = [&](pid_t, const std::function<void()>& work) {
    work();
    return shares.at(next++);
  };
  const contestant who{"", [&](int) { return times.at(std::min<std::size_t>(next, 6)); }};
  const std::vector<samples> taken = interleave({who}, options);
  // Round 1: the second take; round 2: the first; round 3: all four are disturbed, the least of them stays.
  EXPECT_EQ(taken[0].seconds, (std::vector<double>{11, 12, 14}));
  EXPECT_EQ(taken[0].retaken, 4);
  EXPECT_EQ(taken[0].disturbed, 1);
  EXPECT_EQ(next, shares.size());
}

TEST(Interleave, AMachineThatIsNeverQuietIsMeasuredAsItIs) {
  std::vector<call> calls;
  interleave_options options = quick(10);
  options.most_retakes_in_all = 7;
  options.observe = [](pid_t, const std::function<void()>& work) {
    work();
    return 1.0;
  };
  const std::vector<samples> taken = interleave(recorded(1, calls), options);
  EXPECT_EQ(taken[0].seconds.size(), 10U);
  EXPECT_EQ(taken[0].retaken, 7);
  EXPECT_EQ(taken[0].disturbed, 10);
}

TEST(Interleave, ProgressIsReportedBeforeEveryFirstRunAndEverySample) {
  std::vector<std::string> events;
  const auto named = [&](const std::string& name) {
    return contestant{name, [&events, name](int) {
                        events.push_back(name);
                        return 1.0;
                      }};
  };
  interleave_options options = quick(1);
  options.report = [&](std::string_view stage, double share) {
    EXPECT_GE(share, 0);
    EXPECT_LE(share, 1);
    events.emplace_back(stage);
  };
  static_cast<void>(interleave({named("a"), named("b")}, options));
  ASSERT_GE(events.size(), 6U);
  EXPECT_EQ((std::vector<std::string>(events.begin(), events.begin() + 6)),
            (std::vector<std::string>{"trying", "a", "a", "trying", "b", "b"}));
  EXPECT_EQ(events[6], "measuring");
}

TEST(Interleave, NobodyIsNoWork) { EXPECT_TRUE(interleave({}).empty()); }

}  // namespace
}  // namespace lacis::measure

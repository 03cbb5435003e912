// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Rounds, turns and retakes.
#include "measure/interleave.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <utility>

#include "measure/clock.hpp"

namespace lacis::measure {
namespace {

void take_sample(const contestant& who, int times, const interleave_options& options, samples& into) {
  double least = std::numeric_limits<double>::infinity();
  double kept = 0;
  for (int take = 0;; ++take) {
    (void)who.run(times);  // as long as the sample: threads that slept have to find their processors again
    double seconds = 0;
    const double taken = options.observe(who.process, [&] { seconds = who.run(times); });
    if (taken < least) {
      least = taken;
      kept = seconds;
    }
    if (taken <= options.most_disturbed || take == options.most_retakes || into.retaken >= options.most_retakes_in_all)
      break;
    ++into.retaken;
  }
  if (least > options.most_disturbed) ++into.disturbed;
  into.seconds.push_back(kept);
}

/// How often each has to work for a sample that is long enough to be timed.
std::vector<int> times_for_samples(const std::vector<contestant>& contestants, const interleave_options& options) {
  std::vector<int> times;
  for (const contestant& who : contestants) {
    if (options.report)
      options.report("trying", static_cast<double>(times.size()) / static_cast<double>(contestants.size()));
    who.run(1);
    const double seconds = who.run(1);
    times.push_back(static_cast<int>(
        std::clamp(std::ceil(options.least_sample_seconds / seconds), 1.0, static_cast<double>(options.most_times))));
    settle(who.process);
  }
  return times;
}

}  // namespace

std::function<double(int times)> repeated(std::function<double()> once) {
  return [once = std::move(once)](int times) {
    double seconds = 0;
    for (int i = 0; i < times; ++i) seconds += once();
    return seconds / times;
  };
}

std::vector<std::size_t> order_of_round(std::size_t count, std::uint64_t seed, int round) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937_64 random(seed + static_cast<std::uint64_t>(round));
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  return order;
}

std::vector<samples> interleave(const std::vector<contestant>& contestants, const interleave_options& options) {
  std::vector<samples> all(contestants.size());
  if (contestants.empty()) return all;
  const std::vector<int> times = times_for_samples(contestants, options);
  const auto begin = clock::now();
  pid_t last = contestants.back().process;
  for (int round = 0; round < options.least_rounds || seconds_since(begin) < options.seconds; ++round) {
    double turn = 0;
    for (const std::size_t i : order_of_round(contestants.size(), options.seed, round)) {
      const contestant& who = contestants[i];
      if (options.report) {
        const double rounds = (round + turn++ / static_cast<double>(contestants.size())) / options.least_rounds;
        const double time = options.seconds > 0 ? seconds_since(begin) / options.seconds : 1;
        options.report("measuring", std::min({rounds, time, 1.0}));
      }
      // The threads of another process must not spin while this one is measured.
      if (who.process != last) settle(last);
      last = who.process;
      take_sample(who, times[i], options, all[i]);
    }
  }
  return all;
}

}  // namespace lacis::measure

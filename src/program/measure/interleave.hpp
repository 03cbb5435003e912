// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Several contestants measured interleaved, so that whatever changes on the machine meets all of them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <sys/types.h>
#include <vector>

#include <lacis/progress.hpp>

#include "measure/quiet.hpp"

namespace lacis::measure {

struct contestant {
  std::string name;
  /// Does the work so many times and returns the seconds that one took.
  std::function<double(int times)> run;
  pid_t process = 0;  ///< where the work happens; 0 is here
};

struct interleave_options {
  double seconds = 10;                 ///< rounds go on for so long
  int least_rounds = 10;               ///< but there are at least so many
  double least_sample_seconds = 5e-3;  ///< shorter work is done several times for one sample
  int most_times = 200;                ///< with other load around, each one may wait for a time slice
  double most_disturbed = 0.02;        ///< a sample of which others took a larger share is taken again
  int most_retakes = 3;                ///< in a row; then the least disturbed one counts
  int most_retakes_in_all = 20;        ///< of one contestant: a machine that is never quiet is measured as it is
  std::uint64_t seed = 1;              ///< of the order in each round
  /// Runs the work and returns the share that others took.
  std::function<double(pid_t process, const std::function<void()>& work)> observe = measure::observe;
  progress report = {};
};

struct samples {
  std::vector<double> seconds;  ///< one a round: sample i of all contestants is from the same round
  int retaken = 0;              ///< disturbed and taken again
  int disturbed = 0;            ///< disturbed and kept, after too many retakes
};

/// One round after the other, each in another random order; a turn is a run to warm up and a timed one.
[[nodiscard]] std::vector<samples> interleave(const std::vector<contestant>& contestants,
                                              const interleave_options& options = {});

/// What a contestant runs, over a function that does the work once and returns its seconds.
[[nodiscard]] std::function<double(int times)> repeated(std::function<double()> once);

/// The order of one round: a permutation of 0 .. count, the same for the same seed and round on every machine.
[[nodiscard]] std::vector<std::size_t> order_of_round(std::size_t count, std::uint64_t seed, int round);

}  // namespace lacis::measure

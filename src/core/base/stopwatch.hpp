// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Times of short pieces of work, for what is measured once per process.
#pragma once

#include <algorithm>
#include <chrono>
#include <limits>

namespace lacis::detail {

using stopwatch = std::chrono::steady_clock;

[[nodiscard]] inline double nanoseconds_since(stopwatch::time_point begin) {
  return std::chrono::duration<double, std::nano>(stopwatch::now() - begin).count();
}

/// The least of some tries: what disturbs them is not the machine's.
template <class Work> [[nodiscard]] double least_nanoseconds(int tries, Work&& work) {
  double least = std::numeric_limits<double>::max();
  for (int i = 0; i < tries; ++i) {
    const auto begin = stopwatch::now();
    work();
    least = std::min(least, nanoseconds_since(begin));
  }
  return least;
}

}  // namespace lacis::detail

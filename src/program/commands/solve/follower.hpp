// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The residual of lacis solve while it iterates.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fmt/format.h>
#include <string>
#include <vector>

#include <lacis/solve.hpp>

#include "console/console.hpp"
#include "console/interrupt.hpp"
#include "plot/convergence.hpp"

namespace lacis::app {

/// One line on standard error that follows the residual, or a line per iteration.
class follower {
 public:
  /// `every`: a line per iteration.
  follower(bool every, bool quiet, double goal, const terminal& where)
      : every_(every), live_(!every && !quiet && where.rewrites), where_(where), goal_(goal) {}
  ~follower() {
    if (shown_) std::fputs("\r\x1b[K", stderr);
  }
  follower(const follower&) = delete;
  follower& operator=(const follower&) = delete;

  bool operator()(const solve_progress& now) {
    throw_if_interrupted();
    if (every_) std::fputs(fmt::format("{:>8}  {:.6e}\n", now.iteration, now.residual).c_str(), stderr);
    if (!live_) return true;
    if (now.iteration != last_iteration_ + 1) residuals_.clear();  // another method's turn
    last_iteration_ = now.iteration;
    residuals_.push_back(now.residual);
    const auto time = clock::now();
    if (time - last_ < std::chrono::milliseconds(100)) return true;
    last_ = time;
    shown_ = true;
    const std::string words = fmt::format("iteration {}  residual {:.2e}  ", now.iteration, now.residual);
    const auto room = static_cast<std::size_t>(std::max(8, where_.columns - static_cast<int>(words.size()) - 2));
    std::fputs(("\r\x1b[K" + words +
                plot::convergence_spark(residuals_, std::min<std::size_t>(room, 50), goal_, where_.unicode))
                   .c_str(),
               stderr);
    return true;
  }

 private:
  using clock = std::chrono::steady_clock;
  bool every_;
  bool live_;
  terminal where_;
  double goal_;
  std::vector<double> residuals_;
  std::int64_t last_iteration_ = 0;
  clock::time_point last_ = clock::now();
  bool shown_ = false;
};

}  // namespace lacis::app

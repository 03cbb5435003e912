// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Notices work that does not end: a thread that waits for a kernel which hangs never comes back.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace lacis::verification {

/// Calls hung(seconds) from a thread of its own when work between begin() and end() takes longer than the limit. What
/// hangs cannot be stopped: hung() says so and ends the process.
class watchdog {
 public:
  /// A limit of 0: nothing is watched.
  watchdog(double limit_seconds, std::function<void(double seconds)> hung);
  ~watchdog();
  watchdog(const watchdog&) = delete;
  watchdog& operator=(const watchdog&) = delete;

  void begin();
  void end();

 private:
  using clock = std::chrono::steady_clock;
  void watch();

  double limit_;
  std::function<void(double)> hung_;
  std::mutex turn_;
  std::condition_variable changed_;
  bool working_ = false;
  bool over_ = false;
  clock::time_point deadline_;
  std::thread thread_;
};

}  // namespace lacis::verification

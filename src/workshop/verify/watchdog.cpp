// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The thread that watches.
#include "verify/watchdog.hpp"

#include <mutex>
#include <utility>

namespace lacis::verification {

watchdog::watchdog(double limit_seconds, std::function<void(double)> hung)
    : limit_(limit_seconds), hung_(std::move(hung)) {
  if (limit_ > 0) thread_ = std::thread([this] { watch(); });
}

watchdog::~watchdog() {
  {
    const std::lock_guard guard(turn_);
    over_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void watchdog::begin() {
  const std::lock_guard guard(turn_);
  working_ = true;
  deadline_ = clock::now() + std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(limit_));
}

void watchdog::end() {
  const std::lock_guard guard(turn_);
  working_ = false;
}

/// Looks ten times within the limit: begin() and end() wake no thread, since runs take microseconds.
void watchdog::watch() {
  std::unique_lock guard(turn_);
  const std::chrono::duration<double> pause(limit_ / 10);
  while (!over_) {
    changed_.wait_for(guard, pause);
    if (over_ || !working_ || clock::now() < deadline_) continue;
    hung_(limit_);
    working_ = false;
  }
}

}  // namespace lacis::verification

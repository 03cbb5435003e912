// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Work on a device in rounds, timed by its events.
#pragma once

#include <functional>
#include <vector>

#include "device/runtime.hpp"

namespace lacis::verification {

/// Two events around work in the stream of a runtime.
class device_stopwatch {
 public:
  explicit device_stopwatch(device::runtime& device);
  ~device_stopwatch();
  device_stopwatch(const device_stopwatch&) = delete;
  device_stopwatch& operator=(const device_stopwatch&) = delete;

  /// The seconds of work() on the device.
  [[nodiscard]] double time(const std::function<void()>& work);

 private:
  void destroy();

  device::runtime& device_;
  void* first_ = nullptr;
  void* last_ = nullptr;
};

/// One that takes part in rounds: run() gives the seconds of one sample.
struct device_turn {
  std::function<double()> run;
  std::vector<double>* into;
};

/// Every round begins with another turn, and every second one goes backwards, so none always follows the same one.
/// `done` is called after each round.
void take_turns(const std::vector<device_turn>& turns, int rounds, const std::function<void(int done)>& done);

}  // namespace lacis::verification

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Work on a device in rounds, timed by its events.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include <lacis/device.hpp>

#include "device/runtime.hpp"
#include "device/simt_runtime.hpp"

namespace lacis::verification {

/// The table of a device, which the calling thread works with while this lives.
class open_device {
 public:
  /// Throws error(no_device) with the problem and the advice of look_for.
  explicit open_device(device_id device);
  ~open_device();
  open_device(const open_device&) = delete;
  open_device& operator=(const open_device&) = delete;

  [[nodiscard]] const lacis_runtime& table() const { return *table_; }
  [[nodiscard]] const device_report& found() const { return found_; }

 private:
  device_report found_;
  std::unique_ptr<device::simt_runtime> host_;
  const lacis_runtime* table_ = nullptr;
  std::int32_t before_ = -1;  ///< the device that the thread worked with
};

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

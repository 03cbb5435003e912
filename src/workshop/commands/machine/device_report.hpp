// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What lacis doctor --device has found, and its figures.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "console/console.hpp"
#include "measure/statistics.hpp"
#include "verify/measure_device.hpp"
#include "verify/verify.hpp"

namespace lacis::app {

struct device_diagnosis {
  kernel_report kernels;
  device_measurements measured;
};

[[nodiscard]] constexpr std::string_view word_of(device_bits bits) {
  return bits == device_bits::ok ? "ok" : bits == device_bits::whole ? "whole" : "differ";
}

struct device_figures {
  measure::estimate seconds;
  double gbs = 0;
  measure::estimate share_of_copy;                   ///< of the rate at which a copy moves bytes
  std::optional<measure::estimate> speed_to_peer;    ///< above 1: faster than the peer
  std::optional<measure::estimate> speed_to_thread;  ///< likewise than one thread of the processor
};
/// Of something that was run.
[[nodiscard]] device_figures figures_of(const device_subject& subject, const device_time& time);

[[nodiscard]] std::string device_screen(const device_diagnosis& all, const terminal& where);
/// Everything, fit to be sent.
[[nodiscard]] std::string device_json(const device_diagnosis& all);

}  // namespace lacis::app

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Networks for the model of lacis scale: what a message costs, and how fast bytes follow.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace lacis::app {

struct network {
  std::string name;
  double latency_us = 0;  ///< half a round trip of a small message between two processes
  double gbs = 0;         ///< 10^9 bytes per second that one rank receives, and sends at the same time
  std::string source;     ///< where the numbers come from
};

[[nodiscard]] std::span<const network> all_networks();

/// The network of that name, or "2,12.5": microseconds and GB/s. Otherwise error(invalid_argument) with a suggestion.
[[nodiscard]] network parse_network(const std::string& text);

}  // namespace lacis::app

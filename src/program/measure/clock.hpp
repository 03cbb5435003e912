// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The clock that everything is timed with.
#pragma once

#include <chrono>

namespace lacis::measure {

using clock = std::chrono::steady_clock;

[[nodiscard]] inline double seconds_since(clock::time_point begin) {
  return std::chrono::duration<double>(clock::now() - begin).count();
}

}  // namespace lacis::measure

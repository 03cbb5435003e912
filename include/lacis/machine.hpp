// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// What the cost model of plans knows of a machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lacis {

/// Rates of a machine, as `lacis doctor --measure` finds them.
struct machine {
  /// Reading memory.
  struct stream {
    int threads = 1;
    double read_gbs = 0;
  };
  /// Reading 8-byte elements at random places of a working set that the threads share.
  struct gather {
    int threads = 1;
    std::int64_t bytes = 0;
    double gbs = 0;
  };
  std::string source;            ///< "built in", or the file
  std::int64_t cache_bytes = 0;  ///< of the last level
  std::vector<stream> streams;
  std::vector<gather> gathers;
};

}  // namespace lacis

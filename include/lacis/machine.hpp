// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The rates of a machine that the cost model of plans computes with.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lacis {

/// Rates of a machine, as `lacis doctor --measure` finds them.
struct machine_rates {
  /// Reading memory.
  struct stream {
    int threads = 1;      ///< that read at the same time
    double read_gbs = 0;  ///< GB/s, of all of them together
  };
  /// Reading 8-byte elements at random places of a working set that the threads share.
  struct gather {
    int threads = 1;         ///< that read at the same time
    std::int64_t bytes = 0;  ///< of the working set
    double gbs = 0;          ///< GB/s of elements, of all threads together
  };
  std::string source;            ///< "built in", or the file
  std::int64_t cache_bytes = 0;  ///< of the last level
  std::vector<stream> streams;   ///< one per number of threads
  std::vector<gather> gathers;   ///< one per number of threads and working set
};
/// The former name of machine_rates.
using machine [[deprecated("use machine_rates")]] = machine_rates;

}  // namespace lacis

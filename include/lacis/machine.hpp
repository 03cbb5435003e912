// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The rates of a machine that the cost model of plans computes with.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lacis {

/// Rates of a machine, as `lacis doctor --measure` finds them. What is 0 or empty is measured by the first plan of a
/// process that is large enough for threads, in a few milliseconds.
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
  std::string source;                ///< "measured at the start", "built in" (for small matrices), or the file
  std::int64_t cache_bytes = 0;      ///< of the last level
  std::vector<stream> streams;       ///< one per number of threads
  std::vector<gather> gathers;       ///< one per number of threads and working set
  std::int64_t own_cache_bytes = 0;  ///< of the cache that each core has for itself
  double own_cache_gbs = 0;          ///< GB/s, one thread reading from that cache
  double last_cache_gbs = 0;         ///< GB/s, one thread reading from the last level
  double gathered_ns = 0;            ///< nanoseconds for an element of x at a place of its own, x in the first cache
  double consecutive_ns = 0;         ///< nanoseconds for an element of x beside the one before
  double wake_ns = 0;                ///< nanoseconds until all threads have started and ended
};

}  // namespace lacis

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// How much of a measurement other load took, as the kernel's scheduler counts it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <sys/types.h>

namespace lacis::measure {

/// Nanoseconds of one thread.
struct scheduler_times {
  std::int64_t running = 0;
  std::int64_t waiting = 0;  ///< ready to run while something else had the processor
};

/// Those of every thread of a process by its number; 0 is this process. Nothing where the kernel does not count, or for
/// a process that is gone.
[[nodiscard]] std::map<int, scheduler_times> thread_times(pid_t process);

/// Nanoseconds that a hypervisor has taken from all processors together.
[[nodiscard]] std::int64_t stolen_time();

/// Runs the work and returns which share of the time others took: the waiting of that thread of `process` which waited
/// longest (a product takes as long as its slowest thread), and the time that a hypervisor stole from each processor.
[[nodiscard]] double observe(pid_t process, const std::function<void()>& work);

/// Sleeps until the threads of a process have stopped spinning for more work, at most 100 ms: thread pools do so for
/// some milliseconds, and would take the processors from whoever is measured next.
void settle(pid_t process);

}  // namespace lacis::measure

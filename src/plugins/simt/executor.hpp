// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Runs kernels on the host: blocks on threads of the system, a block's threads on fibers, in the order one asks for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "simt/host_team.hpp"

namespace lacis::simt {

/// In which order blocks and the threads of a block take their turns. A kernel whose result depends on it is broken.
enum class turns { forward, reverse, shuffled };

struct schedule {
  turns order = turns::forward;
  std::uint64_t seed = 0;  ///< of shuffled turns

  friend bool operator==(const schedule&, const schedule&) = default;
};

/// What is launched.
struct launch_shape {
  const char* kernel = "";
  int block_threads = 0;
  int blocks = 0;
  std::size_t shared_bytes = 0;
};

using thread_function = void (*)(const void* kernel, host_team team);

class block_runner;
class tracer;

/// Stacks and identities are kept from launch to launch; one launch at a time.
class executor {
 public:
  /// On `threads` threads of the system; 0: as many as OpenMP would take.
  explicit executor(int threads = 0);
  ~executor();
  executor(const executor&) = delete;
  executor& operator=(const executor&) = delete;

  /// Runs every thread of the grid. Throws error(kernel_fault), which names kernel, line, block and thread, when
  /// threads of a block part at a barrier, when a warp operation names lanes that do not come or leaves out its caller,
  /// when an index leaves its array, and when no thread can go on.
  void run(const launch_shape& shape, thread_function thread, const void* kernel, const schedule& turns);

  /// Launches from now on are traced, on one thread of the system and in forward turns; null: no longer. Kernels then
  /// have traced pointers.
  void trace_by(tracer* listener) { tracer_ = listener; }
  [[nodiscard]] bool traced() const { return tracer_ != nullptr; }

  template <class Kernel>
  void run(const Kernel& kernel, int blocks, const schedule& turns = {}, int block_threads = Kernel::block_threads) {
    static_assert(Kernel::block_threads % warp_size == 0, "blocks are whole warps");
    constexpr std::size_t by_thread = bytes_by_thread<typename Kernel::shared>;
    const std::size_t shared_bytes =
        by_thread > 0 ? by_thread * static_cast<std::size_t>(block_threads) : sizeof(typename Kernel::shared);
    run({Kernel::name, block_threads, blocks, shared_bytes}, call<Kernel>, &kernel, turns);
  }

  template <class Kernel> static void call(const void* kernel, host_team team) {
    (*static_cast<const Kernel*>(kernel))(team);
  }

 private:
  std::vector<std::unique_ptr<block_runner>> runners_;
  tracer* tracer_ = nullptr;
};

}  // namespace lacis::simt

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Kernels that are wrong on purpose, one mistake each, with the line at which it must be reported.
#pragma once

#include "simt/host_memory.hpp"
#include "team/team.hpp"

namespace lacis::simt::broken {

/// A tree reduction whose last steps rely on threads running in step, without a barrier between them.
struct missing_barrier {
  static constexpr const char* name = "missing_barrier";
  static constexpr int block_threads = 128;
  struct shared {
    shared_array<double, block_threads> sums;
  };
  static constexpr int line = __LINE__ + 11;

  host_memory::in<double> x;
  host_memory::out<double> total;

  template <team Team> void operator()(Team team) const {
    auto& sums = team.template shared<shared>().sums;
    const int thread = team.thread();
    sums[thread] = x[thread];
    team.barrier();
    for (int half = block_threads / 2; half > 0; half /= 2) {
      if (thread < half) sums[thread] += sums[thread + half];
      if (half > 64) team.barrier();
    }
    if (thread == 0) total[0] = sums[0];
  }
};

/// Villa's reduction in shared memory as it was written: lanes of a warp are taken to run in step.
struct missing_warp_sync {
  static constexpr const char* name = "missing_warp_sync";
  static constexpr int block_threads = 64;
  struct shared {
    shared_array<double, block_threads> sums;
  };
  static constexpr int line = __LINE__ + 11;

  host_memory::in<double> x;
  host_memory::out<double> total;

  template <team Team> void operator()(Team team) const {
    auto& sums = team.template shared<shared>().sums;
    const int thread = team.thread();
    const int lane = team.lane();
    sums[thread] = x[thread];
    for (int half = warp_size / 2; half > 0; half /= 2)
      if (lane < half) sums[thread] += sums[thread + half];
    if (lane == 0) team.atomic_add(total[0], sums[thread]);
  }
};

/// Lane 0 has written for everybody, and the others do not wait for it: they came late from the meeting before, when it
/// was already on its way to the next.
struct missing_second_sync {
  static constexpr const char* name = "missing_second_sync";
  static constexpr int block_threads = 32;
  struct shared {
    shared_array<double, 1> message;
  };
  static constexpr int line = __LINE__ + 9;

  host_memory::in<double> x;
  host_memory::out<double> total;

  template <team Team> void operator()(Team team) const {
    auto& message = team.template shared<shared>().message;
    team.sync_warp();
    if (team.lane() == 0) message[0] = x[0];
    if (team.lane() == 1) total[team.block() % 2] = message[0];
    team.sync_warp();
  }
};

/// The same with barriers of the block.
struct missing_second_barrier {
  static constexpr const char* name = "missing_second_barrier";
  static constexpr int block_threads = 64;
  using shared = missing_second_sync::shared;
  static constexpr int line = __LINE__ + 9;

  host_memory::in<double> x;
  host_memory::out<double> total;

  template <team Team> void operator()(Team team) const {
    auto& message = team.template shared<shared>().message;
    team.barrier();
    if (team.thread() == 0) message[0] = x[0];
    if (team.thread() == 1) total[team.block() % 2] = message[0];
    team.barrier();
  }
};

/// Every block adds its part to the total without an atomic operation.
struct race_between_blocks {
  static constexpr const char* name = "race_between_blocks";
  static constexpr int block_threads = 32;
  using shared = no_shared;
  static constexpr int line = __LINE__ + 6;

  host_memory::in<double> x;
  host_memory::out<double> total;

  template <team Team> void operator()(Team team) const {
    if (team.thread() == 0) total[0] += x[team.block()];
  }
};

/// A barrier that only one half of the block comes to.
struct divergent_barrier {
  static constexpr const char* name = "divergent_barrier";
  static constexpr int block_threads = 64;
  using shared = no_shared;
  static constexpr int line = __LINE__ + 7;

  host_memory::in<double> x;
  host_memory::out<double> total;

  template <team Team> void operator()(Team team) const {
    if (team.thread() < 32) {
      team.barrier();
    }
    if (team.thread() == 0) total[0] = x[0];
  }
};

/// Lanes that have no element return, and the others still name them in the mask.
struct inactive_shuffle {
  static constexpr const char* name = "inactive_shuffle";
  static constexpr int block_threads = 32;
  using shared = no_shared;
  static constexpr int line = __LINE__ + 8;

  host_memory::in<double> x;
  host_memory::out<double> total;

  template <team Team> void operator()(Team team) const {
    if (team.lane() >= 20) return;
    double sum = x[team.lane()];
    for (int half = warp_size / 2; half > 0; half /= 2) sum += team.shuffle_down(full_mask, sum, half);
    if (team.lane() == 0) total[0] = sum;
  }
};

/// One block publishes a value with a relaxed flag: the other may see the flag and not the value.
struct relaxed_publish {
  static constexpr const char* name = "relaxed_publish";
  static constexpr int block_threads = 32;
  using shared = no_shared;
  static constexpr int line = __LINE__ + 14;

  host_memory::out<int32_t> tickets;  ///< which block comes first, and the flag
  host_memory::in<double> x;
  host_memory::out<double> total;

  template <team Team> void operator()(Team team) const {
    if (team.thread() != 0) return;
    const int32_t ticket = team.atomic_add(tickets[0], 1);
    if (ticket == 0) {
      total[0] = x[0];
      team.template store<memory_order::relaxed>(tickets[1], 1);
    } else {
      while (team.template load<memory_order::acquire>(tickets[1]) == 0) team.pause();
      total[1] = total[0];
    }
  }
};

}  // namespace lacis::simt::broken

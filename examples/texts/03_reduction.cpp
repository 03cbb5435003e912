// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// A sum over an array by a tree in shared memory, with and without its barrier: why one schedule proves nothing.
// After the parallel reduction of "Examples of CUDA code"; src/core/kernels/reduce.hpp has the one that ships.
#include <cstdio>
#include <vector>

#include "simt/executor.hpp"
#include "simt/host_memory.hpp"

namespace simt = lacis::simt;

template <class Memory, bool WithBarrier> struct plus_reduce {
  static constexpr const char* name = "plus_reduce";
  static constexpr int block_threads = 256;
  struct shared {
    simt::shared_array<int64_t, block_threads> sums;
  };

  int64_t count;
  simt::in<Memory, int64_t> input;
  simt::out<Memory, int64_t> total;

  template <simt::team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    auto& sums = team.template shared<shared>().sums;
    const int thread = team.thread();
    const int64_t i = int64_t{team.block()} * block_threads + thread;
    sums[thread] = i < count ? input[i] : 0;
    team.barrier();
    for (int half = block_threads / 2; half > 0; half /= 2) {
      if (thread < half) sums[thread] += sums[thread + half];
      if (WithBarrier) team.barrier();
    }
    if (thread == 0) team.atomic_add(total[0], sums[0]);
  }
};

template <bool WithBarrier> int64_t sum(const std::vector<int64_t>& x, simt::schedule turns) {
  const auto n = static_cast<int64_t>(x.size());
  int64_t total = 0;
  simt::executor().run(plus_reduce<simt::host_memory, WithBarrier>{n, {x.data(), n}, {&total, 1}},
                       static_cast<int>((n + 255) / 256), turns);
  return total;
}

int main() {
  const std::vector<int64_t> ones(2000, 1);
  std::printf("%-10s %15s %15s\n", "turns", "with barrier", "without");
  for (const auto& [name, turns] : {std::pair("forward", simt::schedule{simt::turns::forward, 0}),
                                    std::pair("reverse", simt::schedule{simt::turns::reverse, 0}),
                                    std::pair("shuffled", simt::schedule{simt::turns::shuffled, 1})})
    std::printf("%-10s %15lld %15lld\n", name, static_cast<long long>(sum<true>(ones, turns)),
                static_cast<long long>(sum<false>(ones, turns)));
}

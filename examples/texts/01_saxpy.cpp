// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// y = alpha x + y with one thread per element: how a kernel is written, launched, and run in every order of its
// threads. After "Examples of CUDA code"; src/core/kernels/vector.hpp has the one that ships.
#include <cstdio>
#include <vector>

#include "simt/executor.hpp"
#include "simt/host_memory.hpp"

namespace simt = lacis::simt;

/// A kernel is its arguments and a body over a team. nvcc compiles the same body for a GPU.
template <class Memory> struct saxpy {
  static constexpr const char* name = "saxpy";
  static constexpr int block_threads = 256;
  using shared = simt::no_shared;

  int64_t count;
  float alpha;
  simt::in<Memory, float> x;
  simt::out<Memory, float> y;

  template <simt::team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int64_t i = int64_t{team.block()} * block_threads + team.thread();
    if (i < count) y[i] = simt::add(simt::multiply(alpha, x[i]), y[i]);
  }
};

int main() {
  constexpr int64_t n = 1000000;
  constexpr int blocks = (n + 255) / 256;
  const std::vector<float> x(n, 3.0f);
  simt::executor host;
  for (const auto order : {simt::turns::forward, simt::turns::reverse, simt::turns::shuffled}) {
    std::vector<float> y(n, 1.0f);
    host.run(saxpy<simt::host_memory>{n, 2.0f, {x.data(), n}, {y.data(), n}}, blocks, {order, 1});
    int64_t right = 0;
    for (const float value : y) right += value == 7.0f;
    std::printf("%d blocks of 256 threads: %lld of %lld elements are 7\n", blocks, static_cast<long long>(right),
                static_cast<long long>(n));
    if (right != n) return 1;
  }
  return 0;
}

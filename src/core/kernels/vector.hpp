// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Elementwise updates of vectors.
#pragma once

#include "kernels/kernel.hpp"

namespace lacis::kernels {

/// y = alpha x + beta y: saxpy of "Examples of CUDA code", where beta is 1. A thread takes one element. Reads and
/// writes 3 values per element, 2 when alpha or beta is 0: what is multiplied by 0 is not read.
template <class Memory, class Value, class Index> struct axpby {
  static constexpr kernel id = kernel::axpby;
  static constexpr const char* name = "axpby";
  static constexpr int block_threads = 256;
  using shared = no_shared;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = axpby<M, Value, Index>;

  int64_t count;
  Value alpha;
  in<Memory, Value> x;
  Value beta;
  out<Memory, Value> y;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int64_t i = int64_t{team.block()} * block_threads + team.thread();
    if (i >= count) return;
    if (simt::is_zero(alpha))
      simt::update_without_sum(beta, y[i]);
    else
      update(alpha, x[i], beta, y[i]);
  }
};

using vector_kernels = value_kernel_list<axpby>;

}  // namespace lacis::kernels

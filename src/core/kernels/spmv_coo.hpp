// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The product of a COO matrix with a vector by atomic additions.
#pragma once

#include "kernels/kernel.hpp"

namespace lacis::kernels {

/// y = y + alpha A x: a thread takes one entry and adds its product to y, as the textbook chapter on sparse matrix
/// computation has it. Entries may come in any order and repeat; the additions to a row come in an order that differs
/// from run to run. Reads an entry's value, row and column once, in full sectors, and an element of x; an atomic
/// addition per entry, two for complex numbers.
template <class Memory, class Value, class Index> struct coo_atomic {
  static constexpr kernel id = kernel::coo_atomic;
  static constexpr const char* name = "coo_atomic";
  static constexpr int block_threads = 256;
  using shared = no_shared;
  using value_type = Value;
  using index_type = Index;
  template <class M> using with = coo_atomic<M, Value, Index>;

  int64_t entries;
  int iso;  ///< 1 when all entries have the first value
  in<Memory, Index> row_indices;
  in<Memory, Index> columns;
  in<Memory, Value> values;
  in<Memory, Value> x;
  Value alpha;
  out<Memory, Value> y;

  template <team Team> LACIS_DEVICE_FN void operator()(Team team) const {
    const int64_t k = int64_t{team.block()} * block_threads + team.thread();
    if (k >= entries) return;
    const Value product = multiply(values[iso != 0 ? 0 : k], x[columns[k]]);
    team.atomic_add(y[row_indices[k]], simt::scale(alpha, product));
  }
};

using spmv_coo_kernels = kernel_list<coo_atomic>;

}  // namespace lacis::kernels

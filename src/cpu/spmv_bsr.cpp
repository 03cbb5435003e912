// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The product of a BSR matrix: row by row through the blocks of a block row, fill left out by the mask.
//
// A block brings its column index once for block_size^2 values, and x is read in contiguous pieces.
#include <algorithm>
#include <array>
#include <atomic>

#include "base/instantiate.hpp"
#include "cpu/bsr_rows.hpp"
#include "cpu/row_sums.hpp"
#include "cpu/spmv.hpp"

namespace lacis::cpu {
namespace {

/// One row of at most short_limit entries in blocks without fill.
template <class A, class Index, class X>
product_of<A, X> full_sum(const bsr_view<A, Index>& a, std::int64_t block_row, std::int64_t inner, const X* x) {
  using T = product_of<A, X>;
  T sum{};
  for (auto b = a.row_offsets[static_cast<std::size_t>(block_row)];
       b < a.row_offsets[static_cast<std::size_t>(block_row + 1)]; ++b) {
    const std::int64_t first = a.block_columns[static_cast<std::size_t>(b)] * a.block_size;
    const std::int64_t slot = (b * a.block_size + inner) * a.block_size;
    for (std::int64_t c = 0; c < a.block_size; ++c)
      sum = summation::add(sum, static_cast<T>(summation::multiply(a.values[slot + c], x[first + c])));
  }
  return sum;
}

}  // namespace

template <class A, class Index, class X, class T>
bool spmv(const launch& how, const scaling<T>& scale, const bsr_view<A, Index>& a, const X* x, T* y, workspace&) {
  const auto& kernels = kernels_for<A, Index, X>(how.set);
  std::atomic<bool> all_good = true;
  run(how, [&](int thread, int threads) {
    bool good = true;
    bsr_row_reader<A, Index> reader(a);
    const std::int64_t end = detail::balanced_cut(a.row_offsets, thread + 1, threads);
    for (std::int64_t r = detail::balanced_cut(a.row_offsets, thread, threads); r < end; ++r) {
      const bool full = reader.is_full(r);
      const std::int64_t last = std::min(a.rows, (r + 1) * a.block_size);
      for (std::int64_t i = r * a.block_size; i < last; ++i) {
        const std::int64_t count = reader.start(i, full);
        T sum;
        if (count > short_limit) {
          summation::node_range<T> chunks;
          for (std::int64_t k = 0; k < count; k += chunk_size) {
            const std::int64_t size = std::min(chunk_size, count - k);
            const auto e = operand<A, Index, X>::of(reader.read(size), x);
            good &= kernels.descents(e.columns, size) == 0;
            chunks.append(kernels.chunk(e, size));
          }
          sum = chunks.total();
        } else if (full) {
          sum = full_sum(a, r, i - r * a.block_size, x);
        } else {
          const auto e = operand<A, Index, X>::of(reader.read(count), x);
          good &= kernels.descents(e.columns, count) == 0;
          sum = short_sum(e, count);
        }
        scale.store(y[i], sum);
      }
    }
    if (!good) all_good = false;
  });
  return all_good;
}

}  // namespace lacis::cpu

namespace lacis {
#define LACIS_INSTANTIATE(A, Index) LACIS_INSTANTIATE_SPMV(bsr_view, A, Index)
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)
}  // namespace lacis

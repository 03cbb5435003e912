// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The product of a BSR matrix: row by row through the blocks of a block row, fill left out by the mask.
//
// A block brings its column index once for block_size^2 values, and x is read in contiguous pieces. Block rows are
// canonical in every valid BSR matrix, and so are its rows; each block row is looked at before its first row.
#include <algorithm>
#include <atomic>

#include "base/instantiate.hpp"
#include "cpu/spmv/bsr_rows.hpp"
#include "cpu/spmv/row_sums.hpp"
#include "cpu/spmv/spmv.hpp"
#include "formats/offsets.hpp"

namespace lacis::cpu {

template <class A, class Index, class X, class T>
bool spmv(const launch& how, const scaling<T>& scale, const bsr_view<A, Index>& a, const X* x, T* y, workspace&) {
  const auto& kernels = kernels_for<A, Index, X>(how.set);
  std::atomic<bool> good = true;
  run(how, [&](int thread, int threads) {
    bsr_row_reader<A, Index> reader(a);
    const std::int64_t end = std::min(a.rows, a.block_size * detail::balanced_cut(a.row_offsets, thread + 1, threads));
    for (std::int64_t i = a.block_size * detail::balanced_cut(a.row_offsets, thread, threads); i < end; ++i) {
      const std::int64_t count = reader.start(i);
      if (count < 0) {
        good = false;
        return;
      }
      T sum{};
      if (count <= short_limit) {
        reader.for_each(count, [&](std::int64_t slot, std::int64_t column) {
          sum = summation::add(sum, static_cast<T>(summation::multiply(a.values[slot], x[column])));
        });
      } else {
        summation::node_range<T> chunks;
        for (std::int64_t k = 0; k < count; k += chunk_size) {
          const std::int64_t size = std::min(chunk_size, count - k);
          chunks.append(kernels.chunk(operand<A, Index, X>::of(reader.read(size), x), size));
        }
        sum = chunks.total();
      }
      scale.store(y[i], sum);
    }
  });
  return good;
}

}  // namespace lacis::cpu

namespace lacis {
#define LACIS_INSTANTIATE(A, Index) LACIS_INSTANTIATE_SPMV(bsr_view, A, Index)
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)
}  // namespace lacis

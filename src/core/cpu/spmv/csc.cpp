// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The product of a CSC matrix, column after column: every row meets its entries in ascending order of columns.
//
// Each thread owns a range of rows and passes over all row indices, so threads help little beyond the cost of reading
// values; a plan transposes once instead. Rows that are longer than the order sums left to right need lanes of their
// own: a matrix that has one is transposed for the product.
#include <atomic>

#include <lacis/buffer.hpp>

#include "base/instantiate.hpp"
#include "cpu/spmv/descents.hpp"
#include "cpu/spmv/row_source.hpp"
#include "cpu/spmv/spmv.hpp"
#include "formats/offsets.hpp"
#include "summation/arithmetic.hpp"

namespace lacis::cpu {

template <class A, class Index> bool columns_ascend(const launch& how, const csc_view<A, Index>& a) {
  std::atomic<bool> good = true;
  run(how, [&](int thread, int threads) {
    const std::int64_t begin = detail::even_cut(a.cols, thread, threads);
    const std::int64_t end = detail::even_cut(a.cols, thread + 1, threads);
    if (!detail::offsets_rise(a.column_offsets.data() + begin, end - begin, a.nnz())) {
      good = false;
      return;
    }
    for (std::int64_t j = begin; j < end; ++j) {
      const std::int64_t first = a.column_offsets[static_cast<std::size_t>(j)];
      const std::int64_t count = a.column_offsets[static_cast<std::size_t>(j + 1)] - first;
      if (portable::descents(a.row_indices.data() + first, count, a.rows) != 0) good = false;
    }
  });
  return good;
}

template <class A, class Index, class X, class T>
bool spmv(const launch& how, const scaling<T>& scale, const csc_view<A, Index>& a, const X* x, T* y,
          workspace& memory) {
  if (!columns_ascend(how, a)) return false;
  buffer<T> sums(a.rows);
  buffer<std::uint8_t> lengths(a.rows);  // as far as short_limit + 1
  std::atomic<bool> has_long = false;
  run(how, [&](int thread, int threads) {
    const std::int64_t begin = detail::even_cut(a.rows, thread, threads);
    const std::int64_t end = detail::even_cut(a.rows, thread + 1, threads);
    std::fill(sums.begin() + begin, sums.begin() + end, T{});
    std::fill(lengths.begin() + begin, lengths.begin() + end, std::uint8_t{0});
    const A* values = a.values.data.data();
    const Index* rows = a.row_indices.data();
    const auto take = [&](std::int64_t i, std::int64_t k, std::int64_t j) {
      ++lengths[i];
      sums[i] = summation::add(sums[i], static_cast<T>(summation::multiply(values[a.values.iso ? 0 : k], x[j])));
      return lengths[i] <= short_limit;
    };
    bool all_short = true;
    for (std::int64_t j = 0; j < a.cols && all_short; ++j) {
      auto k = a.column_offsets[static_cast<std::size_t>(j)];
      auto last = a.column_offsets[static_cast<std::size_t>(j + 1)];
      if (k == last || rows[k] >= end || rows[last - 1] < begin) continue;
      while (rows[k] < begin && k + 1 < last) ++k;
      while (rows[last - 1] >= end && last > k) --last;
      for (; k < last; ++k) all_short &= take(rows[k], k, j);
    }
    if (!all_short) has_long = true;
  });
  if (has_long) {
    const csr_matrix<A, Index> rows = detail::to_csr(a);
    return spmv(how, scale, rows.view(), x, y, memory);
  }
  run(how, [&](int thread, int threads) {
    const std::int64_t end = detail::even_cut(a.rows, thread + 1, threads);
    for (std::int64_t i = detail::even_cut(a.rows, thread, threads); i < end; ++i) scale.store(y[i], sums[i]);
  });
  return true;
}

}  // namespace lacis::cpu

namespace lacis {
#define LACIS_INSTANTIATE(A, Index)                                                 \
  template bool cpu::columns_ascend(const cpu::launch&, const csc_view<A, Index>&); \
  LACIS_INSTANTIATE_SPMV(csc_view, A, Index)
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)
}  // namespace lacis

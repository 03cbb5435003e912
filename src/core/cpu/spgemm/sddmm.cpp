// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Dense products at the places of a pattern, on threads that share its entries evenly.
#include "cpu/spgemm/sddmm.hpp"

#include <algorithm>

#include <lacis/error.hpp>
#include <lacis/sddmm.hpp>

#include "base/checked.hpp"
#include "base/instantiate.hpp"
#include "base/interruption.hpp"
#include "cpu/launch.hpp"
#include "formats/order_rows.hpp"
#include "formats/rows.hpp"

namespace lacis::cpu {
namespace {

template <class T, class Index>
void require_operands(const pattern_view<Index>& mask, const dense_view<const T>& x, const dense_view<const T>& y) {
  if (x.rows != mask.rows || y.cols != mask.cols || x.cols != y.rows)
    throw error(errc::invalid_argument, detail::text("a mask of ", mask.rows, " x ", mask.cols, " does not fit X of ",
                                                     x.rows, " x ", x.cols, " and Y of ", y.rows, " x ", y.cols));
  detail::require_canonical_pattern(mask, "sddmm");
}

/// Y with contiguous columns: a copy in `memory`. A few columns are read at a time, so that what a cache line of a
/// row-major Y holds is used at once.
template <class T>
dense_view<const T> with_contiguous_columns(const launch& how, const dense_view<const T>& y, buffer<T>& memory) {
  constexpr std::int64_t at_once = 16;
  memory = buffer<T>(detail::checked_multiply(y.rows, y.cols, "the elements of Y"));
  const std::int64_t groups = (y.cols + at_once - 1) / at_once;
  run(how, [&](int thread, int threads) {
    const std::int64_t end = detail::even_cut(groups, thread + 1, threads);
    for (std::int64_t g = detail::even_cut(groups, thread, threads); g < end; ++g)
      for (std::int64_t k = 0; k < y.rows; ++k)
        for (std::int64_t j = g * at_once; j < std::min(y.cols, (g + 1) * at_once); ++j)
          memory[j * y.rows + k] = y(k, j);
  });
  return {memory.data(), y.rows, y.cols, 1, y.rows};
}

template <class T, class Index>
void sums_of_entries(const launch& how, const pattern_view<Index>& mask, const dense_view<const T>& x,
                     const dense_view<const T>& y, T* sums) {
  if (x.cols == 0) {  // no products, and perhaps no elements to point at
    std::fill_n(sums, mask.nnz(), T{});
    return;
  }
  sddmm_kernel<T, Index>* kernel = y.row_stride == 1 ? sddmm_kernel_for<T, Index>(how.set) : sddmm_portable<T, Index>;
  const std::int64_t* offsets = mask.row_offsets.data();
  const detail::stop_check stop;
  run(how, [&](int thread, int threads) {
    const std::int64_t end = detail::even_cut(mask.nnz(), thread + 1, threads);
    std::int64_t e = detail::even_cut(mask.nnz(), thread, threads);
    for (std::int64_t i = std::upper_bound(offsets, offsets + mask.rows, e) - offsets - 1; e < end; ++i) {
      stop.at(i);
      const std::int64_t count = std::min(offsets[i + 1], end) - e;
      const sddmm_row<T> row{x.data + i * x.row_stride, x.col_stride, y.data, y.row_stride, y.col_stride, x.cols};
      kernel(row, mask.columns.data() + e, count, sums + e);
      e += count;
    }
  });
}

}  // namespace
}  // namespace lacis::cpu

namespace lacis::detail {

template <class Value, class Index>
csr_matrix<Value, Index> sddmm(const csr_view<float, Index>& mask, const dense_view<const Value>& x,
                               const dense_view<const Value>& y, const multiply_options& options) {
  cpu::require_operands(mask, x, y);
  const cpu::launch how = cpu::launch_of(options, checked_multiply(mask.nnz(), x.cols + 1, "the products of a mask"));
  buffer<Value> memory;
  const bool copies = y.row_stride != 1 && mask.nnz() >= y.cols;
  values_array<Value> sums(mask.nnz());
  cpu::sums_of_entries(how, mask, x, copies ? cpu::with_contiguous_columns(how, y, memory) : y, sums.data.data());
  return {.rows = mask.rows,
          .cols = mask.cols,
          .row_offsets = parallel_copy_of(mask.row_offsets),
          .columns = parallel_copy_of(mask.columns),
          .values = std::move(sums)};
}

#define LACIS_SDDMM(Value, Index)                                                                                  \
  template LACIS_API csr_matrix<Value, Index> sddmm(const csr_view<float, Index>&, const dense_view<const Value>&, \
                                                    const dense_view<const Value>&, const multiply_options&);
LACIS_FOR_EACH_TYPE(LACIS_SDDMM)

}  // namespace lacis::detail

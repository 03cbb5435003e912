// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The product of a matrix stored by diagonals: threads share the rows in steps of 64, one word of a mask.
#include <algorithm>
#include <atomic>

#include "base/instantiate.hpp"
#include "cpu/spmv/dia_rows.hpp"
#include "cpu/spmv/spmv.hpp"

namespace lacis::cpu {

template <class A, class Index, class X, class T>
bool spmv(const launch& how, const scaling<T>& scale, const dia_view<A, Index>& a, const X* x, T* y, workspace&) {
  const auto& kernels = kernels_for<A, Index, X>(how.set);
  const diagonals<A> source{a.values.data.data(),
                            a.values.iso,
                            a.rows,
                            a.cols,
                            a.diagonals.data(),
                            static_cast<std::int64_t>(a.diagonals.size()),
                            a.mask.data(),
                            a.mask_words()};
  std::atomic<bool> good = true;
  run(how, [&](int thread, int threads) {
    const std::int64_t first_word = detail::even_cut(a.mask_words(), thread, threads);
    const std::int64_t last_word = detail::even_cut(a.mask_words(), thread + 1, threads);
    const std::int64_t end = std::min(a.rows, 64 * last_word);
    if (!diagonals_fit(a, first_word, last_word))
      good = false;
    else if (64 * first_word < end)
      kernels.dia_rows(source, x, 64 * first_word, end, scale, y);
  });
  return good;
}

}  // namespace lacis::cpu

namespace lacis {
#define LACIS_INSTANTIATE(A, Index) LACIS_INSTANTIATE_SPMV(dia_view, A, Index)
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)
}  // namespace lacis

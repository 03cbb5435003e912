// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/multigrid/galerkin.hpp"

#include <cstdint>
#include <span>
#include <vector>

#include "base/instantiate.hpp"
#include "solve/multigrid/row_collector.hpp"
#include "summation/environment.hpp"

namespace lacis::multigrid {

template <class S, class Index>
csr_matrix<S, Index> galerkin_product(const csr_view<S, Index>& r, const csr_view<S, Index>& a,
                                      const csr_view<S, Index>& p) {
  // Rows of A P, in no order: the product with R puts its rows in order.
  std::vector<std::span<const entry<S, Index>>> products(static_cast<std::size_t>(a.rows));
  const int threads = detail::threads_for_work(a.rows + a.nnz());
  std::vector<row_pages<S, Index>> pages(static_cast<std::size_t>(threads));
  detail::on_threads(threads, [&](int t, int count) {
    const summation::rounding_guard guard;
    row_sums<S, Index> sums(p.cols);
    for (auto i = detail::balanced_cut(a.row_offsets, t, count); i < detail::balanced_cut(a.row_offsets, t + 1, count);
         ++i) {
      sums.clear();
      for (auto k = a.row_offsets[static_cast<std::size_t>(i)]; k < a.row_offsets[static_cast<std::size_t>(i + 1)];
           ++k) {
        const auto j = static_cast<std::size_t>(a.columns[static_cast<std::size_t>(k)]);
        const S value = a.values[k];
        for (auto e = p.row_offsets[j]; e < p.row_offsets[j + 1]; ++e)
          sums.add(p.columns[static_cast<std::size_t>(e)], summation::multiply(value, p.values[e]));
      }
      products[static_cast<std::size_t>(i)] = pages[static_cast<std::size_t>(t)].keep(sums.row());
    }
  });
  return collect_rows<S, Index>(r.rows, p.cols, r.row_offsets, [&](row_sums<S, Index>& sums, std::int64_t i) {
    const summation::rounding_guard guard;
    for (auto k = r.row_offsets[static_cast<std::size_t>(i)]; k < r.row_offsets[static_cast<std::size_t>(i + 1)]; ++k) {
      const S value = r.values[k];
      for (const auto& one : products[static_cast<std::size_t>(r.columns[static_cast<std::size_t>(k)])])
        sums.add(one.column, summation::multiply(value, one.value));
    }
    if (sums.row().empty()) sums.add(static_cast<Index>(i), S(1));
    sums.sort();
  });
}

#define LACIS_INSTANTIATE(S, Index)                                                                    \
  template csr_matrix<S, Index> galerkin_product(const csr_view<S, Index>&, const csr_view<S, Index>&, \
                                                 const csr_view<S, Index>&);
LACIS_FOR_EACH_TYPE(LACIS_INSTANTIATE)

}  // namespace lacis::multigrid

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
#include "solve/multigrid/row_product.hpp"

#include "base/instantiate.hpp"
#include "solve/multigrid/row_collector.hpp"
#include "summation/environment.hpp"

namespace lacis::multigrid {

template <class S, class Index>
csr_matrix<S, Index> product_in_order(const csr_view<S, Index>& a, const csr_view<S, Index>& b) {
  return collect_rows<S, Index>(a.rows, b.cols, a.row_offsets, [&](row_sums<S, Index>& sums, std::int64_t i) {
    for (auto k = a.row_offsets[static_cast<std::size_t>(i)]; k < a.row_offsets[static_cast<std::size_t>(i + 1)]; ++k) {
      const auto j = static_cast<std::size_t>(a.columns[static_cast<std::size_t>(k)]);
      for (auto e = b.row_offsets[j]; e < b.row_offsets[j + 1]; ++e)
        sums.add(b.columns[static_cast<std::size_t>(e)], summation::multiply(a.values[k], b.values[e]));
    }
  });
}

#define LACIS_INSTANTIATE(S)                                                              \
  template csr_matrix<S, std::int32_t> product_in_order(const csr_view<S, std::int32_t>&, \
                                                        const csr_view<S, std::int32_t>&);
LACIS_FOR_EACH_VALUE(LACIS_INSTANTIATE)

}  // namespace lacis::multigrid

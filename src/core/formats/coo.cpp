// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// COO to and from CSR, and CSR's own copy.
#include <algorithm>

#include <lacis/convert.hpp>

#include "base/checked.hpp"
#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "formats/assemble.hpp"
#include "formats/rows.hpp"

namespace lacis::detail {

template <class Value, class Index> csr_matrix<Value, Index> to_csr(const csr_view<Value, Index>& a) {
  return copy_of(a);
}

template <class Value, class Index> csr_matrix<Value, Index> to_csr(const coo_view<Value, Index>& a) {
  return gather_rows(a);
}

template <class Value, class Index>
coo_matrix<Value, Index> from_csr(const csr_view<Value, Index>& a, const convert_options&,
                                  std::type_identity<coo_matrix<Value, Index>>) {
  require_index<Index>(a.rows, "rows");
  coo_matrix<Value, Index> result{a.rows, a.cols, buffer<Index>(a.nnz()), parallel_copy_of(a.columns),
                                  values_array<Value>(parallel_copy_of(a.values.data), a.values.iso)};
  parallel_rows(a.row_offsets, [&](std::int64_t first, std::int64_t last) {
    for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(last); ++i)
      std::fill(result.row_indices.data() + a.row_offsets[i], result.row_indices.data() + a.row_offsets[i + 1],
                static_cast<Index>(i));
  });
  return result;
}

#define LACIS_COO(Value, Index)                                                                               \
  template LACIS_API csr_matrix<Value, Index> to_csr(const csr_view<Value, Index>&);                          \
  template LACIS_API csr_matrix<Value, Index> to_csr(const coo_view<Value, Index>&);                          \
  template LACIS_API coo_matrix<Value, Index> from_csr(const csr_view<Value, Index>&, const convert_options&, \
                                                       std::type_identity<coo_matrix<Value, Index>>);
LACIS_FOR_EACH_TYPE(LACIS_COO)

}  // namespace lacis::detail

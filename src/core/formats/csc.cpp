// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// CSC to and from CSR: a transpose each way.
#include <lacis/convert.hpp>
#include <lacis/structure.hpp>

#include "base/checked.hpp"
#include "base/instantiate.hpp"

namespace lacis::detail {

template <class Value, class Index> csr_matrix<Value, Index> to_csr(const csc_view<Value, Index>& a) {
  const csr_view<Value, Index> transposed{a.cols, a.rows, a.column_offsets, a.row_indices, a.values};
  return transpose(transposed, false);
}

template <class Value, class Index>
csc_matrix<Value, Index> from_csr(const csr_view<Value, Index>& a, const convert_options&,
                                  std::type_identity<csc_matrix<Value, Index>>) {
  require_index<Index>(a.rows, "rows");
  auto transposed = transpose(a, false);
  return {a.rows, a.cols, std::move(transposed.row_offsets), std::move(transposed.columns),
          std::move(transposed.values)};
}

#define LACIS_CSC(Value, Index)                                                                               \
  template LACIS_API csr_matrix<Value, Index> to_csr(const csc_view<Value, Index>&);                          \
  template LACIS_API csc_matrix<Value, Index> from_csr(const csr_view<Value, Index>&, const convert_options&, \
                                                       std::type_identity<csc_matrix<Value, Index>>);
LACIS_FOR_EACH_TYPE(LACIS_CSC)

}  // namespace lacis::detail

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The pattern of a matrix: where it has entries, whatever they are.
#pragma once

#include <lacis/csr.hpp>

namespace lacis {

/// A CSR matrix of which only the pattern is read; `values` is empty.
template <index Index = std::int32_t, index Offset = std::int64_t> using pattern_view = csr_view<float, Index, Offset>;

/// The pattern of a CSR matrix with values of any type.
template <class Matrix> [[nodiscard]] auto pattern_of(const Matrix& a) {
  const auto m = a.view();
  using view = pattern_view<typename Matrix::index_type, typename Matrix::offset_type>;
  return view(m.rows, m.cols, m.row_offsets, m.columns, {});
}
/// The pattern of a temporary would outlive it.
template <value Value, index Index> void pattern_of(const csr_matrix<Value, Index>&& a) = delete;

}  // namespace lacis

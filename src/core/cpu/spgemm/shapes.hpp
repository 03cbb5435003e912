// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Rows that repeat the pattern of the row before, moved by one column: what stencils and bands are made of.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <lacis/buffer.hpp>
#include <lacis/csr.hpp>

namespace lacis::cpu {

/// Where templates are used: the pairs that kernels have vectors for.
template <class T, class Index> inline constexpr bool has_templates = !is_complex<T> && sizeof(Index) == 4;

/// The pattern of a matrix whose neighbouring rows mostly have one shape: the same distances of their columns from the
/// diagonal.
struct row_shapes {
  buffer<std::int32_t> shape;    ///< of each row, a number
  buffer<std::int32_t> run_end;  ///< for each row, the row behind the last neighbour of its shape
  std::int64_t longest = 0;      ///< entries in a row, at most

  [[nodiscard]] std::int64_t bytes() const { return 4 * (shape.size() + run_end.size()); }
};

/// The values of such a matrix, entry by entry instead of row by row, so that entry e of several neighbouring rows is
/// one load: at e * stride + row_step * i for row i.
template <class T> struct entry_values {
  buffer<T> data;
  std::int64_t stride = 0;
  std::int64_t row_step = 1;  ///< 0, as `stride`: one value stands for all
};

/// One for each operand; A's may be B's.
template <class Each> struct of_operands {
  Each b;
  std::optional<Each> own_a;
  [[nodiscard]] const Each& a() const { return own_a ? *own_a : b; }
};
using operand_shapes = of_operands<row_shapes>;
template <class T> using operand_values = of_operands<entry_values<T>>;

/// Nothing when one of the matrices is not of this kind; found out from a sample of rows where it is far from it. Rows
/// that do not ascend are error(invalid_matrix).
template <class T, class Index>
[[nodiscard]] std::optional<operand_shapes> find_shapes(const csr_view<T, Index>& a, const csr_view<T, Index>& b);

template <class T, class Index>
[[nodiscard]] operand_values<T> values_by_entry(const csr_view<T, Index>& a, const csr_view<T, Index>& b,
                                                const operand_shapes& shapes);

[[nodiscard]] std::int64_t bytes_of(const operand_shapes& shapes);
template <class T> [[nodiscard]] std::int64_t bytes_of(const operand_values<T>& values) {
  return (values.b.data.size() + (values.own_a ? values.own_a->data.size() : 0)) * static_cast<std::int64_t>(sizeof(T));
}

}  // namespace lacis::cpu

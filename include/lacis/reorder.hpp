// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Orderings of a square matrix, in which its products read memory in better order.
#pragma once

#include <cstdint>
#include <string_view>

#include <lacis/buffer.hpp>
#include <lacis/csr.hpp>
#include <lacis/export.hpp>
#include <lacis/wide_offsets.hpp>

namespace lacis {

/// How the rows and columns of a square matrix are ordered.
enum class reordering {
  none,   ///< as they are
  rcm,    ///< reverse Cuthill-McKee: neighbours get near numbers; meshes
  chain,  ///< along paths, one after the other; graphs that are mostly paths
  degree  ///< columns with most entries first; graphs with hubs
};
/// "none", "rcm", "chain", "degree".
[[nodiscard]] LACIS_API std::string_view name_of(reordering how);

namespace detail {
template <class Value, class Index>
LACIS_API buffer<std::int64_t> reorder(const csr_view<Value, Index>& a, reordering how);
}  // namespace detail

/// An ordering of the rows and columns of a square matrix: element k is the row and column that gets number k, as
/// permute(A, order, order) takes it. The same on every machine, with any number of threads. The pattern need not be
/// symmetric: an entry joins its row and its column either way. Throws error(invalid_argument) for other shapes.
template <class Matrix> [[nodiscard]] buffer<std::int64_t> reorder(const Matrix& a, reordering how) {
  return detail::reorder(detail::wide(a).view(), how);
}

}  // namespace lacis

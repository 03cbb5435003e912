// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Rows and columns in another order.
#include <lacis/structure.hpp>

#include "base/instantiate.hpp"
#include "structure/select.hpp"

namespace lacis::detail {
namespace {

/// The inverse of a permutation; empty for an empty one, which means that nothing moves.
template <index Index>
buffer<Index> inverse_of(std::span<const std::int64_t> permutation, std::int64_t size, std::string_view what) {
  if (permutation.empty()) return {};
  if (static_cast<std::int64_t>(permutation.size()) != size)
    throw error(errc::invalid_argument, text("a permutation of ", permutation.size(), ' ', what, " for a matrix with ",
                                             size, "; give one position for each, or none to leave them"));
  return positions_in<Index>(permutation, size, what);
}

}  // namespace

template <class Value, class Index>
csr_matrix<Value, Index> permute(const csr_view<Value, Index>& a, std::span<const std::int64_t> rows,
                                 std::span<const std::int64_t> cols) {
  inverse_of<std::int64_t>(rows, a.rows, "rows");
  const buffer<Index> position = inverse_of<Index>(cols, a.cols, "columns");
  const column_choice<Index> choice{.cols = a.cols, .position = position, .ascending = cols.empty()};
  return select(a, a.rows, [&](std::int64_t i) { return rows.empty() ? i : rows.data()[i]; }, choice);
}

#define LACIS_PERMUTE(Value, Index)                                                                                 \
  template LACIS_API csr_matrix<Value, Index> permute(const csr_view<Value, Index>&, std::span<const std::int64_t>, \
                                                      std::span<const std::int64_t>);
LACIS_FOR_EACH_TYPE(LACIS_PERMUTE)

}  // namespace lacis::detail

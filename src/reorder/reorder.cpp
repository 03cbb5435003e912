// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The numberings by name.
#include <lacis/error.hpp>
#include <lacis/reorder.hpp>

#include "base/instantiate.hpp"
#include "base/text.hpp"

namespace lacis {

std::string_view name_of(reordering how) {
  constexpr std::string_view names[] = {"none", "rcm", "chain", "degree"};
  return names[static_cast<std::size_t>(how)];
}

namespace detail {

template <class Value, class Index> buffer<std::int64_t> reorder(const csr_view<Value, Index>& a, reordering how) {
  if (a.rows != a.cols)
    throw error(
        errc::invalid_argument,
        text("only a square matrix has one numbering for rows and columns; this one is ", a.rows, " x ", a.cols));
  buffer<std::int64_t> order(a.rows);
  for (std::int64_t i = 0; i < a.rows; ++i) order[i] = i;
  static_cast<void>(how);
  return order;
}

#define LACIS_REORDER(Value, Index) \
  template LACIS_API buffer<std::int64_t> reorder(const csr_view<Value, Index>&, reordering);
LACIS_FOR_EACH_TYPE(LACIS_REORDER)

}  // namespace detail
}  // namespace lacis

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The orderings by name.
#include <limits>

#include <lacis/error.hpp>
#include <lacis/reorder.hpp>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "reorder/orders.hpp"

namespace lacis {

std::string_view name_of(reordering how) {
  constexpr std::string_view names[] = {"none", "rcm", "chain", "degree"};
  return names[static_cast<std::size_t>(how)];
}

namespace detail {
namespace {

buffer<std::int64_t> same_order(std::int64_t size) {
  buffer<std::int64_t> order(size);
  parallel_for(size, [&](std::int64_t i) { order[i] = i; });
  return order;
}

template <class Id, index Index> buffer<std::int64_t> order_of(const graph<Index>& g, reordering how) {
  return how == reordering::rcm ? rcm_order<Id>(g) : chain_order<Id>(g);
}

template <index Index> buffer<std::int64_t> order_of(const pattern_view<Index>& a, reordering how) {
  if (how == reordering::none) return same_order(a.rows);
  if (how == reordering::degree) return degree_order(a);
  const graph<Index> g(a);
  if (a.rows <= std::numeric_limits<std::int32_t>::max()) return order_of<std::int32_t>(g, how);
  if constexpr (std::same_as<Index, std::int64_t>) return order_of<std::int64_t>(g, how);
  throw error(errc::overflow, text("columns of 32 bits cannot number ", a.rows, " rows; use std::int64_t"));
}

}  // namespace

template <class Value, class Index> buffer<std::int64_t> reorder(const csr_view<Value, Index>& a, reordering how) {
  if (a.rows != a.cols)
    throw error(errc::invalid_argument, text("only a square matrix has one ordering for rows and columns; this one is ",
                                             a.rows, " x ", a.cols, "; reorder its square part, taken with extract()"));
  return order_of(unit_pattern_of(a), how);
}

#define LACIS_REORDER(Value, Index) \
  template LACIS_API buffer<std::int64_t> reorder(const csr_view<Value, Index>&, reordering);
LACIS_FOR_EACH_TYPE(LACIS_REORDER)

}  // namespace detail
}  // namespace lacis

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Where the slots of an ELL, SELL or JDS matrix are, as the kernels take it.
#pragma once

#include <lacis/ell.hpp>
#include <lacis/jds.hpp>
#include <lacis/sell.hpp>

#include "cpu/kernels.hpp"

namespace lacis::cpu {

template <class A, class Index> [[nodiscard]] slots<Index> slots_of(const ell_view<A, Index>& a) {
  slots<Index> where;
  where.stride = a.rows;
  where.lengths = a.row_lengths.data();
  where.total = static_cast<std::int64_t>(a.columns.size());
  return where;
}

template <class A, class Index> [[nodiscard]] slots<Index> slots_of(const sell_view<A, Index>& a) {
  slots<Index> where;
  where.slice_offsets = a.slice_offsets.data();
  where.stride = a.slice_height;
  where.lengths = a.row_lengths.data();
  where.permutation = a.permutation.data();
  where.total = static_cast<std::int64_t>(a.columns.size());
  return where;
}

template <class A, class Index> [[nodiscard]] slots<Index> slots_of(const jds_view<A, Index>& a) {
  slots<Index> where;
  where.diagonals = a.diagonal_offsets.data();
  where.diagonal_count = static_cast<std::int64_t>(a.diagonal_offsets.size()) - 1;
  where.permutation = a.permutation.data();
  where.total = static_cast<std::int64_t>(a.columns.size());
  return where;
}

}  // namespace lacis::cpu

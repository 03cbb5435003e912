// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Where the slots of an ELL, SELL or JDS matrix are, as the kernels take it.
#pragma once

#include <lacis/ell.hpp>
#include <lacis/jds.hpp>
#include <lacis/sell.hpp>

#include "cpu/spmv/kernels.hpp"

namespace lacis::cpu {

template <class A, class Index> [[nodiscard]] slots<Index> slots_of(const ell_view<A, Index>& a) {
  slots<Index> where;
  where.stride = a.rows;
  where.lengths = a.row_lengths.data();
  where.total = static_cast<std::int64_t>(a.columns.size());
  where.rows = a.rows;
  return where;
}

template <class A, class Index> [[nodiscard]] slots<Index> slots_of(const sell_view<A, Index>& a) {
  slots<Index> where;
  where.slice_offsets = a.slice_offsets.data();
  where.stride = a.slice_height;
  where.lengths = a.row_lengths.data();
  where.permutation = a.permutation.data();
  where.total = static_cast<std::int64_t>(a.columns.size());
  where.rows = a.rows;
  return where;
}

template <class A, class Index> [[nodiscard]] slots<Index> slots_of(const jds_view<A, Index>& a) {
  slots<Index> where;
  where.diagonals = a.diagonal_offsets.data();
  where.diagonal_count = static_cast<std::int64_t>(a.diagonal_offsets.size()) - 1;
  where.permutation = a.permutation.data();
  where.total = static_cast<std::int64_t>(a.columns.size());
  where.rows = a.rows;
  return where;
}

/// Whether jagged diagonals follow each other in the array, none longer than the one before or empty.
template <class A, class Index> [[nodiscard]] bool diagonals_fall(const jds_view<A, Index>& a) {
  std::int64_t longest = a.rows;
  for (std::size_t d = 0; d + 1 < a.diagonal_offsets.size(); ++d) {
    const std::int64_t begin = a.diagonal_offsets[d];
    const std::int64_t end = a.diagonal_offsets[d + 1];
    if (begin < 0 || end <= begin || end - begin > longest || end > a.nnz()) return false;
    longest = end - begin;
  }
  return true;
}

}  // namespace lacis::cpu

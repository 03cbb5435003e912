// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// From a coarse level to the finer one: constant on aggregates, then smoothed.
#pragma once

#include <cstdint>
#include <span>

#include <lacis/buffer.hpp>
#include <lacis/csr.hpp>

#include "base/internal.hpp"
#include "solve/multigrid/aggregate.hpp"

namespace lacis::multigrid {

/// The near null space on the aggregates: each row of A has `width` numbers in one aggregate.
template <class S> struct tentative {
  std::int64_t width = 1;
  buffer<S> rows;  ///< rows of A times width
  buffer<S>
      coarse;  ///< the near null space of the next level: (aggregates times width) rows, width columns, row by row
  bool is_one = false;  ///< whether all of `rows` are one
};

/// `space`: rows of A times width, row by row. For a width above 1 it is orthogonalised on each aggregate of nodes of
/// `block` rows. Directions that an aggregate does not have stay zero.
template <class S, class Index>
[[nodiscard]] LACIS_INTERNAL tentative<S> make_tentative(const aggregates<Index>& nodes, int block,
                                                         std::span<const S> space, std::int64_t width);

/// How a prolongator is smoothed.
template <class S> struct smoothing {
  std::span<const S> diagonal;           ///< of A
  std::span<const std::uint8_t> strong;  ///< per entry of A; empty: all count as strong
  double factor = 0;                     ///< 4 / 3 over the largest eigenvalue of D^-1 A
  double truncation = 0;
};

/// P = (I - factor D^-1 A_F) P0. A_F is A with the weak entries beside the diagonal added to it. Of some rows of a
/// matrix: the diagonal entry of row i is in column first + i; nodes and p0 are those of the columns.
template <class S, class Index>
[[nodiscard]] LACIS_INTERNAL csr_matrix<S, Index> smoothed_prolongator(const csr_view<S, Index>& a,
                                                                       const aggregates<Index>& nodes, int block,
                                                                       const tentative<S>& p0, const smoothing<S>& how,
                                                                       std::int64_t first = 0);
/// The same into a prolongator of the same pattern; nothing is truncated.
template <class S, class Index>
void refill_prolongator(const csr_view<S, Index>& a, const aggregates<Index>& nodes, int block, const tentative<S>& p0,
                        const smoothing<S>& how, csr_matrix<S, Index>& p);

/// P^H of the P that A^H has with the same aggregates, where nothing is truncated and all entries count as strong. Its
/// rows are made of rows of A: neither A nor P is transposed, and the bits are the same.
template <class S, class Index>
[[nodiscard]] csr_matrix<S, Index> restriction_of_adjoint(const csr_view<S, Index>& a, const aggregates<Index>& nodes,
                                                          int block, const tentative<S>& p0, const smoothing<S>& how);
/// The same into a matrix of the same pattern.
template <class S, class Index>
void refill_restriction_of_adjoint(const csr_view<S, Index>& a, const aggregates<Index>& nodes, int block,
                                   const tentative<S>& p0, const smoothing<S>& how, csr_matrix<S, Index>& r);

}  // namespace lacis::multigrid

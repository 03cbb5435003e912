// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Weak entries of a matrix apart from the others: A = B + C.
//
// C has weak entries and, on its diagonal, minus their sums: it annihilates constants. The matrix of the next level is
// P^T B P + P0^T C P0 with P0 constant on aggregates. Along strong entries an error that is left is smooth, so that P0
// serves weak ones as well as P does, and an aggregate meets fewer others: five in place of nine where lines of a grid
// become points. Where coefficients jump nothing is smoothed across the jump.
#pragma once

#include <cstdint>
#include <span>

#include <lacis/buffer.hpp>
#include <lacis/csr.hpp>

#include "base/internal.hpp"
#include "summation/arithmetic.hpp"

namespace lacis::multigrid {

/// What the mark of an entry beside the diagonal says.
inline constexpr std::uint8_t weak_mark = 0;
inline constexpr std::uint8_t strong_mark = 1;
inline constexpr std::uint8_t apart_mark = 2;  ///< weak, and an entry of C

// As for strong_connections, these may be some rows of a matrix: the diagonal entry of row i is in column first + i.

/// Rows whose negative weak entries may be taken out; `of` has the aggregate of each column. The diagonal of B still
/// outweighs seven eighths of the row, so that B stays as definite as A is; and most weak entries lead out of the
/// aggregate, so that the next level is as fine as this one where they lead.
template <class S, class Index, class Name>
[[nodiscard]] LACIS_INTERNAL buffer<std::uint8_t> rows_that_part(const csr_view<S, Index>& a, std::int64_t first,
                                                                 std::span<const std::uint8_t> marks,
                                                                 std::span<const Name> of);

struct weak_counts {
  std::int64_t apart = 0;
  std::int64_t others = 0;
};
/// Marks what would be entries of C: negative weak ones where both rows may part (`may`, of every column).
template <class S, class Index>
[[nodiscard]] LACIS_INTERNAL weak_counts mark_apart(const csr_view<S, Index>& a, std::int64_t first,
                                                    std::span<const std::uint8_t> may, std::span<std::uint8_t> marks);
/// Whether their share of a matrix of so many entries, times the square of their share of the weak ones, is a 32nd.
/// Where rows are put together in all directions they are some weak entries among many: iterations would be more, and
/// hardly an entry fewer.
[[nodiscard]] LACIS_INTERNAL bool is_worth_parting(const weak_counts& found, std::int64_t entries);

/// B.
template <class S, class Index>
[[nodiscard]] LACIS_INTERNAL csr_matrix<S, Index> rest_of(const csr_view<S, Index>& a, std::int64_t first,
                                                          std::span<const std::uint8_t> marks);

/// visit(column, value) for the entries of row i of C, if it has any, in the order of their columns.
template <class S, class Index, class Visit>
void each_weak_entry(const csr_view<S, Index>& a, std::int64_t first, std::span<const std::uint8_t> marks,
                     std::int64_t i, Visit&& visit) {
  const auto begin = a.row_offsets[static_cast<std::size_t>(i)];
  const auto end = a.row_offsets[static_cast<std::size_t>(i + 1)];
  S sum{};
  bool has_any = false;
  for (auto k = begin; k < end; ++k)
    if (marks[static_cast<std::size_t>(k)] == apart_mark) {
      sum = summation::add(sum, S(a.values[k]));
      has_any = true;
    }
  if (!has_any) return;
  for (auto k = begin; k < end; ++k) {
    const Index j = a.columns[static_cast<std::size_t>(k)];
    if (j == first + i)
      visit(j, S(-sum));
    else if (marks[static_cast<std::size_t>(k)] == apart_mark)
      visit(j, S(a.values[k]));
  }
}

/// P0^T C P0, where `of` has the aggregate of each row and R, with an entry for each row of an aggregate, is P^T. Terms
/// of an entry add row by row of C, in the order of C's columns.
template <class S, class Index>
[[nodiscard]] LACIS_INTERNAL csr_matrix<S, Index> plain_product(const csr_view<S, Index>& r,
                                                                const csr_view<S, Index>& a,
                                                                std::span<const std::uint8_t> marks,
                                                                std::span<const Index> of);

}  // namespace lacis::multigrid

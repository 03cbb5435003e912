// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Which rows of a matrix hang together.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include <lacis/buffer.hpp>
#include <lacis/csr.hpp>

#include "base/internal.hpp"

namespace lacis::multigrid {

/// The strong entries beside the diagonal: of row i they are columns[begin[i]] and the `count[i] - 1` after it.
template <class Index> struct connections {
  std::span<const std::int64_t> begin;  ///< of the matrix, which must outlive this
  buffer<Index> count;
  buffer<Index> columns;
  /// Writes the magnitudes of entries of row i in these columns, for rows that may choose their aggregate: few do.
  std::function<void(std::int64_t i, std::span<const Index> some, float* to)> magnitudes = {};

  [[nodiscard]] std::int64_t rows() const { return count.size(); }
  [[nodiscard]] std::span<const Index> of(std::int64_t i) const {
    return {columns.data() + begin[static_cast<std::size_t>(i)], static_cast<std::size_t>(count[i])};
  }
};

/// |a_ij| > strength sqrt(m_i m_j), m_i the largest magnitude beside the diagonal. The test is the same for (i, j) and
/// (j, i) to the last bit. `marks`, one per entry of A: 1 where it is strong.
///
/// These may be some rows of a matrix: the diagonal entry of row i is in column first + i, and `roots` has sqrt(m_j)
/// for every column.
template <class S, class Index>
[[nodiscard]] LACIS_INTERNAL connections<Index> strong_connections(const csr_view<S, Index>& a, std::int64_t first,
                                                                   std::span<const real_of<S>> roots, double strength,
                                                                   std::span<std::uint8_t> marks);
/// sqrt(m_i) for every row.
template <class S, class Index>
[[nodiscard]] LACIS_INTERNAL buffer<real_of<S>> roots_of_largest(const csr_view<S, Index>& a, std::int64_t first);

/// One row per node of `block` rows of A; an entry is the Frobenius norm of its block. `columns_per_node`: 1 where the
/// columns of A are numbered by nodes already, each as often as the block has entries.
template <class S, class Index>
[[nodiscard]] LACIS_INTERNAL csr_matrix<real_of<S>, Index> norms_of_blocks(const csr_view<S, Index>& a, int block,
                                                                           int columns_per_node);

/// |A| + |A^T|, for matrices that are not Hermitian.
template <class S, class Index>
[[nodiscard]] csr_matrix<real_of<S>, Index> symmetric_magnitudes(const csr_view<S, Index>& a);

}  // namespace lacis::multigrid

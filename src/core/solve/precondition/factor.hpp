// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Incomplete factors with the pattern of the matrix. Each row's operations have a fixed order, so neither threads nor
// the order of rows change a bit.
#pragma once

#include <lacis/csr.hpp>
#include <lacis/export.hpp>

#include "cpu/triangular/schedule.hpp"

namespace lacis::solver {

enum class factor_kind { ilu0, ic0 };

/// In which order rows are factored, and which entries of two rows meet. It depends on the pattern alone.
template <class Index> struct factor_order {
  factor_kind kind = factor_kind::ilu0;
  std::int64_t entries = 0;  ///< of the matrix
  int threads = 0;           ///< 0: as many as OpenMP gives
  cpu::row_schedule<Index> rows;
  buffer<std::int64_t> diagonals;  ///< their places
  /// For each row in the order, for each k left of its diagonal: how many columns rows i and k share behind k (ic0:
  /// before k), then for each two bytes: how far it is in row k behind the diagonal (ic0: behind the first entry), and
  /// in row i behind the first entry. `unmatched` in place of the first number: look for them.
  buffer<std::uint8_t> matches;
  std::vector<std::int64_t> task_matches;  ///< where those of each task begin

  static constexpr std::uint8_t unmatched = 255;
};

/// `a` is canonical; for ic0 it holds a lower triangle only. Throws error(invalid_matrix) that names the first row
/// without a diagonal.
template <class T, class Index>
[[nodiscard]] LACIS_API factor_order<Index> order_of(const csr_view<T, Index>& a, factor_kind kind, int threads);

/// In place: below the diagonal L (whose diagonal is one), on and above it U. For ascending i, for ascending k < i in
/// row i: a_ik = a_ik / a_kk, then a_ij = a_ij - round(a_ik a_kj) for every j > k that both rows store (Saad, algorithm
/// 10.4). Throws error(invalid_matrix) that names the first row whose pivot is zero or not finite.
template <class T, class Index> LACIS_API void factor_ilu0(csr_matrix<T, Index>& a, const factor_order<Index>& order);

/// In place, in the lower triangle of a Hermitian matrix, which is all that `a` holds: A = L L^H. For ascending i, for
/// ascending k <= i in row i: s = a_ik, then s = s - round(l_ij conj(l_kj)) for ascending j < k that both rows store;
/// l_ik = s / l_kk, l_ii = sqrt(s). Returns the first row whose pivot is not positive, -1 when all are.
template <class T, class Index>
[[nodiscard]] LACIS_API std::int64_t factor_ic0(csr_matrix<T, Index>& a, const factor_order<Index>& order);

}  // namespace lacis::solver

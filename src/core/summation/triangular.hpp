// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The reference solution of triangular systems, which every other implementation must match.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include <lacis/csr.hpp>
#include <lacis/error.hpp>
#include <lacis/types.hpp>

#include "base/text.hpp"
#include "formats/order_rows.hpp"
#include "summation/arithmetic.hpp"
#include "summation/environment.hpp"
#include "summation/sum.hpp"

namespace lacis::summation {

/// Which entries of a row make the system; the others are not read.
enum class triangle { lower, upper };
/// Where the diagonal comes from: the matrix, or it is one, and what is stored there is not read.
enum class diagonal { stored, unit };

/// a / b. Real numbers divide as IEEE has it. Complex numbers by Smith's algorithm, every operation rounded: with
/// |br| >= |bi|, r = bi / br and d = br + bi r, it is ((ar + ai r) / d, (ai - ar r) / d); otherwise, also when a part
/// of b is NaN, with r = br / bi and d = br r + bi, ((ar r + ai) / d, (ai r - ar) / d).
template <value T> [[nodiscard]] T divide(T a, T b) {
  if constexpr (is_complex<T>) {
    const auto ar = a.real(), ai = a.imag(), br = b.real(), bi = b.imag();
    if (std::fabs(br) >= std::fabs(bi)) {
      const auto r = bi / br;
      const auto d = br + rounded(bi * r);
      return {(ar + rounded(ai * r)) / d, (ai - rounded(ar * r)) / d};
    }
    const auto r = br / bi;
    const auto d = rounded(br * r) + bi;
    return {(rounded(ar * r) + ai) / d, (rounded(ai * r) - ar) / d};
  } else {
    return a / b;
  }
}

/// a - b, componentwise.
template <value T> [[nodiscard]] T subtract(T a, T b) {
  if constexpr (is_complex<T>)
    return {a.real() - b.real(), a.imag() - b.imag()};
  else
    return a - b;
}

/// Throws error(invalid_argument) unless a system can be made of a matrix of this size.
inline void require_square(std::int64_t rows, std::int64_t cols) {
  if (rows != cols)
    throw error(errc::invalid_argument,
                detail::text("a triangular system has a square matrix, not one of ", rows, " x ", cols));
}
[[noreturn]] inline void refuse_row_without_diagonal(std::int64_t row) {
  throw error(errc::invalid_matrix, detail::text("row ", row,
                                                 " of the triangular matrix stores no diagonal entry; store one, or "
                                                 "solve with a unit diagonal"));
}

/// Row i of the system: x_i = (b_i - s) / d_i, or b_i - s where the diagonal is one, with s the sum of the products
/// left (lower) or right (upper) of the diagonal in the order `o`, ranks counted from the first of them.
template <value T, index Index>
[[nodiscard]] T solve_row(const csr_view<T, Index>& a, triangle part, diagonal kind, std::int64_t i,
                          std::span<const T> b, std::span<const T> x, const order& o) {
  const auto column = [&](std::int64_t k) { return std::int64_t{a.columns[static_cast<std::size_t>(k)]}; };
  const std::int64_t row_begin = a.row_offsets[static_cast<std::size_t>(i)];
  const std::int64_t row_end = a.row_offsets[static_cast<std::size_t>(i + 1)];
  std::int64_t place = row_begin;  // of the diagonal, or where it would be
  while (place < row_end && column(place) < i) ++place;
  const bool is_stored = place < row_end && column(place) == i;
  if (!is_stored && kind == diagonal::stored) refuse_row_without_diagonal(i);
  const std::int64_t first = part == triangle::lower ? row_begin : place + (is_stored ? 1 : 0);
  const std::int64_t last = part == triangle::lower ? place : row_end;
  const T sum = sum_products<T, T>(
      last - first, [&](std::int64_t k) { return a.values[first + k]; },
      [&](std::int64_t k) { return x[static_cast<std::size_t>(column(first + k))]; }, o);
  const T rest = subtract(b[static_cast<std::size_t>(i)], sum);
  return kind == diagonal::unit ? rest : divide(rest, a.values[place]);
}

template <value T, index Index> void require_system(const csr_view<T, Index>& a, std::size_t b, std::size_t x) {
  require_square(a.rows, a.cols);
  if (b != static_cast<std::size_t>(a.rows) || x != b)
    throw error(errc::invalid_argument,
                detail::text("b has ", b, " elements and x ", x, ", the matrix needs ", a.rows));
  detail::require_canonical(a, "triangular solve");
}

/// Solves A x = b for the lower triangle of A, row after row. Rows are canonical. A zero on the diagonal divides as
/// IEEE has it; a row without a stored diagonal is error(invalid_matrix) that names it. b and x may be the same.
template <value T, index Index>
void solve_lower(const csr_view<T, Index>& a, diagonal kind, std::span<const T> b, std::span<T> x,
                 const order& o = canonical) {
  require_system(a, b.size(), x.size());
  const rounding_guard guard;
  for (std::int64_t i = 0; i < a.rows; ++i)
    x[static_cast<std::size_t>(i)] = solve_row<T, Index>(a, triangle::lower, kind, i, b, x, o);
}

/// The same for the upper triangle, from the last row up.
template <value T, index Index>
void solve_upper(const csr_view<T, Index>& a, diagonal kind, std::span<const T> b, std::span<T> x,
                 const order& o = canonical) {
  require_system(a, b.size(), x.size());
  const rounding_guard guard;
  for (std::int64_t i = a.rows; i-- > 0;)
    x[static_cast<std::size_t>(i)] = solve_row<T, Index>(a, triangle::upper, kind, i, b, x, o);
}

}  // namespace lacis::summation

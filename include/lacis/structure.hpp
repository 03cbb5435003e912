// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Operations on the structure of a matrix: order, shape, parts. Parallel, O(nnz) unless said otherwise.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include <lacis/buffer.hpp>
#include <lacis/csr.hpp>
#include <lacis/export.hpp>
#include <lacis/ranges.hpp>
#include <lacis/wide_offsets.hpp>

namespace lacis {

/// How duplicate entries, those at one position, are combined.
enum class duplicates {
  sum,         ///< added, in the order in which they stand
  keep_first,  ///< the first one stays
  keep_last,   ///< the last one stays
  reject       ///< error(invalid_matrix)
};

/// What symmetrise computes.
enum class symmetry_rule {
  sum,      ///< A + A^T
  average,  ///< (A + A^T) / 2
  pattern   ///< the union of both patterns, iso with 1
};

/// The symmetry a square matrix has; each kind asks for both the pattern and, exactly, the values.
struct symmetry_report {
  bool square = false;          ///< as many rows as columns; without that the others are false
  bool pattern = false;         ///< (i, j) is stored whenever (j, i) is
  bool symmetric = false;       ///< a_ij == a_ji
  bool skew_symmetric = false;  ///< a_ij == -a_ji, and no stored diagonal entry differs from 0
  bool hermitian = false;       ///< a_ij == conj(a_ji); for real matrices the same as symmetric
};

/// An entry of from_triplets.
template <value Value> struct triplet {
  std::int64_t row = 0;  ///< counted from 0
  std::int64_t col = 0;  ///< counted from 0
  Value value = {};      ///< what is added there
};

namespace detail {
template <class Value, class Index> LACIS_API csr_matrix<Value, Index> identity(std::int64_t size);
template <class Value, class Index> LACIS_API csr_matrix<Value, Index> from_diagonal(std::span<const Value> values);
template <class Value, class Index>
LACIS_API csr_matrix<Value, Index> from_triplets(std::int64_t rows, std::int64_t cols,
                                                 std::span<const triplet<Value>> entries);
/// The slot of entry (i, j), or -1 where nothing is stored. Throws error(invalid_argument) outside the matrix.
template <class Offset, class Index>
LACIS_API std::int64_t slot_of(std::int64_t rows, std::int64_t cols, std::span<const Offset> offsets,
                               std::span<const Index> columns, std::int64_t i, std::int64_t j);
template <class Value, class Index> LACIS_API bool is_sorted(const csr_view<Value, Index>& a);
template <class Value, class Index> LACIS_API bool is_canonical(const csr_view<Value, Index>& a);
template <class Value, class Index> LACIS_API csr_matrix<Value, Index> sort_rows(const csr_view<Value, Index>& a);
template <class Value, class Index>
LACIS_API csr_matrix<Value, Index> canonical(const csr_view<Value, Index>& a, duplicates rule);
template <class Value, class Index>
LACIS_API csr_matrix<Value, Index> transpose(const csr_view<Value, Index>& a, bool conjugate);
template <class Value, class Index>
LACIS_API csr_matrix<Value, Index> symmetrise(const csr_view<Value, Index>& a, symmetry_rule rule);
template <class Value, class Index> LACIS_API symmetry_report find_symmetry(const csr_view<Value, Index>& a);
template <class Value, class Index>
LACIS_API csr_matrix<Value, Index> permute(const csr_view<Value, Index>& a, std::span<const std::int64_t> rows,
                                           std::span<const std::int64_t> cols);
template <class Value, class Index>
LACIS_API csr_matrix<Value, Index> extract(const csr_view<Value, Index>& a, std::int64_t first_row,
                                           std::int64_t last_row, std::int64_t first_col, std::int64_t last_col);
template <class Value, class Index>
LACIS_API csr_matrix<Value, Index> extract(const csr_view<Value, Index>& a, std::span<const std::int64_t> rows,
                                           std::span<const std::int64_t> cols);
template <class Value, class Index>
LACIS_API csr_matrix<Value, Index> triangle(const csr_view<Value, Index>& a, std::int64_t diagonal, bool lower);
template <class Value, class Index>
LACIS_API buffer<Value> diagonal(const csr_view<Value, Index>& a, std::int64_t offset);
template <class Value, class Index>
LACIS_API csr_matrix<Value, Index> scale_rows(const csr_view<Value, Index>& a, std::span<const Value> factors);
template <class Value, class Index>
LACIS_API csr_matrix<Value, Index> scale_columns(const csr_view<Value, Index>& a, std::span<const Value> factors);
template <class Value, class Index>
LACIS_API csr_matrix<Value, Index> hadamard(const csr_view<Value, Index>& a, const csr_view<Value, Index>& b);
template <class Value, class Index>
LACIS_API csr_matrix<Value, Index> add(Value alpha, const csr_view<Value, Index>& a, Value beta,
                                       const csr_view<Value, Index>& b);
template <class Value, class Index>
LACIS_API csr_matrix<Value, Index> stack(std::span<const csr_view<Value, Index>> parts, bool horizontal);
template <class Value, class Index> LACIS_API real_of<Value> norm_one(const csr_view<Value, Index>& a);
template <class Value, class Index> LACIS_API real_of<Value> norm_infinity(const csr_view<Value, Index>& a);
template <class Value, class Index> LACIS_API real_of<Value> norm_frobenius(const csr_view<Value, Index>& a);
template <class Value, class Index> LACIS_API real_of<Value> norm_max(const csr_view<Value, Index>& a);
template <class To, class From, class Index>
LACIS_API csr_matrix<To, Index> cast_values(const csr_view<From, Index>& a);
template <class To, class Value, class From>
LACIS_API csr_matrix<Value, To> cast_indices(const csr_view<Value, From>& a);

template <class Matrix> using csr_like = csr_matrix<typename Matrix::value_type, typename Matrix::index_type>;
template <class Matrix> using csr_view_of = csr_view<typename Matrix::value_type, typename Matrix::index_type>;
}  // namespace detail

/// The identity with `size` rows: `identity<double>(n)`.
template <value Value, index Index = std::int32_t> [[nodiscard]] csr_matrix<Value, Index> identity(std::int64_t size) {
  return detail::identity<Value, Index>(size);
}
/// A square matrix with these values on its diagonal, zeros stored too.
template <index Index = std::int32_t, vector_range Values> [[nodiscard]] auto from_diagonal(const Values& values) {
  return detail::from_diagonal<detail::element_of<Values>, Index>(detail::elements(values));
}
/// A matrix from entries in any order, those at one place summed as a builder sums them (builder.hpp):
/// `from_triplets<double>(2, 2, {{0, 0, 1.5}, {1, 0, 2}})`. Throws error(invalid_argument) for places outside it.
template <value Value, index Index = std::int32_t>
[[nodiscard]] csr_matrix<Value, Index> from_triplets(std::int64_t rows, std::int64_t cols,
                                                     std::span<const triplet<Value>> entries) {
  return detail::from_triplets<Value, Index>(rows, cols, entries);
}
/// The same from a list in the program.
template <value Value, index Index = std::int32_t>
[[nodiscard]] csr_matrix<Value, Index> from_triplets(std::int64_t rows, std::int64_t cols,
                                                     std::initializer_list<triplet<Value>> entries) {
  return detail::from_triplets<Value, Index>(rows, cols, std::span(entries.begin(), entries.size()));
}
/// The value at row i and column j of a CSR matrix with canonical rows; 0 where nothing is stored. It searches the row,
/// so go through a.row(i) to read many. Throws error(invalid_argument) outside the matrix.
template <class Matrix>
  requires requires(const Matrix& a) { a.view().row_offsets; }
[[nodiscard]] typename Matrix::value_type at(const Matrix& a, std::int64_t i, std::int64_t j) {
  const auto all = a.view();
  const std::int64_t slot = detail::slot_of(all.rows, all.cols, all.row_offsets, all.columns, i, j);
  return slot < 0 ? typename Matrix::value_type() : all.values[slot];
}

/// Columns ascend in every row; equal neighbours are allowed.
template <class Matrix> [[nodiscard]] bool is_sorted(const Matrix& a) {
  return detail::is_sorted(detail::wide(a).view());
}
/// Columns ascend strictly in every row: what the order of summation asks of an operand.
template <class Matrix> [[nodiscard]] bool is_canonical(const Matrix& a) {
  return detail::is_canonical(detail::wide(a).view());
}
/// The same entries with ascending columns in each row; entries of one place keep their order.
template <class Matrix> [[nodiscard]] auto sort_rows(const Matrix& a) {
  return detail::sort_rows(detail::wide(a).view());
}
/// Strictly ascending columns: sorted, then the entries of one place made one by `rule`. Summing an iso matrix that has
/// duplicates gives it one value per entry; without duplicates, and by the other rules, it stays iso.
template <class Matrix> [[nodiscard]] auto canonical(const Matrix& a, duplicates rule = duplicates::sum) {
  return detail::canonical(detail::wide(a).view(), rule);
}
/// A^T with sorted rows. A with canonical rows gives canonical rows.
template <class Matrix> [[nodiscard]] auto transpose(const Matrix& a) {
  return detail::transpose(detail::wide(a).view(), false);
}
/// A^H.
template <class Matrix> [[nodiscard]] auto conjugate_transpose(const Matrix& a) {
  return detail::transpose(detail::wide(a).view(), true);
}
/// A square canonical matrix made symmetric.
template <class Matrix> [[nodiscard]] auto symmetrise(const Matrix& a, symmetry_rule rule = symmetry_rule::sum) {
  return detail::symmetrise(detail::wide(a).view(), rule);
}
/// Which symmetries a canonical matrix has.
template <class Matrix> [[nodiscard]] symmetry_report find_symmetry(const Matrix& a) {
  return detail::find_symmetry(detail::wide(a).view());
}
/// Row i of the result is row rows[i] of A, its column j is column cols[j] of A; an empty span leaves that side as it
/// is. Rows of the result are sorted when columns are permuted.
template <class Matrix>
[[nodiscard]] auto permute(const Matrix& a, std::span<const std::int64_t> rows, std::span<const std::int64_t> cols) {
  return detail::permute(detail::wide(a).view(), rows, cols);
}
/// The block of rows first_row .. last_row and columns first_col .. last_col (the last ones excluded).
template <class Matrix>
[[nodiscard]] auto extract(const Matrix& a, std::int64_t first_row, std::int64_t last_row, std::int64_t first_col,
                           std::int64_t last_col) {
  return detail::extract(detail::wide(a).view(), first_row, last_row, first_col, last_col);
}
/// The submatrix of the listed rows and columns, in that order; rows may repeat, columns may not. Rows of the result
/// are sorted when the list of columns does not ascend.
template <class Matrix>
[[nodiscard]] auto extract(const Matrix& a, std::span<const std::int64_t> rows, std::span<const std::int64_t> cols) {
  return detail::extract(detail::wide(a).view(), rows, cols);
}
/// The entries on and below diagonal k (column - row <= k).
template <class Matrix> [[nodiscard]] auto tril(const Matrix& a, std::int64_t k = 0) {
  return detail::triangle(detail::wide(a).view(), k, true);
}
/// The entries on and above diagonal k (column - row >= k).
template <class Matrix> [[nodiscard]] auto triu(const Matrix& a, std::int64_t k = 0) {
  return detail::triangle(detail::wide(a).view(), k, false);
}
/// Diagonal k as a vector, 0 where nothing is stored. A must be canonical.
template <class Matrix> [[nodiscard]] auto diagonal(const Matrix& a, std::int64_t k = 0) {
  return detail::diagonal(detail::wide(a).view(), k);
}
/// diag(factors) A: each product factor * a_ij rounded once.
template <class Matrix>
[[nodiscard]] auto scale_rows(const Matrix& a, std::span<const typename Matrix::value_type> factors) {
  return detail::scale_rows(detail::wide(a).view(), factors);
}
/// A diag(factors): each product a_ij * factor rounded once.
template <class Matrix>
[[nodiscard]] auto scale_columns(const Matrix& a, std::span<const typename Matrix::value_type> factors) {
  return detail::scale_columns(detail::wide(a).view(), factors);
}
/// The entrywise product of two canonical matrices: stored where both are.
template <class First, class Second> [[nodiscard]] auto hadamard(const First& a, const Second& b) {
  return detail::hadamard(detail::wide(a).view(), detail::wide(b).view());
}
/// alpha A + beta B for two canonical matrices of one size and of the same types: stored where either is, with one
/// value per entry. Where both are, round(round(alpha a) + round(beta b)); where one is, its scaled value as it is. A
/// factor of 1 skips its product, so the bits stay; every other one multiplies, 0 too.
template <class First, class Second>
[[nodiscard]] auto add(typename First::value_type alpha, const First& a, typename First::value_type beta,
                       const Second& b)
  requires requires {
    a.view();
    b.view();
  }
{
  return detail::add(alpha, detail::wide(a).view(), beta, detail::wide(b).view());
}
/// A + B: the same with both factors 1.
template <class First, class Second>
[[nodiscard]] auto add(const First& a, const Second& b)
  requires requires {
    a.view();
    b.view();
  }
{
  using number = typename First::value_type;
  return detail::add(number(1), detail::wide(a).view(), number(1), detail::wide(b).view());
}
/// [A B ...]: the same number of rows, columns one after the other.
template <class Matrix> [[nodiscard]] auto hstack(const std::vector<Matrix>& parts) {
  std::vector<decltype(detail::wide(parts.front()))> kept;
  for (const auto& part : parts) kept.push_back(detail::wide(part));
  std::vector<detail::csr_view_of<Matrix>> views;
  for (const auto& part : kept) views.push_back(part.view());
  return detail::stack(std::span<const detail::csr_view_of<Matrix>>(views), true);
}
/// [A; B; ...]: the same number of columns, rows one below the other.
template <class Matrix> [[nodiscard]] auto vstack(const std::vector<Matrix>& parts) {
  std::vector<decltype(detail::wide(parts.front()))> kept;
  for (const auto& part : parts) kept.push_back(detail::wide(part));
  std::vector<detail::csr_view_of<Matrix>> views;
  for (const auto& part : kept) views.push_back(part.view());
  return detail::stack(std::span<const detail::csr_view_of<Matrix>>(views), false);
}
/// The largest column sum of |a_ij|, 0 without entries, NaN when one is NaN; A must be canonical, as for every norm.
/// Sums in the canonical order, over the transpose.
template <class Matrix> [[nodiscard]] auto norm_one(const Matrix& a) {
  return detail::norm_one(detail::wide(a).view());
}
/// The largest row sum of |a_ij|; sums in the canonical order.
template <class Matrix> [[nodiscard]] auto norm_infinity(const Matrix& a) {
  return detail::norm_infinity(detail::wide(a).view());
}
/// The canonical norm of the stored values, in order of rows and columns.
template <class Matrix> [[nodiscard]] auto norm_frobenius(const Matrix& a) {
  return detail::norm_frobenius(detail::wide(a).view());
}
/// The largest |a_ij|.
template <class Matrix> [[nodiscard]] auto norm_max(const Matrix& a) {
  return detail::norm_max(detail::wide(a).view());
}
/// The same matrix with values of another type, each rounded to nearest; complex to real drops nothing silently: it
/// throws error(invalid_argument) at the first entry whose imaginary part is not 0.
template <value To, class Matrix> [[nodiscard]] auto cast_values(const Matrix& a) {
  return detail::cast_values<To>(detail::wide(a).view());
}
/// The same matrix with the other index type; throws error(overflow) when it does not fit.
template <index To, class Matrix> [[nodiscard]] auto cast_indices(const Matrix& a) {
  return detail::cast_indices<To>(detail::wide(a).view());
}

}  // namespace lacis

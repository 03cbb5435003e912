// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of a sparse matrix with a vector or with dense columns, in every format, without inspection.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#include <lacis/convert.hpp>
#include <lacis/dense.hpp>
#include <lacis/export.hpp>
#include <lacis/multiply_options.hpp>
#include <lacis/ranges.hpp>
#include <lacis/types.hpp>
#include <lacis/wide_offsets.hpp>

namespace lacis {

namespace detail {

// y = alpha A x + beta y and Y = alpha A X + beta Y for the view of each format; T is the product type.
template <class View, class X, class T>
LACIS_API void multiply(T alpha, const View& a, std::span<const X> x, T beta, std::span<T> y,
                        const multiply_options& options);
template <class View, class X, class T>
LACIS_API void multiply(T alpha, const View& a, const dense_view<const X>& x, T beta, const dense_view<T>& y,
                        const multiply_options& options);

/// A matrix as products read it: `f(for_product(a).view())`. 32-bit offsets of rows stay when columns are 32-bit too.
template <class Matrix> [[nodiscard]] auto for_product(const Matrix& a) { return wide(a); }
template <value Value> [[nodiscard]] auto for_product(const csr_view<Value, std::int32_t, std::int32_t>& a) {
  return a;
}

}  // namespace detail

/// y = alpha A x + beta y, or Y = alpha A X + beta Y with dense columns (each column as if it were alone). A is in any
/// format; x and y are contiguous ranges or dense_views (ranges.hpp) that do not overlap; the elements of y have the
/// product type of those of A and x, which may differ (real A, complex x; float A, double x).
///
/// The bits are those of the order of summation, for every format, number of threads and instruction set. Padding and
/// fill never enter a sum, explicit zeros do. beta = 0 does not read y (a NaN there does not survive); alpha = 0 reads
/// neither A nor x. A must be a valid matrix (validate.hpp) with strictly ascending columns in its rows; otherwise
/// error(invalid_matrix), after which the content of y is unspecified: multiply_inspect takes any order, and is faster
/// when a matrix is used more than a few times. Arrays that are too short and indices outside the matrix are found on
/// the way, before anything is read or written there; that a permutation (SELL, JDS) names a row twice, or that
/// `entries` is not their number, is found by validate alone. A CSC matrix needs a temporary of a few bytes per row.
template <class Scalar, class Matrix, class X, class Y>
void multiply(const Scalar& alpha, const Matrix& a, const X& x, const std::type_identity_t<Scalar>& beta, Y&& y,
              const multiply_options& options = {})
  requires requires { a.view(); }
{
  if constexpr (detail::are_operands<typename Matrix::value_type, X, Y>()) {
    using T = detail::element_of<Y>;
    detail::multiply(static_cast<T>(alpha), detail::for_product(a).view(), detail::operand(x), static_cast<T>(beta),
                     detail::target(y), options);
  }
}

/// y = A x.
template <class Matrix, class X, class Y>
void multiply(const Matrix& a, const X& x, Y&& y, const multiply_options& options = {})
  requires requires { a.view(); } && (!requires { x.view(); })
{
  if constexpr (detail::are_operands<typename Matrix::value_type, X, Y>()) {
    using T = detail::element_of<Y>;
    multiply(T(1), a, x, T(0), y, options);
  }
}

/// A^T without moving an entry: the rows of a CSR matrix are the columns of a CSC matrix.
template <value Value, index Index, index Offset>
[[nodiscard]] csc_view<Value, Index, Offset> transposed(const csr_view<Value, Index, Offset>& a) {
  return {a.cols, a.rows, a.row_offsets, a.columns, a.values};
}
/// The same for a CSC view.
template <value Value, index Index, index Offset>
[[nodiscard]] csr_view<Value, Index, Offset> transposed(const csc_view<Value, Index, Offset>& a) {
  return {a.cols, a.rows, a.column_offsets, a.row_indices, a.values};
}
/// The same for a CSR matrix, which must outlive the view.
template <value Value, index Index> [[nodiscard]] csc_view<Value, Index> transposed(const csr_matrix<Value, Index>& a) {
  return transposed(a.view());
}
/// The same for a CSC matrix, which must outlive the view.
template <value Value, index Index> [[nodiscard]] csr_view<Value, Index> transposed(const csc_matrix<Value, Index>& a) {
  return transposed(a.view());
}
// What it would show of a temporary is gone when it is used.
/// A view of a temporary would outlive it: give the matrix a name.
template <value Value, index Index> void transposed(const csr_matrix<Value, Index>&& a) = delete;
/// A view of a temporary would outlive it: give the matrix a name.
template <value Value, index Index> void transposed(const csc_matrix<Value, Index>&& a) = delete;

}  // namespace lacis

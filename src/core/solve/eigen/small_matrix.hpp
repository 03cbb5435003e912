// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Small dense matrices in double precision, and the eigenvalues of Hermitian ones. One thread, one order of operations.
#pragma once

#include <complex>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <vector>

#include <lacis/types.hpp>

#include "solve/scalars.hpp"

namespace lacis::solver {

/// The double-precision type of the same kind.
template <class T> using wide_of = std::conditional_t<is_complex<T>, std::complex<double>, double>;

/// Row-major; T is double or complex double.
template <class T> class small_matrix {
 public:
  small_matrix() = default;
  small_matrix(std::size_t rows, std::size_t cols) : rows_(rows), cols_(cols), elements_(rows * cols) {}

  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t cols() const { return cols_; }
  [[nodiscard]] T& operator()(std::size_t i, std::size_t j) { return elements_[i * cols_ + j]; }
  [[nodiscard]] const T& operator()(std::size_t i, std::size_t j) const { return elements_[i * cols_ + j]; }
  [[nodiscard]] T* row(std::size_t i) { return elements_.data() + i * cols_; }
  [[nodiscard]] const T* row(std::size_t i) const { return elements_.data() + i * cols_; }
  [[nodiscard]] const std::vector<T>& elements() const { return elements_; }

  [[nodiscard]] bool is_finite() const {
    for (const T& one : elements_)
      if (!solver::is_finite(one)) return false;
    return true;
  }

 private:
  std::size_t rows_ = 0;
  std::size_t cols_ = 0;
  std::vector<T> elements_;
};

/// A B.
template <class T> [[nodiscard]] small_matrix<T> product(const small_matrix<T>& a, const small_matrix<T>& b) {
  small_matrix<T> c(a.rows(), b.cols());
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t k = 0; k < a.cols(); ++k)
      for (std::size_t j = 0; j < b.cols(); ++j) c(i, j) += multiply(a(i, k), b(k, j));
  return c;
}

/// A^H B.
template <class T> [[nodiscard]] small_matrix<T> adjoint_product(const small_matrix<T>& a, const small_matrix<T>& b) {
  small_matrix<T> c(a.cols(), b.cols());
  for (std::size_t k = 0; k < a.rows(); ++k)
    for (std::size_t i = 0; i < a.cols(); ++i)
      for (std::size_t j = 0; j < b.cols(); ++j) c(i, j) += multiply(conjugate(a(k, i)), b(k, j));
  return c;
}

/// All eigenvalues, ascending, and their vectors in the columns of a unitary matrix.
template <class T> struct small_eigen {
  std::vector<double> values;
  small_matrix<T> vectors;
};

/// Called now and then during long computations, never in short ones; what it throws ends them.
using pulse = std::function<void()>;

/// Cyclic Jacobi rotations (Jacobi 1846; Golub and Van Loan, section 8.5), row by row, until every element off the
/// diagonal is below machine precision relative to the whole. Reads the upper triangle of a Hermitian matrix whose
/// elements are finite.
template <class T> class jacobi_rotations {
 public:
  explicit jacobi_rotations(small_matrix<T> a);
  /// Rotates every element above the diagonal away that is not negligible. False where there was none, or where more
  /// sweeps do not help.
  [[nodiscard]] bool sweep(const pulse& alive = {});
  /// The eigenvalues as far as they are known.
  [[nodiscard]] small_eigen<T> found() const;

 private:
  static constexpr int most_sweeps = 60;  // ten are usual; convergence is quadratic
  small_matrix<T> a_;
  small_matrix<T> vectors_;  ///< in its rows
  double negligible_ = 0;
  int sweeps_ = 0;
};

/// By as many sweeps as it takes.
template <class T> [[nodiscard]] small_eigen<T> eigen_of(small_matrix<T> a, const pulse& alive = {});

/// All singular values, descending, with their vectors in the columns of unitary matrices.
template <class T> struct small_svd {
  std::vector<double> values;
  small_matrix<T> left;
  small_matrix<T> right;
};

/// Rotations of columns until they are orthogonal (Hestenes 1958; Golub and Van Loan, section 8.6): small values are as
/// accurate as the columns, since nothing is squared but their lengths. Of a square matrix whose elements are finite.
template <class T> [[nodiscard]] small_svd<T> svd_of(const small_matrix<T>& a, const pulse& alive = {});

}  // namespace lacis::solver

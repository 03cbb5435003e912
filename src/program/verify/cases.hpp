// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products with what the reference says of them: vectors and dense columns, scalars, and elements that must not be
// read.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <lacis/csr.hpp>
#include <lacis/dense.hpp>

#include "summation/spmv.hpp"
#include "verify/numbers.hpp"

namespace lacis::verification {

template <class X, class T> struct product_case {
  std::string name;
  T alpha;
  T beta;
  std::vector<X> x;
  std::vector<T> y;         ///< before the product
  std::vector<T> expected;  ///< after it
  std::int64_t cols = 0;    ///< 0: a vector; otherwise dense columns
  dense_view<const X> x_shape;
  dense_view<T> y_shape;  ///< of a result; where the data is does not matter
};

/// The cases of one matrix: `vectors`, of which the first is y = A x, and `columns`.
template <class X, class T> struct case_set {
  std::vector<product_case<X, T>> vectors;
  std::vector<product_case<X, T>> columns;
};

template <class T> T poison() { return T(std::numeric_limits<real_of<T>>::quiet_NaN()); }

template <class A, class Index> std::vector<bool> columns_read(const csr_view<A, Index>& a) {
  std::vector<bool> read(static_cast<std::size_t>(a.cols), false);
  for (const Index j : a.columns) read[static_cast<std::size_t>(j)] = true;
  return read;
}

/// Columns that no entry reads hold NaN, so whatever reads them shows.
template <class X> void poison_unread(std::span<X> x, const std::vector<bool>& read) {
  for (std::size_t j = 0; j < x.size(); ++j)
    if (!read[j]) x[j] = poison<X>();
}

/// Every case for one vector. Padding holds the value 0 and the column of an entry of its row: adding it changes no bit
/// unless x is infinite there, so one case has infinities.
template <class A, class Index, class X>
std::vector<product_case<X, product_of<A, X>>> vector_cases(const csr_view<A, Index>& a) {
  using T = product_of<A, X>;
  const auto read = columns_read(a);
  auto x = full_numbers<X>(a.cols);
  poison_unread<X>(x, read);
  auto infinite = x;
  for (std::size_t j = 0; j < infinite.size(); j += 5) infinite[j] = X(std::numeric_limits<real_of<X>>::infinity());
  const std::vector<X> unread(x.size(), poison<X>());
  const auto y = full_numbers<T>(a.rows, 9);
  const std::vector<T> unset(y.size(), poison<T>());
  const T some = full_number<T>(11);
  const T other = full_number<T>(12);
  std::vector<product_case<X, T>> cases = {
      {"y = A x", T(1), T(0), x, unset, {}, 0, {}, {}},
      {"y = A x with infinities in x", T(1), T(0), infinite, unset, {}, 0, {}, {}},
      {"y = A x + y", T(1), T(1), x, y, {}, 0, {}, {}},
      {"y = 0 A x + beta y", T(0), other, unread, y, {}, 0, {}, {}},
      {"y = alpha A x", some, T(0), x, unset, {}, 0, {}, {}},
      {"y = alpha A x + beta y", some, other, x, y, {}, 0, {}, {}},
  };
  for (auto& c : cases) {
    c.expected = c.y;
    summation::spmv<A, Index, X>(c.alpha, a, c.x, c.beta, c.expected);
  }
  return cases;
}

/// How the dense operands of a case lie in memory.
enum class arrangement { row_major, column_major, padded_rows };

/// Element (i, j) of rows x cols with a gap of three elements after each row, or none.
template <class T> dense_view<T> arranged(arrangement how, std::int64_t rows, std::int64_t cols) {
  if (how == arrangement::column_major) return {nullptr, rows, cols, 1, rows};
  return {nullptr, rows, cols, how == arrangement::padded_rows ? cols + 3 : cols, 1};
}
template <class T> std::int64_t elements_of(const dense_view<T>& shape) {
  return shape.col_stride == 1 && shape.row_stride > 1 ? shape.rows * shape.row_stride : shape.rows * shape.cols;
}
template <class T> dense_view<T> at(T* data, dense_view<T> shape) {
  shape.data = data;
  return shape;
}

/// Cases with dense columns: 1, 3, 8, 17 and 64 of them (8 at most for larger matrices), in three arrangements.
/// What lies in the gaps between rows must stay.
template <class A, class Index, class X>
std::vector<product_case<X, product_of<A, X>>> column_cases(const csr_view<A, Index>& a) {
  using T = product_of<A, X>;
  constexpr std::int64_t large = 9000;
  const std::int64_t most = a.nnz() + a.rows + a.cols > large ? 8 : 64;
  const auto read = columns_read(a);
  constexpr std::int64_t shift = 5;  // from one column of X to the next, in the same numbers
  const auto numbers = full_numbers<X>(a.cols + most * shift, 20);
  const auto y = full_numbers<T>(a.rows + most * shift, 10);
  const T alphas[] = {T(1), full_number<T>(13)};
  const T betas[] = {T(0), full_number<T>(14)};
  std::vector<std::vector<X>> x;
  std::vector<std::vector<T>> expected[2];  // by scalars, a column each
  for (std::int64_t c = 0; c < most; ++c) {
    x.emplace_back(numbers.begin() + c * shift, numbers.begin() + c * shift + a.cols);
    poison_unread<X>(x.back(), read);
    for (const int scalars : {0, 1}) {
      std::vector<T> column(y.begin() + c * shift, y.begin() + c * shift + a.rows);
      summation::spmv<A, Index, X>(alphas[scalars], a, x.back(), betas[scalars], column);
      expected[scalars].push_back(std::move(column));
    }
  }
  std::vector<product_case<X, T>> cases;
  int scalars = 0;
  for (const std::int64_t cols : {1, 3, 8, 17, 64}) {
    for (const arrangement how : {arrangement::row_major, arrangement::column_major, arrangement::padded_rows}) {
      if (cols > most) continue;
      constexpr const char* names[] = {" row-major", " column-major", " row-major columns with gaps between rows"};
      product_case<X, T> c{(scalars == 0 ? "Y = A X, " : "Y = alpha A X + beta Y, ") + std::to_string(cols) +
                               names[static_cast<int>(how)],
                           alphas[scalars],
                           betas[scalars],
                           {},
                           {},
                           {},
                           cols,
                           arranged<const X>(how, a.cols, cols),
                           arranged<T>(how, a.rows, cols)};
      c.x.assign(static_cast<std::size_t>(elements_of(c.x_shape)), poison<X>());
      c.y.assign(static_cast<std::size_t>(elements_of(c.y_shape)), T(77));
      c.expected = c.y;
      for (std::int64_t k = 0; k < cols; ++k) {
        const auto column = static_cast<std::size_t>(k);
        for (std::int64_t j = 0; j < a.cols; ++j)
          c.x[static_cast<std::size_t>(j * c.x_shape.row_stride + k * c.x_shape.col_stride)] =
              x[column][static_cast<std::size_t>(j)];
        for (std::int64_t i = 0; i < a.rows; ++i) {
          const auto place = static_cast<std::size_t>(i * c.y_shape.row_stride + k * c.y_shape.col_stride);
          c.y[place] = scalars == 0 ? poison<T>() : y[static_cast<std::size_t>(k * shift + i)];
          c.expected[place] = expected[scalars][column][static_cast<std::size_t>(i)];
        }
      }
      cases.push_back(std::move(c));
      scalars = 1 - scalars;
    }
  }
  return cases;
}

template <class X, class A, class Index>
case_set<X, product_of<A, X>> cases_of(const csr_matrix<A, Index>& a, bool with_columns) {
  case_set<X, product_of<A, X>> cases{vector_cases<A, Index, X>(a.view()), {}};
  if (with_columns) cases.columns = column_cases<A, Index, X>(a.view());
  return cases;
}

}  // namespace lacis::verification

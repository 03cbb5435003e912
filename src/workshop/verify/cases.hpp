// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products with what the reference says of them: vectors and dense columns, scalars, and elements that must not be
// read.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <lacis/csr.hpp>
#include <lacis/dense.hpp>

#include "base/text.hpp"
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

/// How a dense operand lies in memory.
enum class arrangement { row_major, column_major, padded_rows, padded_columns };

/// Element (i, j) of rows x cols, with a gap of three elements after each row or column, or none.
template <class T> dense_view<T> arranged(arrangement how, std::int64_t rows, std::int64_t cols) {
  constexpr std::int64_t gap = 3;
  switch (how) {
    case arrangement::row_major:
      return {nullptr, rows, cols, cols, 1};
    case arrangement::padded_rows:
      return {nullptr, rows, cols, cols + gap, 1};
    case arrangement::column_major:
      return {nullptr, rows, cols, 1, rows};
    default:
      return {nullptr, rows, cols, 1, rows + gap};
  }
}
[[nodiscard]] inline std::string_view words_of(arrangement how) {
  constexpr std::string_view words[] = {"row-major", "column-major", "row-major with gaps between rows",
                                        "column-major with gaps between columns"};
  return words[static_cast<std::size_t>(how)];
}
/// Elements of an array that holds it.
template <class T> std::int64_t elements_of(const dense_view<T>& shape) {
  return std::max(shape.rows * shape.row_stride, shape.cols * shape.col_stride);
}
template <class T> dense_view<T> at(T* data, dense_view<T> shape) {
  shape.data = data;
  return shape;
}

/// alpha and beta of products with dense columns.
template <class T> struct column_scalars {
  std::string_view name;
  T alpha;
  T beta;
};
template <class T> [[nodiscard]] std::array<column_scalars<T>, 5> all_column_scalars() {
  return {{{"Y = A X", T(1), T(0)},
           {"Y = alpha A X + beta Y", full_number<T>(13), full_number<T>(14)},
           {"Y = A X + Y", T(1), T(1)},
           {"Y = alpha A X", full_number<T>(13), T(0)},
           {"Y = 0 A X + beta Y", T(0), full_number<T>(14)}}};
}

/// Dense columns, and the reference's products of a matrix with each of them.
template <class A, class Index, class X> class column_products {
 public:
  using T = product_of<A, X>;

  /// `most` columns, with the first `scalars` of all_column_scalars().
  column_products(const csr_view<A, Index>& a, std::int64_t most, std::size_t scalars)
      : rows_(a.rows), cols_(a.cols), y_(full_numbers<T>(a.rows + most * shift, 10)), expected_(scalars) {
    const auto read = columns_read(a);
    const auto numbers = full_numbers<X>(a.cols + most * shift, 20);
    for (std::int64_t c = 0; c < most; ++c) {
      x_.emplace_back(numbers.begin() + c * shift, numbers.begin() + c * shift + a.cols);
      poison_unread<X>(x_.back(), read);
      for (std::size_t s = 0; s < scalars; ++s) {
        const auto& [name, alpha, beta] = scalars_[s];
        std::vector<T> column(y_.begin() + c * shift, y_.begin() + c * shift + a.rows);
        summation::spmv<A, Index, X>(alpha, a, x_.back(), beta, column);
        expected_[s].push_back(std::move(column));
      }
    }
  }

  [[nodiscard]] std::int64_t most() const { return static_cast<std::int64_t>(x_.size()); }
  [[nodiscard]] std::size_t scalars() const { return expected_.size(); }

  /// The first `cols` columns. What lies in gaps of Y must stay, what lies in gaps of X must not be read.
  [[nodiscard]] product_case<X, T> make(std::int64_t cols, arrangement x_how, arrangement y_how,
                                        std::size_t scalars) const {
    const auto& [name, alpha, beta] = scalars_[scalars];
    product_case<X, T> c{detail::text(name, ", ", cols, cols == 1 ? " column" : " columns", ", X ", words_of(x_how),
                                      ", Y ", words_of(y_how)),
                         alpha,
                         beta,
                         {},
                         {},
                         {},
                         cols,
                         arranged<const X>(x_how, cols_, cols),
                         arranged<T>(y_how, rows_, cols)};
    c.x.assign(static_cast<std::size_t>(elements_of(c.x_shape)), poison<X>());
    c.y.assign(static_cast<std::size_t>(elements_of(c.y_shape)), T(77));
    c.expected = c.y;
    for (std::int64_t k = 0; k < cols; ++k) {
      const auto column = static_cast<std::size_t>(k);
      for (std::int64_t j = 0; j < cols_; ++j)
        c.x[static_cast<std::size_t>(j * c.x_shape.row_stride + k * c.x_shape.col_stride)] =
            x_[column][static_cast<std::size_t>(j)];
      for (std::int64_t i = 0; i < rows_; ++i) {
        const auto place = static_cast<std::size_t>(i * c.y_shape.row_stride + k * c.y_shape.col_stride);
        c.y[place] = beta == T(0) ? poison<T>() : y_[static_cast<std::size_t>(k * shift + i)];
        c.expected[place] = expected_[scalars][column][static_cast<std::size_t>(i)];
      }
    }
    return c;
  }

 private:
  static constexpr std::int64_t shift = 5;  ///< from one column to the next, in the same numbers

  std::int64_t rows_;
  std::int64_t cols_;
  std::array<column_scalars<T>, 5> scalars_ = all_column_scalars<T>();
  std::vector<std::vector<X>> x_;
  std::vector<T> y_;
  std::vector<std::vector<std::vector<T>>> expected_;  ///< by scalars, a column each
};

/// Cases with dense columns: 1, 3, 8, 17 and 64 of them (8 at most for larger matrices), in three arrangements.
template <class A, class Index, class X>
std::vector<product_case<X, product_of<A, X>>> column_cases(const csr_view<A, Index>& a) {
  constexpr std::int64_t large = 9000;
  const column_products<A, Index, X> products(a, a.nnz() + a.rows + a.cols > large ? 8 : 64, 2);
  std::vector<product_case<X, product_of<A, X>>> cases;
  for (const std::int64_t cols : {1, 3, 8, 17, 64})
    for (const arrangement how : {arrangement::row_major, arrangement::column_major, arrangement::padded_rows})
      if (cols <= products.most()) cases.push_back(products.make(cols, how, how, cases.size() % 2));
  return cases;
}

template <class X, class A, class Index>
case_set<X, product_of<A, X>> cases_of(const csr_matrix<A, Index>& a, bool with_columns) {
  case_set<X, product_of<A, X>> cases{vector_cases<A, Index, X>(a.view()), {}};
  if (with_columns) cases.columns = column_cases<A, Index, X>(a.view());
  return cases;
}

}  // namespace lacis::verification

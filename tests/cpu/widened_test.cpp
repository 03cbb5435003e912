// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products of a matrix with an x in a narrower type, which is converted first: the bits are those of the definition.
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include <lacis/convert.hpp>
#include <lacis/error.hpp>
#include <lacis/multiply.hpp>
#include <lacis/plan.hpp>

#include "summation/spmv.hpp"
#include "support/compare.hpp"
#include "support/errors.hpp"
#include "support/matrices.hpp"
#include "verify/numbers.hpp"

namespace lacis::test {
namespace {

/// Rows of 0 to 80 entries: sums from left to right and in lanes.
template <class A, class Index> csr_matrix<A, Index> rows_of_many_lengths() {
  return from_rows<A, Index>(90, 130, entries::reals, [](std::int64_t i) { return random_columns(i, i % 81, 130, 7); });
}

/// Y = alpha A X + beta Y by the definition, column after column.
template <class A, class Index, class X>
std::vector<product_of<A, X>> expected_of(const csr_matrix<A, Index>& a, const std::vector<X>& x, std::int64_t cols,
                                          product_of<A, X> alpha, product_of<A, X> beta) {
  using T = product_of<A, X>;
  auto all = verification::full_numbers<T>(a.rows * cols, 5);
  for (std::int64_t c = 0; c < cols; ++c) {
    std::vector<X> column(static_cast<std::size_t>(a.cols));
    std::vector<T> y(static_cast<std::size_t>(a.rows));
    for (std::int64_t j = 0; j < a.cols; ++j)
      column[static_cast<std::size_t>(j)] = x[static_cast<std::size_t>(j * cols + c)];
    for (std::int64_t i = 0; i < a.rows; ++i)
      y[static_cast<std::size_t>(i)] = all[static_cast<std::size_t>(i * cols + c)];
    summation::spmv<A, Index, X>(alpha, a.view(), column, beta, y);
    for (std::int64_t i = 0; i < a.rows; ++i)
      all[static_cast<std::size_t>(i * cols + c)] = y[static_cast<std::size_t>(i)];
  }
  return all;
}

template <class A, class Index, class X> void expect_bits_of_definition() {
  using T = product_of<A, X>;
  const auto a = rows_of_many_lengths<A, Index>();
  for (const std::int64_t cols : {1, 3, 65}) {  // 65: more than are converted at once
    const auto x = verification::full_numbers<X>(a.cols * cols, 3);
    const auto x_view = row_major(std::span(x), a.cols, cols);
    for (const T beta : {T(0), T(-2)}) {
      const auto expected = expected_of(a, x, cols, T(3), beta);
      const auto expect = [&](const char* what, auto&& product) {
        auto y = verification::full_numbers<T>(a.rows * cols, 5);
        product(y);
        EXPECT_TRUE(same_bits<T>(y, expected)) << what << ", " << cols << " columns";
      };
      const auto expect_format = [&](const char* what, const auto& stored) {
        expect(what, [&](auto& y) { multiply(T(3), stored, x_view, beta, row_major(std::span(y), a.rows, cols)); });
        if (cols == 1) expect(what, [&](auto& y) { multiply(T(3), stored, x, beta, y); });
      };
      expect_format("csr", a);
      expect_format("csc", convert<csc_matrix<A, Index>>(a));
      expect_format("coo", convert<coo_matrix<A, Index>>(a));
      expect_format("sell", convert<sell_matrix<A, Index>>(a));
      for (const plan_layout layout : plan_layouts) {
        const auto plan = multiply_inspect(a, {.layout = layout});
        workspace memory;
        expect(name_of(layout).data(),
               [&](auto& y) { multiply(T(3), plan, x_view, beta, row_major(std::span(y), a.rows, cols), memory); });
        if (cols == 1) expect(name_of(layout).data(), [&](auto& y) { multiply(T(3), plan, x, beta, y, memory); });
      }
    }
  }
}

TEST(NarrowX, HasTheBitsOfTheDefinition) {
  expect_bits_of_definition<double, std::int32_t, float>();
  expect_bits_of_definition<double, std::int64_t, std::complex<float>>();
  expect_bits_of_definition<std::complex<double>, std::int32_t, float>();
  expect_bits_of_definition<std::complex<double>, std::int32_t, std::complex<float>>();
}

TEST(NarrowX, RarePairsOfTypesHaveThemToo) {
  expect_bits_of_definition<float, std::int32_t, std::complex<double>>();
  expect_bits_of_definition<std::complex<float>, std::int32_t, double>();
  expect_bits_of_definition<float, std::int64_t, double>();
}

TEST(NarrowX, IsNotReadWhereAlphaIsZero) {
  const auto a = rows_of_many_lengths<double, std::int32_t>();
  const std::vector<float> x(130, std::numeric_limits<float>::quiet_NaN());
  std::vector<double> y(90, 4);
  multiply(0.0, a, x, 0.5, y);
  EXPECT_EQ(y, std::vector<double>(90, 2));
  workspace memory;
  multiply(0.0, multiply_inspect(a), x, 0.5, y, memory);
  EXPECT_EQ(y, std::vector<double>(90, 1));
}

TEST(NarrowX, MayNotOverlapY) {
  const auto a = from_rows<double, std::int32_t>(4, 4, entries::reals, [](std::int64_t i) { return std::vector{i}; });
  std::vector<double> y(4);
  const std::span<const float> x(reinterpret_cast<const float*>(y.data()), 4);
  EXPECT_EQ(code_of([&] { multiply(a, x, y); }), errc::invalid_argument);
  EXPECT_EQ(code_of([&] { multiply(multiply_inspect(a), x, y); }), errc::invalid_argument);
  const std::vector<float> short_x(3);
  EXPECT_EQ(code_of([&] { multiply(a, short_x, y); }), errc::invalid_argument);
}

}  // namespace
}  // namespace lacis::test

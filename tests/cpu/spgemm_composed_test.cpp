// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products made of products have the bits of the references that they are made of.
#include <gtest/gtest.h>

#include <lacis/spgemm_composed.hpp>
#include <lacis/structure.hpp>

#include "summation/add.hpp"
#include "summation/spgemm.hpp"
#include "support/compare.hpp"
#include "support/errors.hpp"
#include "support/matrices.hpp"
#include "support/views.hpp"
#include "support/ways.hpp"

namespace lacis::test {
namespace {

template <class Matrix, class Compute> void check(const Matrix& expected, Compute&& compute) {
  const Matrix plain = with_plain_nans(expected);
  for_each_way([&](const multiply_options& how) {
    EXPECT_EQ(difference(with_plain_nans(compute(spgemm_options{.threads = how.threads, .isa = how.isa})), plain), "");
  });
}

template <value Value, index Index> csr_matrix<Value, Index> scattered(std::int64_t rows, std::int64_t cols) {
  return from_rows<Value, Index>(rows, cols, entries::reals,
                                 [=](std::int64_t i) { return random_columns(i, std::min(cols, i % 5), cols, 41); });
}

template <value Value, index Index> void check_test_matrices() {
  for (const auto& [name, a] : quick_test_matrices<Value, Index>(entries::reals)) {
    if (name == "one huge column") continue;
    SCOPED_TRACE(name);
    const auto across = transpose(a);
    const auto square = summation::spgemm(a.view(), across.view());
    check(square, [&](const spgemm_options& how) { return multiply_transposed(a, how); });
    const auto d = scattered<Value, Index>(a.rows, a.rows);
    check(summation::add(Value(1), square.view(), Value(1), d.view()),
          [&](const spgemm_options& how) { return multiply_add(a, across, d, how); });
    if (a.rows != a.cols) continue;
    const auto p = scattered<Value, Index>(a.rows, (a.rows + 2) / 3);
    const auto turned = transpose(p);
    check(summation::spgemm(turned.view(), view_of(summation::spgemm(a.view(), p.view()))),
          [&](const spgemm_options& how) { return triple_product(p, a, how); });
  }
}

TEST(ComposedSpgemm, HasTheBitsOfItsParts) {
  check_test_matrices<float, std::int32_t>();
  check_test_matrices<double, std::int64_t>();
  check_test_matrices<std::complex<float>, std::int64_t>();
  check_test_matrices<std::complex<double>, std::int32_t>();
}

TEST(ComposedSpgemm, AddsTheLastTermLast) {
  // 1 vanishes in 2^53 when it is added to it, and stays when it comes after 2^53 - 2^53.
  const auto row = [](std::vector<double> values) {
    const auto cols = static_cast<std::int64_t>(values.size());
    auto a = from_rows<double, std::int32_t>(1, cols, entries::integers, [=](auto) { return consecutive(0, cols); });
    a.values = values_array<double>(buffer<double>(std::span<const double>(values)));
    return a;
  };
  const auto ones = transpose(row({1, 1}));
  EXPECT_EQ(multiply_add(row({0x1p53, -0x1p53}), ones, row({1})).values[0], 1);
  EXPECT_EQ(multiply_add(row({1, 0x1p53}), ones, row({-0x1p53})).values[0], 0);
}

TEST(ComposedSpgemm, RefusesSizesThatDoNotFitAndRowsOutOfOrder) {
  const auto a = scattered<double, std::int32_t>(8, 6);
  const auto b = scattered<double, std::int32_t>(6, 9);
  auto d = scattered<double, std::int32_t>(8, 9);
  EXPECT_EQ(code_of([&] { (void)multiply_add(a, b, b); }), errc::invalid_argument);
  EXPECT_EQ(code_of([&] { (void)multiply_add(a, a, d); }), errc::invalid_argument);
  EXPECT_EQ(code_of([&] { (void)triple_product(a, b); }), errc::invalid_argument);
  std::swap(d.columns[1], d.columns[2]);
  EXPECT_EQ(code_of([&] { (void)multiply_add(a, b, d); }), errc::invalid_matrix);
  EXPECT_EQ(code_of([&] { (void)multiply_transposed(d); }), errc::invalid_matrix);
}

}  // namespace
}  // namespace lacis::test

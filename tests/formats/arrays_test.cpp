// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Matrices over the caller's arrays: types deduced, sizes checked, vectors taken over, rows read one entry at a time.
#include <array>
#include <gtest/gtest.h>
#include <ranges>
#include <utility>
#include <vector>

#include <lacis/convert.hpp>
#include <lacis/multiply.hpp>

#include "support/errors.hpp"

namespace lacis::test {
namespace {

const std::vector<int> offsets{0, 2, 2, 3};
const std::array<int, 3> columns{0, 2, 1};
const std::vector<double> values{1, 2, 3};

TEST(Arrays, MakeViewsWhoseTypesFollow) {
  const csr_view a(3, 3, offsets, columns, values);
  static_assert(std::is_same_v<decltype(a), const csr_view<double, int, int>>);
  EXPECT_EQ(a.row_offsets.data(), offsets.data());
  EXPECT_EQ(a.columns.data(), columns.data());
  EXPECT_EQ(a.values.data.data(), values.data());
  const csc_view b(3, 3, offsets, columns, values);
  static_assert(std::is_same_v<decltype(b), const csc_view<double, int, int>>);
  const std::vector<std::int64_t> wide(offsets.begin(), offsets.end());
  const csr_view<double> c(3, 3, std::span(wide), std::span(columns), std::span(values));
  EXPECT_EQ(c.nnz(), 3);
  static_assert(!std::is_constructible_v<csr_view<double, int, int>, int, int, std::vector<int>, std::vector<int>,
                                         std::vector<double>>,
                "arrays that are gone after the expression");
}

TEST(Arrays, OfOtherSizesAreRefused) {
  const std::vector<double> two{1, 2};
  EXPECT_EQ(code_of([] { csr_view(2, 3, offsets, columns, values); }), errc::invalid_matrix);
  EXPECT_EQ(code_of([] { csr_view(-1, 3, offsets, columns, values); }), errc::invalid_matrix);
  EXPECT_EQ(code_of([&] { csr_view(3, 3, offsets, columns, two); }), errc::invalid_matrix);
  EXPECT_EQ(code_of([] { csc_view(3, 2, offsets, columns, values); }), errc::invalid_matrix);
  EXPECT_EQ(code_of([] { csr_view(0, 0, std::span<const int>(), columns, values); }), errc::invalid_matrix);
}

TEST(Arrays, ThatAreMovedInAreNotCopied) {
  std::vector<std::int64_t> p(offsets.begin(), offsets.end());
  std::vector<int> c(columns.begin(), columns.end());
  std::vector<double> v = values;
  const void* const places[] = {p.data(), c.data(), v.data()};
  csr_matrix a{3, 3, std::move(p), std::move(c), std::move(v)};
  static_assert(std::is_same_v<decltype(a), csr_matrix<double, int>>);
  EXPECT_EQ(a.row_offsets.data(), places[0]);
  EXPECT_EQ(a.columns.data(), places[1]);
  EXPECT_EQ(a.values.data.data(), places[2]);
  csr_matrix<double> copy = a;
  EXPECT_NE(copy.columns.data(), a.columns.data());
  const csr_matrix<double> moved = std::move(a);
  EXPECT_EQ(moved.columns.data(), places[1]);
  copy = moved;
  copy = csr_matrix<double>{};
  EXPECT_EQ(copy.nnz(), 0);
  std::vector<double> y(3);
  multiply(moved, std::vector<double>{1, 10, 100}, y);
  EXPECT_EQ(y, (std::vector<double>{201, 0, 30}));
}

TEST(Arrays, AreReadRowByRow) {
  const csr_view a(3, 3, offsets, columns, values);
  static_assert(std::ranges::forward_range<decltype(a.row(0))>);
  std::vector<std::pair<int, double>> seen;
  for (const auto [column, value] : a.row(0)) seen.emplace_back(column, value);
  EXPECT_EQ(seen, (std::vector<std::pair<int, double>>{{0, 1.0}, {2, 2.0}}));
  EXPECT_TRUE(a.row(1).empty());
  EXPECT_EQ(a.row(2).size(), 1);
  const csr_view<double, int, int> iso(3, 3, offsets, columns, values_view<double>(std::span(values).first(1), true));
  for (const auto [column, value] : iso.row(0)) EXPECT_EQ(value, 1.0) << column;
  const auto owned = convert<csr_matrix<double>>(a);
  EXPECT_EQ((*owned.row(2).begin()).value, 3.0);
  const auto by_columns = convert<csc_matrix<double>>(a);
  const auto column = by_columns.column(2);
  EXPECT_EQ((*column.begin()).index, 0);
  EXPECT_EQ((*column.begin()).value, 2.0);
}

}  // namespace
}  // namespace lacis::test

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The layout `stencil`.
#include <algorithm>
#include <gtest/gtest.h>
#include <variant>
#include <vector>

#include <lacis/isa.hpp>
#include <lacis/plan.hpp>

#include "plan/layout.hpp"
#include "plan/layouts/stencil/layout.hpp"
#include "summation/spmv.hpp"
#include "support/matrices.hpp"

namespace lacis::test {
namespace {

std::vector<double> product(const csr_matrix<double>& a, const std::vector<double>& x) {
  std::vector<double> y(static_cast<std::size_t>(a.rows));
  summation::spmv<double, std::int32_t, double>(1, a.view(), x, 0, y);
  return y;
}

const detail::stencil_layout<double, std::int32_t>& layout_of(const plan<double>& p) {
  return std::get<detail::stencil_layout<double, std::int32_t>>(p.internals()->plain.arrays);
}

/// A 5-point grid of lines of 21, some rows of which have an entry far off, a few of 40 entries and one of 3000.
csr_matrix<double> grid_with_other_rows() {
  constexpr std::int64_t n = 4000;
  return from_rows<double, std::int32_t>(n, n, entries::reals, [](std::int64_t i) {
    if (i == 1717) return consecutive(300, 3300);
    if (i % 500 == 77) return random_columns(i, 40, n, 3);
    std::vector<std::int64_t> columns;
    for (const std::int64_t d : {-21, -1, 0, 1, 21})
      if (i + d >= 0 && i + d < n) columns.push_back(i + d);
    if (i % 97 == 0 && i + 40 < n) columns.push_back(n - 1);
    return columns;
  });
}

TEST(LayoutStencil, FindsPatternsAndLeavesTheRestToSell) {
  const auto a = grid_with_other_rows();
  const auto p = multiply_inspect(a, {.layout = plan_layout::stencil});
  const auto& l = layout_of(p);
  EXPECT_GT(l.slices.entries, a.nnz() / 3);
  EXPECT_GT(l.others.blocks.front().entries, 0);
  EXPECT_GT(l.others.csr_part.nnz(), 3000);
  EXPECT_EQ(l.entries(), a.nnz());
}

TEST(LayoutStencil, FindsItsDiagonalsAmongThousandsOfOthers) {
  constexpr std::int64_t n = 4096;
  const auto a = from_rows<double, std::int32_t>(n, n, entries::reals, [](std::int64_t i) {
    if (i / 64 % 2 == 1) return random_columns(i, 20, n, 5);
    std::vector<std::int64_t> columns;
    for (const std::int64_t d : {-300, 0, 1})
      if (i + d >= 0 && i + d < n) columns.push_back(i + d);
    if (i < 64) columns.push_back(i + 7);  // counted before all others
    return columns;
  });
  const auto found = detail::find_patterns(a.view(), 0, n / 8);
  for (std::int64_t slice = 40; slice < n / 8; ++slice)
    EXPECT_EQ(found.of_slice[slice] >= 0, slice / 8 % 2 == 0) << slice;
  for (std::int64_t slice = 0; slice < 8; ++slice) EXPECT_GE(found.of_slice[slice], 0) << slice;
  ASSERT_GE(found.diagonals.size(), 3U);
  for (const std::int64_t d : found.diagonals) EXPECT_TRUE(d == -300 || d == 0 || d == 1 || d == 7) << d;
}

TEST(LayoutStencil, FindsNoPatternsWhereNoDiagonalRepeats) {
  constexpr std::int64_t n = 1 << 20;
  const auto a = from_rows<double, std::int32_t>(512, n, entries::reals,
                                                 [](std::int64_t i) { return random_columns(i, 3, n, 7); });
  const auto found = detail::find_patterns(a.view(), 0, 64);
  EXPECT_TRUE(found.patterns.empty());
  EXPECT_TRUE(
      std::all_of(found.of_slice.begin(), found.of_slice.end(), [](std::int32_t number) { return number == -1; }));
  EXPECT_EQ(found.of_slice.size(), 64);
}

TEST(LayoutStencil, KeepsNoValuesWhereTheyRepeatWithThePattern) {
  auto a = from_rows<double, std::int32_t>(4096, 4096, entries::reals,
                                           [](auto i) { return grid_neighbours(i, 16, 16, true); });
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      a.values.data[k] = a.columns[k] == i ? 6.1 : -0.9;
  const auto p = multiply_inspect(a);
  EXPECT_EQ(p.layout(), "stencil-8");
  EXPECT_TRUE(layout_of(p).slices.by_pattern);
  EXPECT_LT(p.storage_bytes(), a.nnz());
  const auto x = full_numbers<double>(a.cols);
  std::vector<double> y(static_cast<std::size_t>(a.rows));
  multiply(p, x, y);
  EXPECT_EQ(y, product(a, x));
}

TEST(LayoutStencil, MultipliesColumnsWithMoreDiagonalsThanARowHasEntries) {
  constexpr std::int64_t n = 4096;
  auto a = from_rows<double, std::int32_t>(n, n, entries::integers, [](std::int64_t i) {
    std::vector<std::int64_t> columns;
    for (std::int64_t d = i % 2 == 0 ? -60 : -57; d <= 60; d += 4)
      if (i + d >= 0 && i + d < n) columns.push_back(i + d);
    return columns;
  });
  const auto p = multiply_inspect(a, {.layout = plan_layout::stencil, .columns = 8});
  ASSERT_TRUE(std::any_of(layout_of(p).slices.patterns.begin(), layout_of(p).slices.patterns.end(),
                          [](const auto& pattern) { return pattern.slots > 32; }));
  ASSERT_EQ(p.internals()->plain.form, cpu::value_form::byte);
  const auto x = full_numbers<double>(n * 8);
  std::vector<double> y(static_cast<std::size_t>(n * 8));
  multiply(p, dense_view<const double>{x.data(), n, 8, 1, n}, dense_view<double>{y.data(), n, 8, 1, n});
  for (std::int64_t c = 0; c < 8; ++c) {
    const auto wanted = product(a, std::vector<double>(x.begin() + c * n, x.begin() + (c + 1) * n));
    EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), y.begin() + c * n)) << c;
  }
}

}  // namespace
}  // namespace lacis::test

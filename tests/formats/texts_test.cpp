// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The answers to the exercises of docs/texts.
#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

#include <lacis/builder.hpp>
#include <lacis/convert.hpp>
#include <lacis/facts.hpp>
#include <lacis/generate.hpp>
#include <lacis/multiply.hpp>
#include <lacis/spgemm.hpp>
#include <lacis/storage_costs.hpp>

namespace {

using lacis::csr_matrix;

/// One row: a one, then `length - 1` numbers that are lost when they are added to it one by one.
csr_matrix<double> row_of(int length) {
  lacis::builder<double> entries(1, length);
  auto put = entries.inserter();
  for (int j = 0; j < length; ++j) put(0, j, j == 0 ? 1.0 : 0x1p-53);
  return entries.build();
}

double product_with_ones(const csr_matrix<double>& a) {
  const std::vector<double> x(static_cast<std::size_t>(a.cols), 1.0);
  std::vector<double> y(1);
  lacis::multiply(a, x, y);
  return y[0];
}

TEST(Texts, RowsOfUpTo32EntriesHaveTheBitsOfTheSerialLoop) {
  // From left to right, 1 + 2^-53 is rounded to 1 again and again. In 32 lanes the small ones meet each other first.
  EXPECT_EQ(product_with_ones(row_of(32)), 1.0);
  EXPECT_GT(product_with_ones(row_of(33)), 1.0);
}

/// The entries whose column lies in the range of rows that a block of threads, one per row, has.
std::int64_t entries_in_window(const csr_matrix<double>& a, std::int64_t block) {
  std::int64_t inside = 0;
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (const auto [column, value] : a.row(i)) inside += column / block == i / block ? 1 : 0;
  return inside;
}

TEST(Texts, AWindowOfXServesColumnsNearTheDiagonal) {
  // A block has four lines of the grid: of 20,224 entries, those to the 64 points across each of 15 borders are
  // outside.
  const auto grid = lacis::generate<double>("@poisson2d:64");
  EXPECT_EQ(grid.nnz(), 20224);
  EXPECT_EQ(entries_in_window(grid, 256), 20224 - 2 * 15 * 64);
  lacis::builder<double> spread(4096, 4096);  // every row has an entry in each of the 16 ranges
  auto put = spread.inserter();
  for (int i = 0; i < 4096; ++i)
    for (int range = 0; range < 16; ++range) put(i, (i + 256 * range) % 4096, 1);
  EXPECT_EQ(entries_in_window(spread.build(), 256), 4096);
}

csr_matrix<double> matrix_of_the_chapter() {
  lacis::builder<double> entries(4, 4);
  auto put = entries.inserter();
  put(0, 0, 1), put(0, 1, 7);
  put(1, 0, 5), put(1, 2, 3), put(1, 3, 9);
  put(2, 1, 2), put(2, 2, 8);
  put(3, 3, 6);
  return entries.build();
}

TEST(Texts, TheMatrixOfTheChapterInEllAndJds) {
  const auto a = matrix_of_the_chapter();
  const auto ell = lacis::convert<lacis::ell_matrix<double>>(a);
  EXPECT_EQ(ell.width * ell.rows - ell.nnz(), 4);
  const auto jds = lacis::convert<lacis::jds_matrix<double>>(a);
  EXPECT_EQ(std::vector<int>(jds.permutation.begin(), jds.permutation.end()), (std::vector<int>{1, 0, 2, 3}));
  EXPECT_EQ(jds.columns.size(), jds.nnz());
}

TEST(Texts, CsrIsSmallerThanDenseBelowABound) {
  const auto a = lacis::generate<double>("@uniform:100,5", {.values = lacis::generated_values::ones});
  const auto costs = lacis::storage_of(a, lacis::find_facts(a), std::int64_t{1} << 40);
  const auto csr = std::ranges::find(costs.formats, lacis::matrix_format::csr, &lacis::format_cost::which);
  ASSERT_NE(csr, costs.formats.end());
  EXPECT_EQ(csr->saves_up_to, 6599);  // below (8 * 100 * 100 - 8 * 101) / 12
}

TEST(Texts, EntriesThatCancelStay) {
  lacis::builder<double> row(1, 2);
  row.inserter()(0, 0, 1);
  row.inserter()(0, 1, -1);
  lacis::builder<double> column(2, 1);
  column.inserter()(0, 0, 1);
  column.inserter()(1, 0, 1);
  const auto c = lacis::multiply(row.build(), column.build());
  ASSERT_EQ(c.nnz(), 1);
  EXPECT_EQ(c.values[0], 0.0);
}

}  // namespace

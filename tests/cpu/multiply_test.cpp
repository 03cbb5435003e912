// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// multiply() at its edges: what it refuses, alpha and beta, nothing to multiply, views and strides. That results have
// the right bits is for verify() to tell.
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include <lacis/error.hpp>
#include <lacis/multiply.hpp>
#include <lacis/structure.hpp>

#include "summation/spmv.hpp"
#include "support/errors.hpp"
#include "support/matrices.hpp"

namespace lacis::test {
namespace {

csr_matrix<double> small() {
  return from_rows<double, std::int32_t>(6, 9, entries::reals, [](auto i) { return random_columns(i, 3, 9, 1); });
}
csr_matrix<double> descending() {
  return from_rows<double, std::int32_t>(6, 9, entries::reals, [](std::int64_t i) {
    return i == 4 ? std::vector<std::int64_t>{5, 2} : std::vector<std::int64_t>{1, 3};
  });
}
csr_matrix<double> doubled() {
  return from_rows<double, std::int32_t>(6, 9, entries::reals, [](std::int64_t i) {
    return i == 4 ? std::vector<std::int64_t>{2, 2} : std::vector<std::int64_t>{1, 3};
  });
}

std::vector<double> product(const csr_matrix<double>& a, const std::vector<double>& x) {
  std::vector<double> y(static_cast<std::size_t>(a.rows));
  summation::spmv<double, std::int32_t, double>(1, a.view(), x, 0, y);
  return y;
}

/// 64-bit columns are narrowed on the way: one that is outside must not come back inside.
TEST(Multiply, RefusesColumnsThatOnlyTheirLow32BitsPutInside) {
  for (const std::int64_t wrong : {(std::int64_t{1} << 32) + 3, (std::int64_t{1} << 31) + 3, std::int64_t{-1} << 32}) {
    const std::vector<std::int64_t> offsets{0, 1, 2};
    const std::vector<std::int64_t> columns{1, wrong};
    const std::vector<double> values{1, 1};
    const csr_view<double, std::int64_t> a{2, 6, offsets, columns, {values, false}};
    const std::vector<double> x(6, 1);
    std::vector<double> y(2);
    EXPECT_EQ(code_of([&] { multiply(a, x, y); }), errc::invalid_matrix) << wrong;
  }
}

TEST(Multiply, RefusesVectorsOfAnotherSize) {
  const auto a = small();
  std::vector<double> x(9);
  std::vector<double> y(6);
  std::vector<double> other(7);
  EXPECT_EQ(code_of([&] { multiply(a, other, y); }), errc::invalid_argument);
  EXPECT_EQ(code_of([&] { multiply(a, x, other); }), errc::invalid_argument);
  std::vector<double> columns(18);
  std::vector<double> results(12);
  const auto wide = row_major(std::span<const double>(columns), 9, 2);
  EXPECT_EQ(code_of([&] { multiply(a, wide, row_major(std::span(results), 4, 3)); }), errc::invalid_argument);
  EXPECT_EQ(
      code_of([&] { multiply(a, row_major(std::span<const double>(results), 6, 2), row_major(std::span(y), 3, 2)); }),
      errc::invalid_argument);
  EXPECT_EQ(code_of([&] { static_cast<void>(row_major(std::span(y), 4, 2)); }), errc::invalid_argument);
}

TEST(Multiply, RefusesOperandsThatOverlap) {
  const auto a = from_rows<double, std::int32_t>(5, 5, entries::reals, [](auto i) { return std::vector{i}; });
  std::vector<double> both(9, 1.0);
  const std::span<double> all(both);
  EXPECT_EQ(code_of([&] { multiply(a, all.first(5), all.last(5)); }), errc::invalid_argument);
  EXPECT_EQ(code_of([&] { multiply(a, all.first(5), all.first(5)); }), errc::invalid_argument);
  std::vector<double> apart(10, 1.0);
  multiply(a, std::span(apart).first(5), std::span(apart).last(5));
}

TEST(Multiply, RefusesUnsortedRowsAndDuplicatesInEveryFormatThatCanHoldThem) {
  std::vector<double> x(9, 1.0);
  std::vector<double> y(6);
  const auto refuses = [&](const auto& m, const char* name) {
    for (const int threads : {1, 3})
      EXPECT_EQ(code_of([&] { multiply(m, x, y, {.threads = threads}); }), errc::invalid_matrix) << name;
    std::vector<double> columns(18, 1.0);
    std::vector<double> results(12);
    EXPECT_EQ(code_of([&] {
                multiply(m, row_major(std::span<const double>(columns), 9, 2), row_major(std::span(results), 6, 2));
              }),
              errc::invalid_matrix)
        << name;
  };
  for (const auto& a : {descending(), doubled()}) {
    refuses(a, "csr");
    refuses(convert<coo_matrix<double>>(a), "coo");
    refuses(convert<ell_matrix<double>>(a), "ell");
    refuses(convert<hyb_matrix<double>>(a), "hyb");
    refuses(convert<jds_matrix<double>>(a), "jds");
    refuses(convert<sell_matrix<double>>(a), "sell");
  }
  refuses(convert<csc_matrix<double>>(doubled()), "csc");
}

TEST(Multiply, FindsColumnsThatDoNotAscendInAnyShortRow) {
  constexpr std::int64_t rows = 75;  // more than are looked at together, and not a multiple of lanes
  constexpr std::int64_t cols = 40;
  const auto whole = from_rows<double, std::int32_t>(
      rows, cols, entries::reals, [](std::int64_t i) { return random_columns(i, i * 7 % 33, cols, 1); });
  const auto x = full_numbers<double>(cols);
  std::vector<double> y(rows);
  for (const isa set : supported_isas()) {
    multiply(whole, x, y, {.isa = set});
    EXPECT_EQ(y, product(whole, x)) << "rows that begin before the one above ends are good";
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t k = whole.row_offsets[i] + 1; k < whole.row_offsets[i + 1]; ++k) {
        auto a = whole;
        if (k % 2 == 0)
          std::swap(a.columns[k - 1], a.columns[k]);
        else
          a.columns[k] = a.columns[k - 1];
        ASSERT_EQ(code_of([&] { multiply(a, x, y, {.isa = set}); }), errc::invalid_matrix) << i << ", " << k;
      }
  }
}

TEST(Multiply, RefusesEntriesOfCooThatAreNotSortedByRow) {
  auto a = convert<coo_matrix<double>>(small());
  std::swap(a.row_indices[0], a.row_indices[a.row_indices.size() - 1]);
  std::vector<double> x(9, 1.0);
  std::vector<double> y(6);
  for (const int threads : {1, 2, 5})
    EXPECT_EQ(code_of([&] { multiply(a, x, y, {.threads = threads}); }), errc::invalid_matrix);
}

TEST(Multiply, RefusesNegativeThreads) {
  const auto a = small();
  const std::vector<double> x(9);
  std::vector<double> y(6);
  EXPECT_EQ(code_of([&] { multiply(a, x, y, {.threads = -1}); }), errc::invalid_argument);
}

TEST(Multiply, RefusesInstructionsThatDoNotRunHere) {
  if (supported_isas().size() == 3) GTEST_SKIP() << "this processor runs all of them";
  const auto a = small();
  const std::vector<double> x(9);
  std::vector<double> y(6);
  EXPECT_EQ(code_of([&] { multiply(a, x, y, {.isa = isa::avx512}); }), errc::unsupported);
}

TEST(Multiply, DoesNotReadYWhenBetaIsZeroNorTheMatrixWhenAlphaIs) {
  const auto a = small();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto x = full_numbers<double>(9);
  std::vector<double> y(6, nan);
  multiply(1.0, a, x, 0.0, y);
  EXPECT_EQ(y, product(a, x));
  const std::vector<double> unread(9, nan);
  y = {1, 2, 3, 4, 5, 6};
  multiply(0.0, a, unread, 2.0, y);
  EXPECT_EQ(y, (std::vector<double>{2, 4, 6, 8, 10, 12}));
  multiply(0.0, descending(), unread, 1.0, y);
  EXPECT_EQ(y, (std::vector<double>{2, 4, 6, 8, 10, 12}));
  y.assign(6, nan);
  multiply(0.0, a, unread, 0.0, y);
  EXPECT_EQ(y, std::vector<double>(6, 0.0));
}

TEST(Multiply, ScalesRowsWithoutEntriesToo) {
  const auto a =
      from_rows<double, std::int32_t>(4, 3, entries::reals, [](auto) { return std::vector<std::int64_t>{}; });
  const std::vector<double> x(3, 1.0);
  const auto scales = [&](const auto& m) {
    std::vector<double> y{1, 2, 3, 4};
    multiply(5.0, m, x, 3.0, y, {.threads = 2});
    EXPECT_EQ(y, (std::vector<double>{3, 6, 9, 12}));
    multiply(m, x, y);
    EXPECT_EQ(y, std::vector<double>(4, 0.0));
  };
  scales(a);
  scales(convert<coo_matrix<double>>(a));
  scales(convert<csc_matrix<double>>(a));
  scales(convert<ell_matrix<double>>(a));
  scales(convert<hyb_matrix<double>>(a));
  scales(convert<jds_matrix<double>>(a));
  scales(convert<sell_matrix<double>>(a));
  scales(convert<bsr_matrix<double>>(a));
  scales(convert<dia_matrix<double>>(a));
}

TEST(Multiply, TakesMatricesAndColumnsOfSizeZero) {
  const csr_matrix<double> nothing;
  std::vector<double> none;
  multiply(nothing, none, none);
  const auto a = small();
  multiply(a, dense_view<const double>{nullptr, 9, 0, 0, 1}, dense_view<double>{nullptr, 6, 0, 0, 1});
}

TEST(Multiply, TakesViews) {
  const auto a = small();
  const auto x = full_numbers<double>(9);
  std::vector<double> y(6);
  multiply(a.view(), x, y);
  EXPECT_EQ(y, product(a, x));
}

TEST(Multiply, MultipliesWithTheTransposeOfCsrAndOfCscInPlace) {
  const auto a = small();
  const auto x = full_numbers<double>(6);
  const auto expected = product(transpose(a), x);
  std::vector<double> y(9);
  multiply(transposed(a), x, y);
  EXPECT_EQ(y, expected);
  const auto columns = convert<csc_matrix<double>>(a);
  y.assign(9, 0);
  multiply(transposed(columns), x, y);
  EXPECT_EQ(y, expected);
}

TEST(Multiply, LeavesTheGapsOfStridedResultsAlone) {
  const auto a = small();
  const auto x = full_numbers<double>(9 * 4, 3);
  std::vector<double> y(6 * 5 * 2, 77.0);
  const dense_view<const double> from{x.data(), 9, 2, 4, 2};
  const dense_view<double> to{y.data(), 6, 2, 10, 3};
  multiply(a, from, to);
  for (std::int64_t c = 0; c < 2; ++c) {
    std::vector<double> column;
    for (std::int64_t j = 0; j < 9; ++j) column.push_back(from(j, c));
    const auto expected = product(a, column);
    for (std::int64_t i = 0; i < 6; ++i) EXPECT_EQ(to(i, c), expected[static_cast<std::size_t>(i)]);
  }
  for (std::size_t k = 0; k < y.size(); ++k) {
    if (k % 10 != 0 && k % 10 != 3) {
      EXPECT_EQ(y[k], 77.0) << k;
    }
  }
}

}  // namespace
}  // namespace lacis::test

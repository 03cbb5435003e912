// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Triangular systems, defined: true division, Smith's algorithm, the canonical sum of what is beside the diagonal.
#include "summation/triangular.hpp"

#include <gtest/gtest.h>

#include "summation/hash.hpp"
#include "summation/reference.hpp"
#include "support/errors.hpp"

namespace lacis::test {
namespace {

template <class Real> Real wide_divide(Real a, Real b) {
  return static_cast<Real>(static_cast<wider<Real>>(a) / static_cast<wider<Real>>(b));
}

/// Smith's algorithm told by turning: where |bi| > |br|, both numbers are multiplied by -i first, which is exact.
template <class T> T reference_divide(T a, T b) {
  if constexpr (is_complex<T>) {
    if (std::abs(b.imag()) > std::abs(b.real()))
      return reference_divide(T(a.imag(), -a.real()), T(b.imag(), -b.real()));
    const auto ratio = wide_divide(b.imag(), b.real());
    const auto divisor = wide_add(b.real(), wide_multiply(b.imag(), ratio));
    return {wide_divide(wide_add(a.real(), wide_multiply(a.imag(), ratio)), divisor),
            wide_divide(wide_add(a.imag(), -wide_multiply(a.real(), ratio)), divisor)};
  } else {
    return wide_divide(a, b);
  }
}

template <class T> class Triangular : public testing::Test {};
using Types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Triangular, Types);

TYPED_TEST(Triangular, DivisionRoundsEveryOperationOfSmithsAlgorithm) {
  for (std::uint64_t k = 0; k < 2000; ++k) {
    const auto a = full_number<TypeParam>(2 * k);
    const auto b = full_number<TypeParam>(2 * k + 1);
    EXPECT_EQ(summation::divide(a, b), reference_divide(a, b)) << k;
  }
}

TEST(Triangular, ComplexDivisionOverflowsOnlyWhenTheQuotientDoes) {
  using z = std::complex<double>;
  EXPECT_EQ(summation::divide(z(4, 2), z(1, -1)), z(1, 3));
  EXPECT_EQ(summation::divide(z(1e300, 1e300), z(1e300, 1e300)), z(1, 0));
  EXPECT_EQ(summation::divide(z(1, 0), z(0, 2)), z(0, -0.5));
  EXPECT_TRUE(std::isnan(summation::divide(z(1, 0), z(0, 0)).real()));
}

/// A square matrix of 1100 rows: short rows, and some with hundreds and more than 1024 entries on either side of the
/// diagonal, all small, so that solutions stay in range.
template <class T> csr_matrix<T> system_with_every_kind_of_row() {
  constexpr std::int64_t n = 1100;
  auto a = from_rows<T, std::int32_t>(n, n, entries::reals, [](std::int64_t i) {
    if (i < 3 || i > n - 3 || i == 500) return consecutive(0, n);
    std::set<std::int64_t> columns{i};
    for (const std::int64_t j : random_columns(i, i % 80 == 0 ? 90 : 4, n, 1)) columns.insert(j);
    return std::vector<std::int64_t>(columns.begin(), columns.end());
  });
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      if (a.columns[k] == i)
        a.values.data[k] = T(1) + a.values.data[k] / real_of<T>(16);
      else
        a.values.data[k] /= real_of<T>(16384);
  return a;
}

template <class T> T reference_subtract(T a, T b) { return reference_add(a, -b); }

TYPED_TEST(Triangular, SolutionsMatchASecondDefinition) {
  const auto a = system_with_every_kind_of_row<TypeParam>();
  const auto b = full_numbers<TypeParam>(a.rows, 5);
  for (const bool upper : {false, true})
    for (const auto kind : {summation::diagonal::stored, summation::diagonal::unit}) {
      std::vector<TypeParam> expected(b.size());
      for (std::int64_t turn = 0; turn < a.rows; ++turn) {
        const std::int64_t i = upper ? a.rows - 1 - turn : turn;
        std::vector<TypeParam> products;
        TypeParam pivot{};
        for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) {
          const std::int64_t j = a.columns[k];
          if (j == i) pivot = a.values.data[k];
          if (upper ? j > i : j < i)
            products.push_back(reference_multiply(a.values.data[k], expected[static_cast<std::size_t>(j)]));
        }
        const auto rest = reference_subtract(b[static_cast<std::size_t>(i)], reference_sum<TypeParam>(products));
        expected[static_cast<std::size_t>(i)] =
            kind == summation::diagonal::unit ? rest : reference_divide(rest, pivot);
      }
      auto x = b;  // in place
      if (upper)
        summation::solve_upper<TypeParam, std::int32_t>(a.view(), kind, x, x);
      else
        summation::solve_lower<TypeParam, std::int32_t>(a.view(), kind, x, x);
      EXPECT_EQ(x, expected);
    }
}

std::string refusal(const csr_matrix<double>& a, summation::diagonal kind) {
  std::vector<double> x(static_cast<std::size_t>(a.rows), 1.0);
  try {
    summation::solve_lower<double, std::int32_t>(a.view(), kind, x, x);
  } catch (const error& problem) {
    return problem.what();
  }
  return "nothing was refused";
}

TEST(Triangular, NamesTheRowThatStoresNoDiagonal) {
  const auto a = from_rows<double, std::int32_t>(5, 5, entries::reals, [](std::int64_t i) {
    return i == 3 ? std::vector<std::int64_t>{0, 4} : std::vector<std::int64_t>{i};
  });
  EXPECT_NE(refusal(a, summation::diagonal::stored).find("row 3 "), std::string::npos);
  EXPECT_EQ(refusal(a, summation::diagonal::unit), "nothing was refused");
}

TEST(Triangular, RefusesMatricesThatAreNotSquareOrNotSortedAndVectorsOfOtherLengths) {
  const auto wide = from_rows<double, std::int32_t>(2, 3, entries::reals, [](auto) { return consecutive(0, 2); });
  EXPECT_NE(refusal(wide, summation::diagonal::stored).find("2 x 3"), std::string::npos);
  const auto unsorted =
      from_rows<double, std::int32_t>(2, 2, entries::reals, [](auto) { return std::vector<std::int64_t>{1, 0}; });
  std::vector<double> x(2, 1.0);
  const auto code = [&](const csr_matrix<double>& a, std::span<const double> b) {
    return code_of([&] { summation::solve_upper<double, std::int32_t>(a.view(), summation::diagonal::stored, b, x); });
  };
  EXPECT_EQ(code(unsorted, x), errc::invalid_matrix);
  const auto square = from_rows<double, std::int32_t>(2, 2, entries::reals, [](auto) { return consecutive(0, 2); });
  EXPECT_EQ(code(square, std::span<const double>(x).first(1)), errc::invalid_argument);
}

}  // namespace
}  // namespace lacis::test

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The reference product of sparse matrices: exact on integers, ascending sums on reals.
#include "summation/spgemm.hpp"

#include <cmath>
#include <gtest/gtest.h>

#include <lacis/structure.hpp>

#include "support/compare.hpp"
#include "support/errors.hpp"
#include "support/exact_product.hpp"
#include "support/matrices.hpp"
#include "support/views.hpp"

namespace lacis::test {
namespace {

template <value Value, index Index> void check_integers() {
  for (const auto& [name, a] : test_matrices<Value, Index>(entries::integers)) {
    if (name == "zeros, subnormals, Inf and NaN" || name == "one huge column") continue;
    const auto across = transpose(a);
    EXPECT_EQ(difference(summation::spgemm(a.view(), across.view()), exact_product(a, across)), "") << name;
    if (a.rows == a.cols) {
      EXPECT_EQ(difference(summation::spgemm(a.view(), a.view()), exact_product(a, a)), "") << name << " squared";
    }
  }
}

TEST(SummationSpgemm, IsExactOnIntegers) {
  check_integers<float, std::int32_t>();
  check_integers<double, std::int64_t>();
  check_integers<std::complex<float>, std::int64_t>();
  check_integers<std::complex<double>, std::int32_t>();
}

csr_matrix<double> dense(std::int64_t rows, std::int64_t cols, const std::vector<double>& values) {
  auto a = from_rows<double, std::int32_t>(rows, cols, entries::integers,
                                           [=](std::int64_t) { return consecutive(0, cols); });
  for (std::size_t k = 0; k < values.size(); ++k) a.values.data[static_cast<std::int64_t>(k)] = values[k];
  return a;
}

TEST(SummationSpgemm, AddsRoundedProductsInAscendingK) {
  // 1 vanishes in 2^53 when it is added to it, and stays when it comes after 2^53 - 2^53.
  const auto ones = dense(3, 1, {1, 1, 1});
  EXPECT_EQ(summation::spgemm(view_of(dense(1, 3, {1, 0x1p53, -0x1p53})), ones.view()).values[0], 0);
  EXPECT_EQ(summation::spgemm(view_of(dense(1, 3, {0x1p53, -0x1p53, 1})), ones.view()).values[0], 1);
  // 3 (1 + 2^-52) rounds up by 2^-52; a fused step would leave the difference behind.
  EXPECT_EQ(
      summation::spgemm(view_of(dense(1, 2, {-3 - 0x1p-50, 3})), view_of(dense(2, 1, {1, 1 + 0x1p-52}))).values[0], 0);
}

TEST(SummationSpgemm, KeepsEntriesThatCancelAndHasNoNegativeZero) {
  const auto cancelled = summation::spgemm(view_of(dense(1, 2, {1, -1})), view_of(dense(2, 1, {5, 5})));
  ASSERT_EQ(cancelled.nnz(), 1);
  EXPECT_FALSE(std::signbit(cancelled.values[0]));
  const auto negative = summation::spgemm(view_of(dense(1, 1, {-1})), view_of(dense(1, 1, {0})));
  ASSERT_EQ(negative.nnz(), 1);
  EXPECT_FALSE(std::signbit(negative.values[0]));
}

TEST(SummationSpgemm, RefusesSizesThatDoNotFitAndRowsOutOfOrder) {
  EXPECT_EQ(code_of([] { (void)summation::spgemm(view_of(dense(1, 2, {1, 1})), view_of(dense(1, 1, {1}))); }),
            errc::invalid_argument);
  auto twisted = dense(1, 2, {1, 1});
  std::swap(twisted.columns[0], twisted.columns[1]);
  EXPECT_EQ(code_of([&] { (void)summation::spgemm(twisted.view(), view_of(dense(2, 1, {1, 1}))); }),
            errc::invalid_matrix);
}

}  // namespace
}  // namespace lacis::test

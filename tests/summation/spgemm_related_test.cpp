// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The references of sums, masked products and dense products at places: exact on integers.
#include <gtest/gtest.h>
#include <map>

#include <lacis/structure.hpp>

#include "summation/add.hpp"
#include "summation/sddmm.hpp"
#include "summation/spgemm_masked.hpp"
#include "support/compare.hpp"
#include "support/exact_product.hpp"
#include "support/matrices.hpp"
#include "support/views.hpp"

namespace lacis::test {
namespace {

/// A full matrix of integers, and the same as a dense view of its values.
template <value Value> struct full_matrix {
  csr_matrix<Value> sparse;
  dense_view<const Value> dense;

  full_matrix(std::int64_t rows, std::int64_t cols)
      : sparse(from_rows<Value, std::int32_t>(rows, cols, entries::integers,
                                              [=](std::int64_t) { return consecutive(0, cols); })),
        dense{sparse.values.data.data(), rows, cols, cols, 1} {}
};

template <value Value> void check_products() {
  const full_matrix<Value> x(20, 9);
  const full_matrix<Value> y(9, 30);
  const auto whole = exact_product(x.sparse, y.sparse);
  const auto mask = from_rows<Value, std::int32_t>(20, 30, entries::integers,
                                                   [](std::int64_t i) { return random_columns(i, i % 7, 30, 91); });
  const auto ones = [](csr_matrix<Value> a) {
    std::fill(a.values.data.begin(), a.values.data.end(), Value(1));
    return a;
  };
  const auto inside = hadamard(whole, ones(mask));
  EXPECT_EQ(difference(summation::sddmm(pattern_of(mask), x.dense, y.dense), inside), "");
  const auto masked = [&](mask_side side) {
    return summation::spgemm_masked(x.sparse.view(), y.sparse.view(), pattern_of(mask), side);
  };
  EXPECT_EQ(difference(masked(mask_side::stored), inside), "");
  // Both sides together are the whole again.
  const auto joined = summation::add(Value(1), inside.view(), Value(1), view_of(masked(mask_side::complement)));
  EXPECT_EQ(difference(joined, whole), "");
}

TEST(SummationRelated, IsExactOnIntegers) {
  check_products<float>();
  check_products<double>();
  check_products<std::complex<float>>();
  check_products<std::complex<double>>();
}

TEST(SummationRelated, AddsWholeNumbersWithFactors) {
  for (const auto& [name, a] : test_matrices<double, std::int64_t>(entries::integers)) {
    if (a.rows != a.cols || name == "zeros, subnormals, Inf and NaN") continue;
    const auto b = transpose(a);
    std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> places;
    const auto take = [&](const csr_matrix<double, std::int64_t>& m, std::int64_t factor) {
      for (std::int64_t i = 0; i < m.rows; ++i)
        for (std::int64_t k = m.row_offsets[i]; k < m.row_offsets[i + 1]; ++k)
          places[{i, m.columns[k]}] += factor * static_cast<std::int64_t>(m.values[k]);
    };
    take(a, 3);
    take(b, -1);
    const auto sum = summation::add(3.0, a.view(), -1.0, b.view());
    ASSERT_EQ(sum.nnz(), static_cast<std::int64_t>(places.size())) << name;
    auto expected = places.begin();
    for (std::int64_t i = 0; i < sum.rows; ++i)
      for (std::int64_t k = sum.row_offsets[i]; k < sum.row_offsets[i + 1]; ++k, ++expected) {
        EXPECT_EQ(expected->first, (std::pair{i, sum.columns[k]})) << name;
        EXPECT_EQ(sum.values[k], static_cast<double>(expected->second)) << name;
      }
  }
}

}  // namespace
}  // namespace lacis::test

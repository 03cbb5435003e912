// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The layout `symmetric`: each value stored once, the bits of the definition.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <variant>
#include <vector>

#include <lacis/generate.hpp>
#include <lacis/isa.hpp>
#include <lacis/plan.hpp>

#include "plan/layout.hpp"
#include "plan/layouts/symmetric/layout.hpp"
#include "plan/multiply.hpp"
#include "summation/hash.hpp"
#include "summation/spmv.hpp"
#include "support/matrices.hpp"

namespace lacis::test {
namespace {

template <class Value> const detail::stencil_rows<Value>& slices_of(const plan<Value>& p) {
  return std::get<detail::symmetric_layout<Value, std::int32_t>>(p.internals()->plain.arrays).stencil.slices;
}

/// Values that depend on the smaller and the larger of row and column.
template <class Value> void make_symmetric(csr_matrix<Value>& a, std::uint64_t salt = 0) {
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) {
      const auto low = static_cast<std::uint64_t>(std::min<std::int64_t>(i, a.columns[k]));
      const auto high = static_cast<std::uint64_t>(std::max<std::int64_t>(i, a.columns[k]));
      a.values.data[k] = entry_value<Value>((low * 1000003 + high) * 64 + salt, entries::reals);
    }
}

template <class Value> csr_matrix<Value> grid(std::int64_t n, std::int64_t depth, bool faces) {
  auto a = from_rows<Value, std::int32_t>(n * n * depth, n * n * depth, entries::reals,
                                          [&](auto i) { return grid_neighbours(i, n, depth, faces); });
  make_symmetric(a);
  return a;
}

/// A 5-point grid of lines of 21 whose last row and column have many more entries.
csr_matrix<double> grid_with_arrow() {
  constexpr std::int64_t n = 4001;
  auto a = from_rows<double, std::int32_t>(n, n, entries::reals, [](std::int64_t i) {
    std::vector<std::int64_t> columns;
    for (std::int64_t j = 0; j < n; ++j) {
      const std::int64_t away = std::abs(i - j);
      const bool arrow = std::max(i, j) == n - 1 && std::min(i, j) % 37 == 0;
      if (away == 0 || away == 1 || away == 21 || arrow) columns.push_back(j);
    }
    return columns;
  });
  make_symmetric(a);
  return a;
}

template <class Value> std::uint64_t hash_of_product(const csr_matrix<Value>& a, const std::vector<Value>& x) {
  std::vector<Value> y(static_cast<std::size_t>(a.rows));
  summation::spmv<Value, std::int32_t, Value>(Value(1), a.view(), x, Value(0), y);
  return summation::solution_hash(std::span<const Value>(y));
}

template <class Value> std::uint64_t hash_of_product(const plan<Value>& p, const std::vector<Value>& x) {
  std::vector<Value> y(static_cast<std::size_t>(p.rows()), Value(std::numeric_limits<real_of<Value>>::quiet_NaN()));
  multiply(p, x, y);
  return summation::solution_hash(std::span<const Value>(y));
}

template <class Value> class LayoutSymmetric : public testing::Test {};
using value_types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(LayoutSymmetric, value_types);

TYPED_TEST(LayoutSymmetric, StoresEachValueOnceAndGivesTheBitsOfTheDefinition) {
  for (const bool faces : {true, false})
    for (const std::int64_t n : {16, 21}) {
      const auto a = grid<TypeParam>(n, 11, faces);
      auto x = full_numbers<TypeParam>(a.cols);
      for (const bool infinite : {false, true}) {
        if (infinite)  // must not leak to rows that do not have the entry
          for (std::size_t i = 0; i < x.size(); i += 111)
            x[i] = TypeParam(std::numeric_limits<real_of<TypeParam>>::infinity());
        const std::uint64_t wanted = hash_of_product(a, x);
        for (const isa set : supported_isas())
          for (const int threads : {1, 3}) {
            const auto p = multiply_inspect(a, {.threads = threads, .isa = set, .layout = plan_layout::symmetric});
            EXPECT_GT(slices_of(p).upper, 0);
            EXPECT_EQ(hash_of_product(p, x), wanted) << n << ' ' << faces << ' ' << name_of(set) << ' ' << threads;
          }
      }
      const auto whole = multiply_inspect(a, {.layout = plan_layout::stencil});
      const auto once = multiply_inspect(a, {.layout = plan_layout::symmetric});
      const auto& all_values =
          std::get<detail::stencil_layout<TypeParam, std::int32_t>>(whole.internals()->plain.arrays).slices.values;
      EXPECT_LT(slices_of(once).values.bytes(), all_values.bytes());
    }
}

TYPED_TEST(LayoutSymmetric, VisitsPlanesThatAreLargerThanACacheInStrips) {
  const std::int64_t n = 160;
  const auto a = grid<TypeParam>(n, 3, true);
  const auto x = full_numbers<TypeParam>(a.cols);
  const std::uint64_t wanted = hash_of_product(a, x);
  for (const isa set : supported_isas())
    for (const int threads : {1, 2, 5}) {
      const auto p = multiply_inspect(a, {.threads = threads, .isa = set, .layout = plan_layout::symmetric});
      const auto& slices = slices_of(p);
      ASSERT_EQ(slices.strips.runs.size(), slices.runs.size());
      EXPECT_FALSE(std::is_sorted(slices.strips.runs.begin(), slices.strips.runs.end(),
                                  [](const auto& one, const auto& other) { return one.first_row < other.first_row; }));
      EXPECT_EQ(hash_of_product(p, x), wanted) << name_of(set) << ' ' << threads;
    }
}

TYPED_TEST(LayoutSymmetric, GivesTheMatrixBackAndScales) {
  const auto a = grid<TypeParam>(21, 7, false);
  const auto p = multiply_inspect(a, {.threads = 2, .transpose = true, .layout = plan_layout::symmetric});
  ASSERT_GT(slices_of(p).upper, 0);
  const auto back = detail::csr_of(p.internals()->plain);
  EXPECT_TRUE(std::equal(back.row_offsets.begin(), back.row_offsets.end(), a.row_offsets.begin()));
  EXPECT_TRUE(std::equal(back.columns.begin(), back.columns.end(), a.columns.begin()));
  EXPECT_TRUE(std::equal(back.values.data.begin(), back.values.data.end(), a.values.data.begin()));
  const auto x = full_numbers<TypeParam>(a.cols);
  const auto before = full_numbers<TypeParam>(a.rows, 5);
  auto wanted = before;
  summation::spmv<TypeParam, std::int32_t, TypeParam>(TypeParam(3), a.view(), x, TypeParam(-2), wanted);
  workspace memory;
  auto y = before;
  multiply(TypeParam(3), p, x, TypeParam(-2), y, memory);
  EXPECT_EQ(y, wanted);
  y = before;
  multiply(TypeParam(3), transposed(p), x, TypeParam(-2), y, memory);
  EXPECT_EQ(y, wanted) << "the transpose is the matrix itself";
}

TYPED_TEST(LayoutSymmetric, MultipliesDenseColumnsAndSumsDotProducts) {
  const auto a = grid<TypeParam>(21, 12, true);
  const auto p = multiply_inspect(a, {.threads = 3, .layout = plan_layout::symmetric});
  const auto q = multiply_inspect(a, {.threads = 2, .layout = plan_layout::csr});
  ASSERT_GT(slices_of(p).upper, 0);
  const auto x = full_numbers<TypeParam>(a.cols * 9);
  std::vector<TypeParam> y(static_cast<std::size_t>(a.rows * 9)), z(y.size());
  const dense_view<const TypeParam> columns{x.data(), a.cols, 9, 9, 1};
  workspace memory;
  multiply(p, columns, dense_view<TypeParam>{y.data(), a.rows, 9, 9, 1}, memory);
  multiply(q, columns, dense_view<TypeParam>{z.data(), a.rows, 9, 9, 1}, memory);
  EXPECT_EQ(y, z);
  const std::span<const TypeParam> one(x.data(), static_cast<std::size_t>(a.cols));
  const auto rows = static_cast<std::size_t>(a.rows);
  const TypeParam dot =
      detail::multiply_and_dot<TypeParam, std::int32_t>(p, one, 0, std::span(y.data(), rows), 0, memory).total();
  EXPECT_EQ(
      dot,
      (detail::multiply_and_dot<TypeParam, std::int32_t>(q, one, 0, std::span(z.data(), rows), 0, memory).total()));
  EXPECT_EQ(y, z);
}

TEST(LayoutSymmetricRows, MayBeOutsideOfPatterns) {
  const auto a = grid_with_arrow();
  const auto p = multiply_inspect(a, {.layout = plan_layout::symmetric});
  EXPECT_GT(slices_of(p).upper, 0);
  EXPECT_LT(slices_of(p).entries, a.nnz());
  EXPECT_EQ(hash_of_product(p, full_numbers<double>(a.cols)), hash_of_product(a, full_numbers<double>(a.cols)));
}

TEST(LayoutSymmetricValues, AreUpdatedOrStoredInFullWhereTheyNoLongerAre) {
  auto a = grid<double>(21, 11, true);
  const auto x = full_numbers<double>(a.cols);
  auto p = multiply_inspect(a, {.layout = plan_layout::symmetric});
  EXPECT_EQ(p.layout(), "symmetric-8");
  const auto expect_once = [&](bool once) {
    update_values(p, std::span<const double>(a.values.data));
    EXPECT_EQ(slices_of(p).upper > 0, once);
    EXPECT_EQ(p.explain().find("not symmetric") == std::string::npos, once) << p.explain();
    EXPECT_EQ(hash_of_product(p, x), hash_of_product(a, x));
  };
  make_symmetric(a, 1);
  expect_once(true);
  double& one = a.values.data[a.nnz() / 2 + 1];
  one = std::nextafter(one, 100);
  expect_once(false);
  make_symmetric(a, 2);
  expect_once(true);
  for (double& v : a.values.data) v = 3;
  expect_once(false);
  const auto alike = multiply_inspect(a, {.layout = plan_layout::symmetric});
  EXPECT_EQ(slices_of(alike).upper, 0) << "one number for all takes less";
  EXPECT_EQ(hash_of_product(alike, x), hash_of_product(a, x));
  make_symmetric(a, 3);
  for (std::int64_t k = 0; k < a.nnz(); ++k) a.values.data[k] = 0;
  a.values.data[1] = -0.0;  // its image is +0
  a.values.data[0] = 0.1;
  expect_once(false);
}

#ifndef LACIS_ADDRESS_SANITIZER  // matrices beyond the caches
TEST(LayoutSymmetricChoice, IsMadeForLargeSymmetricStencilsOnly) {
  auto a = generate<double>("@stencil27:60", {.values = generated_values::symmetric});
  const auto p = multiply_inspect(a, {.threads = 2});
  EXPECT_EQ(p.layout(), "symmetric-8");
  EXPECT_NE(p.explain().find("symmetric, the values above the diagonal are stored once"), std::string::npos);
  EXPECT_EQ(multiply_inspect(a, {.threads = 2, .columns = 8}).layout(), "stencil-8");
  // One value between the rows that inspection looks at.
  const std::int64_t k = a.row_offsets[3001] + 1;
  a.values.data[k] = std::nextafter(a.values.data[k], 2);
  const auto q = multiply_inspect(a, {.threads = 2});
  EXPECT_EQ(q.layout(), "stencil-8");
  for (const plan_candidate& c : q.report().candidates) EXPECT_NE(c.layout, "symmetric-8");
  EXPECT_EQ(hash_of_product(q, full_numbers<double>(a.cols)), hash_of_product(a, full_numbers<double>(a.cols)));
}
#endif

}  // namespace
}  // namespace lacis::test

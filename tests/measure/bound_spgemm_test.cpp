// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products compared: patterns exactly, values within rounding, integers exactly.
#include "measure/bound_spgemm.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include <lacis/generate.hpp>
#include <lacis/spgemm.hpp>

namespace lacis::measure {
namespace {

template <class Value> class CompareProducts : public ::testing::Test {};
using value_types = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(CompareProducts, value_types);

template <class Value>
std::string fault_of(const csr_matrix<Value>& a, const csr_matrix<Value>& first, const csr_matrix<Value>& second,
                     bool drops_zeros = false) {
  const auto found =
      compare_products<Value, std::int32_t>(a.view(), a.view(), first.view(), second.view(), drops_zeros);
  return found ? "row " + std::to_string(found->row) + ": " + found->what : "";
}

template <class Value> csr_matrix<Value> operand(generated_values values) {
  return generate<Value>("@rmat:8", {.values = values});
}

/// The first row with several entries.
template <class Value> std::int64_t long_row(const csr_matrix<Value>& c) {
  std::int64_t row = 0;
  while (c.row_offsets[row + 1] - c.row_offsets[row] < 3) ++row;
  return row;
}

TYPED_TEST(CompareProducts, EqualOnesPass) {
  for (const auto values : {generated_values::random, generated_values::integer, generated_values::pattern}) {
    const auto a = operand<TypeParam>(values);
    const auto c = multiply(a, a);
    EXPECT_EQ(fault_of(a, c, c), "");
  }
}

TYPED_TEST(CompareProducts, ALastBitMayDifferOnlyInSumsThatRound) {
  for (const auto values : {generated_values::random, generated_values::integer}) {
    const auto a = operand<TypeParam>(values);
    const auto c = multiply(a, a);
    auto other = c;
    using real = real_of<TypeParam>;
    const std::int64_t k = c.row_offsets[long_row(c)];
    if constexpr (is_complex<TypeParam>)
      other.values.data[k] = {std::nextafter(c.values[k].real(), real(1000)), c.values[k].imag()};
    else
      other.values.data[k] = std::nextafter(c.values[k], real(1000));
    const std::string fault = fault_of(a, c, other);
    if (values == generated_values::random)
      EXPECT_EQ(fault, "");
    else
      EXPECT_NE(fault.find("though every sum is exact"), std::string::npos) << fault;
  }
}

TYPED_TEST(CompareProducts, AWrongValueIsFoundInItsRow) {
  const auto a = operand<TypeParam>(generated_values::random);
  const auto c = multiply(a, a);
  const std::int64_t row = long_row(c);
  for (const real_of<TypeParam> wrong :
       {real_of<TypeParam>(100), std::numeric_limits<real_of<TypeParam>>::quiet_NaN()}) {
    auto other = c;
    other.values.data[c.row_offsets[row]] = TypeParam(wrong);
    const std::string fault = fault_of(a, c, other);
    EXPECT_TRUE(fault.starts_with("row " + std::to_string(row) + ": column ")) << fault;
    EXPECT_NE(fault.find("is off by "), std::string::npos) << fault;
  }
}

TYPED_TEST(CompareProducts, AWrongColumnIsFound) {
  const auto a = operand<TypeParam>(generated_values::random);
  const auto c = multiply(a, a);
  const std::int64_t row = long_row(c);
  auto other = c;
  const std::int64_t last = c.row_offsets[row + 1] - 1;
  other.columns[last] = static_cast<std::int32_t>(c.cols - 1);
  if (other.columns[last] == c.columns[last]) other.columns[last] -= 1;
  EXPECT_NE(fault_of(a, c, other).find(" where "), std::string::npos) << fault_of(a, c, other);
}

/// (1 1) times its rows (1), (-1): an entry whose sum is zero.
csr_matrix<double> cancelling() {
  csr_matrix<double> a;
  a.rows = a.cols = 2;
  a.row_offsets = buffer<std::int64_t>(std::span<const std::int64_t>(std::vector<std::int64_t>{0, 2, 4}));
  a.columns = buffer<std::int32_t>(std::span<const std::int32_t>(std::vector<std::int32_t>{0, 1, 0, 1}));
  a.values = values_array<double>(buffer<double>(std::span<const double>(std::vector<double>{1, 1, -1, 1})));
  return a;
}

TEST(CompareSparseProducts, OnlyZerosMayBeLeftOutByWhoDropsThem) {
  const auto a = cancelling();
  const auto c = multiply(a, a);  // (0 2; -2 0)
  csr_matrix<double> without = c;
  without.row_offsets = buffer<std::int64_t>(std::span<const std::int64_t>(std::vector<std::int64_t>{0, 1, 2}));
  without.columns = buffer<std::int32_t>(std::span<const std::int32_t>(std::vector<std::int32_t>{1, 0}));
  without.values = values_array<double>(buffer<double>(std::span<const double>(std::vector<double>{2, -2})));
  EXPECT_EQ(fault_of(a, c, without, true), "");
  EXPECT_EQ(fault_of(a, c, without), "row 0: column 1 where 0 should be");
  without.columns[0] = 0;
  EXPECT_NE(fault_of(a, c, without, true), "");
}

TEST(CompareSparseProducts, EntriesTooManyOrTooFewAreFaults) {
  const auto a = cancelling();
  const auto c = multiply(a, a);
  csr_matrix<double> less = c;
  less.row_offsets = buffer<std::int64_t>(std::span<const std::int64_t>(std::vector<std::int64_t>{0, 2, 3}));
  less.columns = buffer<std::int32_t>(std::span<const std::int32_t>(std::vector<std::int32_t>{0, 1, 0}));
  less.values = values_array<double>(buffer<double>(std::span<const double>(std::vector<double>{0, 2, -2})));
  EXPECT_EQ(fault_of(a, c, less), "row 1: no column 1");
  EXPECT_EQ(fault_of(a, less, c), "row 1: column 1 too many");
}

}  // namespace
}  // namespace lacis::measure

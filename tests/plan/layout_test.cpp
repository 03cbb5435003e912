// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Every layout of plans with values in every form: the bits of the definition, whatever is kept.
#include "plan/layout.hpp"

#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include <lacis/isa.hpp>
#include <lacis/plan.hpp>
#include <lacis/structure.hpp>

#include "summation/hash.hpp"
#include "summation/spmv.hpp"
#include "support/compare.hpp"
#include "support/matrices.hpp"

namespace lacis::test {
namespace {

/// A 5-point grid of lines of 21, some rows of which have an entry far off, a few of 40 entries and one of 3000.
template <class Value> csr_matrix<Value> mixed_matrix() {
  constexpr std::int64_t n = 4000;
  return from_rows<Value, std::int32_t>(n, n, entries::reals, [](std::int64_t i) {
    if (i == 1717) return consecutive(300, 3300);
    if (i % 500 == 77) return random_columns(i, 40, n, 3);
    std::vector<std::int64_t> columns;
    for (const std::int64_t d : {-21, -1, 0, 1, 21})
      if (i + d >= 0 && i + d < n) columns.push_back(i + d);
    if (i % 97 == 0 && i + 40 < n) columns.push_back(n - 1);
    return columns;
  });
}

template <class Value> Value value_of(cpu::value_form form, std::int64_t k) {
  using real = real_of<Value>;
  const auto whole = static_cast<real>(k % 11 - 5);
  switch (form) {
    case cpu::value_form::one:
      return Value(real(0.1));
    case cpu::value_form::byte:
      return Value(whole);
    case cpu::value_form::half:
      if constexpr (is_complex<Value>)
        return {whole + real(0.25), real(500) - whole};
      else
        return Value(whole * real(32) + real(0.25));
    case cpu::value_form::full:
      break;
  }
  return Value(real(1) / static_cast<real>(k + 3));
}

template <class Value> class Layout : public testing::Test {
 public:
  static csr_matrix<Value> matrix(cpu::value_form form) {
    csr_matrix<Value> a = mixed_matrix<Value>();
    for (std::int64_t k = 0; k < a.nnz(); ++k) a.values.data[k] = value_of<Value>(form, k);
    return a;
  }
  static std::vector<Value> expected(const csr_matrix<Value>& a, const std::vector<Value>& x) {
    std::vector<Value> y(static_cast<std::size_t>(a.rows));
    summation::spmv<Value, std::int32_t, Value>(Value(1), a.view(), x, Value(0), y);
    return y;
  }
  static std::vector<cpu::value_form> forms() {
    std::vector<cpu::value_form> all{cpu::value_form::one, cpu::value_form::full};
    if (cpu::has_half<Value>) all.push_back(cpu::value_form::half);
    if (cpu::has_byte<Value>) all.push_back(cpu::value_form::byte);
    return all;
  }
};
using value_types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Layout, value_types);

TYPED_TEST(Layout, KeepsTheNarrowestFormAndGivesTheBitsOfTheDefinition) {
  const auto x = full_numbers<TypeParam>(4000);
  for (const cpu::value_form form : TestFixture::forms()) {
    const auto a = TestFixture::matrix(form);
    const auto wanted = TestFixture::expected(a, x);
    for (const plan_layout layout : plan_layouts)
      for (const isa set : supported_isas())
        for (const int threads : {1, 3}) {
          const auto p = multiply_inspect(a, {.threads = threads, .isa = set, .layout = layout});
          EXPECT_EQ(p.internals()->plain.kind(), layout);
          EXPECT_EQ(p.internals()->plain.form, form);
          std::vector<TypeParam> y(4000, TypeParam(std::numeric_limits<real_of<TypeParam>>::quiet_NaN()));
          multiply(p, x, y);
          EXPECT_EQ(summation::solution_hash(std::span<const TypeParam>(y)),
                    summation::solution_hash(std::span<const TypeParam>(wanted)))
              << name_of(layout) << ", " << detail::form_name<TypeParam>(form) << ", " << name_of(set) << ", "
              << threads;
        }
  }
}

TYPED_TEST(Layout, TakesValuesOfAnotherForm) {
  const auto x = full_numbers<TypeParam>(4000);
  for (const plan_layout layout : plan_layouts)
    for (const cpu::value_form before : TestFixture::forms())
      for (const cpu::value_form after : TestFixture::forms()) {
        auto p = multiply_inspect(TestFixture::matrix(before), {.layout = layout});
        const auto a = TestFixture::matrix(after);
        update_values(p, std::span<const TypeParam>(a.values.data));
        EXPECT_EQ(p.internals()->plain.form, after);
        std::vector<TypeParam> y(4000);
        multiply(p, x, y);
        const auto wanted = TestFixture::expected(a, x);
        EXPECT_EQ(summation::solution_hash(std::span<const TypeParam>(y)),
                  summation::solution_hash(std::span<const TypeParam>(wanted)))
            << name_of(layout);
      }
}

TYPED_TEST(Layout, GivesTheMatrixBack) {
  const auto a = TestFixture::matrix(cpu::value_form::full);
  for (const plan_layout layout : plan_layouts) {
    const auto back = detail::csr_of(multiply_inspect(a, {.layout = layout}).internals()->plain);
    EXPECT_EQ(std::vector(back.row_offsets.begin(), back.row_offsets.end()),
              std::vector(a.row_offsets.begin(), a.row_offsets.end()));
    EXPECT_EQ(std::vector(back.columns.begin(), back.columns.end()), std::vector(a.columns.begin(), a.columns.end()));
    EXPECT_EQ(std::vector(back.values.data.begin(), back.values.data.end()),
              std::vector(a.values.data.begin(), a.values.data.end()));
  }
}

TEST(LayoutValues, AreKeptAsGivenWhenAskedFor) {
  auto a = mixed_matrix<double>();
  for (double& v : a.values.data) v = 2;
  EXPECT_EQ(multiply_inspect(a).internals()->plain.form, cpu::value_form::one);
  EXPECT_EQ(multiply_inspect(a, {.values = plan_values::as_given}).internals()->plain.form, cpu::value_form::full);
}

TEST(LayoutValues, AreRoundedToFloatWhenAskedFor) {
  auto a = mixed_matrix<double>();
  const auto x = full_numbers<double>(4000);
  const auto p = multiply_inspect(a, {.values = plan_values::as_float});
  for (double& v : a.values.data) v = static_cast<double>(static_cast<float>(v));
  EXPECT_EQ(p.internals()->plain.form, cpu::value_form::half);
  std::vector<double> y(4000);
  multiply(p, x, y);
  std::vector<double> wanted(4000);
  summation::spmv<double, std::int32_t, double>(1, a.view(), x, 0, wanted);
  EXPECT_EQ(y, wanted);
}

TEST(LayoutValues, NeverLoseABit) {
  using detail::narrowest_form;
  const auto form = [](std::vector<double> values) {
    values.push_back(3);
    return narrowest_form<double>(values_view<double>(std::span<const double>(values)));
  };
  EXPECT_EQ(form({1, -128, 127}), cpu::value_form::byte);
  EXPECT_EQ(form({1, 128}), cpu::value_form::half);
  EXPECT_EQ(form({1, -0.0}), cpu::value_form::half) << "no 8-bit integer is -0";
  EXPECT_EQ(form({1, 0x1p-149}), cpu::value_form::half) << "the least float";
  EXPECT_EQ(form({1, 0x1p-150}), cpu::value_form::full);
  EXPECT_EQ(form({1, 0x1p128}), cpu::value_form::full);
  EXPECT_EQ(form({1, 0.1}), cpu::value_form::full);
  EXPECT_EQ(form({1, std::numeric_limits<double>::infinity()}), cpu::value_form::half);
  const auto float_form = [](std::vector<float> values) {
    values.push_back(3);
    return narrowest_form<float>(values_view<float>(std::span<const float>(values)));
  };
  EXPECT_EQ(float_form({1, -128, 127}), cpu::value_form::byte);
  EXPECT_EQ(float_form({0.5F, 65504, 0x1p-24F, -0.0F}), cpu::value_form::half);
  EXPECT_EQ(float_form({0.5F, 65505}), cpu::value_form::full);
  EXPECT_EQ(float_form({0.5F, 0x1p-25F}), cpu::value_form::full);
  EXPECT_EQ(float_form({0.5F, 2049}), cpu::value_form::full);
  EXPECT_EQ(float_form({0.5F, std::numeric_limits<float>::infinity()}), cpu::value_form::full);
}

TEST(LayoutValues, HalvesAreReadAsTheyWereWritten) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    if ((bits >> 10 & 0x1f) == 0x1f) continue;
    const auto half = static_cast<cpu::half_bits>(bits);
    ASSERT_EQ(static_cast<std::uint32_t>(cpu::to_half(cpu::from_half(half))), bits);
  }
  EXPECT_EQ(cpu::from_half(static_cast<cpu::half_bits>(0x3c00)), 1.0F);
  EXPECT_EQ(cpu::from_half(static_cast<cpu::half_bits>(0xc000)), -2.0F);
  EXPECT_EQ(cpu::from_half(static_cast<cpu::half_bits>(1)), 0x1p-24F);
}

TEST(LayoutRows, NoNumberLeaksFromWhereARowHasNoEntry) {
  const auto a = from_rows<double, std::int32_t>(4096, 4096, entries::reals,
                                                 [](auto i) { return grid_neighbours(i, 16, 16, true); });
  auto x = full_numbers<double>(a.cols);
  for (std::size_t i = 0; i < x.size(); i += 111) x[i] = std::numeric_limits<double>::infinity();
  const auto wanted = Layout<double>::expected(a, x);
  for (const plan_layout layout : plan_layouts)
    for (const isa set : supported_isas()) {
      std::vector<double> y(static_cast<std::size_t>(a.rows));
      multiply(multiply_inspect(a, {.isa = set, .layout = layout}), x, y);
      EXPECT_EQ(summation::solution_hash(std::span<const double>(y)),
                summation::solution_hash(std::span<const double>(wanted)))
          << name_of(layout) << ' ' << name_of(set);
    }
}

}  // namespace
}  // namespace lacis::test

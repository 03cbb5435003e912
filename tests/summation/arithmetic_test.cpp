// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The rounded operations: mixed types, Inf and NaN, fused steps, magnitudes without overflow.
#include "summation/arithmetic.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace lacis::test {
namespace {

using summation::magnitude;
using summation::multiply;
using complex_float = std::complex<float>;
using complex_double = std::complex<double>;

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class A, class B, class T> constexpr bool product_is = std::is_same_v<product_of<A, B>, T>;
static_assert(product_is<float, float, float> && product_is<float, double, double>);
static_assert(product_is<float, complex_float, complex_float> && product_is<double, complex_float, complex_double>);
static_assert(product_is<complex_float, double, complex_double> && product_is<complex_float, float, complex_float>);
static_assert(product_is<complex_float, complex_double, complex_double>);

TEST(Products, OfMixedPrecisionRoundOnceInTheWiderType) {
  const float third = 1.0f / 3.0f;
  EXPECT_EQ(multiply(third, 3.0), static_cast<double>(third) * 3.0);
  EXPECT_NE(multiply(third, 3.0), 1.0);
  EXPECT_EQ(multiply(third, 3.0f), 1.0f);  // rounded to float
}

TEST(Products, OfComplexNumbersRoundEveryOperation) {
  EXPECT_EQ(multiply(complex_double(1, 2), complex_double(3, 4)), complex_double(-5, 10));
  // (1 + d)^2 - 1 by hand: the squares round before they are subtracted, so 2d is left and d^2 is lost.
  const double d = 0x1p-30;
  EXPECT_EQ(multiply(complex_double(1 + d, 1), complex_double(1 + d, 1)), complex_double(0x1p-29, 2 + 0x1p-29));
}

TEST(Products, OfARealAndAComplexNumberHaveNoHiddenZero) {
  EXPECT_EQ(multiply(2.0, complex_double(inf, 1)), complex_double(inf, 2));
  EXPECT_EQ(multiply(complex_double(inf, 1), 2.0), complex_double(inf, 2));
  EXPECT_TRUE(std::isnan(multiply(complex_double(2, 0), complex_double(inf, 1)).imag()));
  EXPECT_TRUE(std::signbit(multiply(-1.0, complex_double(1, 0)).imag()));
}

TEST(Products, NeverRepairInfinitiesAsTheLibrarysOperatorDoes) {
  const complex_double z = multiply(complex_double(inf, nan), complex_double(1, 1));
  EXPECT_TRUE(std::isnan(z.real()) && std::isnan(z.imag()));
}

TEST(Products, OfAConjugateSubtractWhereTheyAddedAndTheOtherWayRound) {
  EXPECT_EQ(summation::multiply_conjugated(complex_double(1, 2), complex_double(3, 4)), complex_double(11, -2));
  EXPECT_EQ(summation::multiply_conjugated(2.0, complex_double(3, 4)), complex_double(6, 8));
}

TEST(FusedSteps, RoundOncePerStep) {
  const double d = 0x1p-30;
  EXPECT_EQ(summation::multiply_add_fused(1 + d, 1 + d, -1.0), 0x1p-29 + 0x1p-60);
  EXPECT_EQ(summation::add(-1.0, multiply(1 + d, 1 + d)), 0x1p-29);
  EXPECT_EQ(summation::multiply_add_fused(complex_double(1, 2), complex_double(3, 4), complex_double(100, 200)),
            complex_double(95, 210));
  // The chain by hand: re = fma(-1, 1, fma(1 + d, 1 + d, 0)); the first step rounds d^2 away, the second is exact.
  EXPECT_EQ(summation::multiply_add_fused(complex_double(1 + d, 1), complex_double(1 + d, 1), complex_double(0, 0)),
            complex_double(0x1p-29, 2 + 0x1p-29));
  EXPECT_EQ(summation::multiply_add_fused(complex_double(1 + d, 0), 1 + d, complex_double(-1, 7)),
            complex_double(0x1p-29 + 0x1p-60, 7));
}

TEST(Magnitudes, OfPythagoreanNumbersAreExactAtEveryScale) {
  for (int e = -1060; e <= 1018; ++e)
    EXPECT_EQ(magnitude(complex_double(std::ldexp(-3, e), std::ldexp(4, e))), std::ldexp(5, e)) << e;
  for (int e = -140; e <= 124; ++e)
    EXPECT_EQ(magnitude(complex_float(std::ldexp(5.0f, e), std::ldexp(12.0f, e))), std::ldexp(13.0f, e)) << e;
}

TEST(Magnitudes, StayFiniteOrPositiveWhereSquaresDoNot) {
  const double largest = std::numeric_limits<double>::max();
  const double least = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(magnitude(complex_double(largest, 0)), largest);
  EXPECT_EQ(magnitude(complex_double(0, -least)), least);
  EXPECT_EQ(magnitude(complex_double(largest, largest)), inf);  // the magnitude itself overflows
  EXPECT_EQ(magnitude(complex_double(largest, least)), largest);
}

TEST(Magnitudes, OfZeroInfinityAndNaN) {
  EXPECT_EQ(magnitude(complex_double(-0.0, -0.0)), 0.0);
  EXPECT_FALSE(std::signbit(magnitude(complex_double(-0.0, -0.0))));
  EXPECT_EQ(magnitude(complex_double(-inf, 1)), inf);
  EXPECT_TRUE(std::isnan(magnitude(complex_double(inf, nan))));
  EXPECT_TRUE(std::isnan(magnitude(complex_double(nan, 0))));
  EXPECT_EQ(magnitude(-0.0), 0.0);
  EXPECT_FALSE(std::signbit(magnitude(-0.0)));
}

}  // namespace
}  // namespace lacis::test

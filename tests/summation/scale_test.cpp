// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The scale rule and the elementwise updates: what is read, what is multiplied, what keeps its bits.
#include "summation/scale.hpp"

#include <cmath>
#include <gtest/gtest.h>

#include "summation/vector.hpp"

namespace lacis::test {
namespace {

using summation::combine;
using complex_double = std::complex<double>;

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double unread() {
  ADD_FAILURE() << "read an operand that must not be read";
  return nan;
}

double scaled(double alpha, double s, double beta, double y) {
  return combine(alpha, [=] { return s; }, beta, [=] { return y; });
}

TEST(Scaling, RoundsBothProductsAndThenTheSum) {
  const double third = 1.0 / 3.0;
  const double left = third * 0.1;
  const double right = third * 0.7;
  EXPECT_EQ(scaled(third, 0.1, third, 0.7), left + right);
  const double d = 0x1p-30;
  EXPECT_EQ(scaled(1 + d, 1 + d, 1, -1), 0x1p-29);  // a fused step would keep 2^-60
  EXPECT_EQ(scaled(1, -1, 1 + d, 1 + d), 0x1p-29);
}

TEST(Scaling, WithBetaZeroNeverReadsY) {
  EXPECT_EQ(combine(2.0, [] { return 3.0; }, 0.0, unread), 6.0);
  EXPECT_EQ(combine(2.0, [] { return 3.0; }, -0.0, unread), 6.0);
  EXPECT_TRUE(std::signbit(combine(-1.0, [] { return 0.0; }, 0.0, unread)));  // nothing is added to -0
}

TEST(Scaling, WithAlphaZeroNeverReadsTheSum) {
  EXPECT_EQ(combine(0.0, unread, 2.0, [] { return 3.0; }), 6.0);
  EXPECT_EQ(combine(0.0, unread, 0.0, unread), 0.0);
  EXPECT_FALSE(std::signbit(combine(-0.0, unread, -0.0, unread)));
  EXPECT_TRUE(std::signbit(combine(0.0, unread, 1.0, [] { return -0.0; })));  // y keeps its bits
}

TEST(Scaling, ByOneSkipsTheProductSoThatNothingTurnsIntoNaN) {
  const complex_double z(inf, 1);
  const auto by = [&](complex_double alpha) {
    return combine(alpha, [&] { return z; }, complex_double(0), [] { return complex_double(nan, nan); });
  };
  EXPECT_EQ(by(1), z);
  EXPECT_TRUE(std::isnan(by(2).imag()));  // 0 Inf, as for any other complex factor
  EXPECT_EQ(combine(
                complex_double(1), [] { return complex_double(1, 2); }, complex_double(1), [&] { return z; }),
            complex_double(inf, 3));
}

TEST(Scaling, ByARealNumberScalesAComplexSumComponentwise) {
  EXPECT_EQ(combine(
                2.0, [] { return complex_double(inf, 1); }, 0.0, [] { return complex_double(nan); }),
            complex_double(inf, 2));
}

TEST(Scaling, ByNaNGivesNaN) {
  EXPECT_TRUE(std::isnan(scaled(nan, 1, 0, 1)));
  EXPECT_TRUE(std::isnan(scaled(1, 1, nan, 0)));
}

TEST(VectorUpdates, FollowTheSameRule) {
  const std::vector<double> x{1, -0.0, nan};
  std::vector<double> y{10, -0.0, 5};
  const auto in = std::span<const double>(x);
  summation::axpy(0.0, in, std::span(y));
  EXPECT_TRUE(y[0] == 10 && std::signbit(y[1]) && y[2] == 5);
  summation::axpy(2.0, in, std::span(y));
  EXPECT_TRUE(y[0] == 12 && std::signbit(y[1]) && std::isnan(y[2]));
  summation::axpby(3.0, in.first(2), 0.0, std::span(y).first(2));
  EXPECT_TRUE(y[0] == 3 && std::signbit(y[1]));
  summation::scale_vector(0.0, std::span(y));
  EXPECT_TRUE(y[0] == 0 && !std::signbit(y[1]) && y[2] == 0);
  EXPECT_THROW(summation::axpy(1.0, in.first(2), std::span(y)), error);
}

}  // namespace
}  // namespace lacis::test

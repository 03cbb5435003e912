// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Dot products and norms: blocks of the global index range, any number of threads, no needless overflow.
#include "summation/vector.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <omp.h>

#include "summation/reference.hpp"

namespace lacis::test {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double most = std::numeric_limits<double>::max();
constexpr double least = std::numeric_limits<double>::denorm_min();

constexpr std::int64_t lengths[] = {0, 1, 2, 31, 32, 33, 1024, 4095, 4096, 4097, 8192, 8193, 12289, 50000};

/// Runs work with each number of threads, then puts the former number back.
template <class Work> void with_threads(Work&& work) {
  const int before = omp_get_max_threads();
  for (const int threads : {1, 2, 3, 7}) {
    omp_set_num_threads(threads);
    work();
  }
  omp_set_num_threads(before);
}

double norm(const std::vector<double>& x) { return summation::norm<double>(x); }

template <class T> class Dots : public testing::Test {};
using Types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Dots, Types);

TYPED_TEST(Dots, MatchTheReferenceAtEveryLengthWithAnyNumberOfThreads) {
  for (const std::int64_t n : lengths) {
    const auto x = full_numbers<TypeParam>(n, 3);
    const auto y = full_numbers<TypeParam>(n, 4);
    std::vector<TypeParam> products;
    std::vector<TypeParam> conjugated;
    for (std::size_t i = 0; i < x.size(); ++i) {
      products.push_back(reference_multiply(x[i], y[i]));
      if constexpr (is_complex<TypeParam>)
        conjugated.push_back(reference_multiply(std::conj(x[i]), y[i]));
      else
        conjugated.push_back(products.back());
    }
    const auto expected = reference_sum<TypeParam>(products, 0, 4096);
    const auto expected_conjugated = reference_sum<TypeParam>(conjugated, 0, 4096);
    with_threads([&] {
      EXPECT_EQ((summation::dot<TypeParam, TypeParam>(x, y)), expected) << n;
      EXPECT_EQ((summation::dotc<TypeParam, TypeParam>(x, y)), expected_conjugated) << n;
    });
  }
}

TYPED_TEST(Dots, TellBlocksOf4096FromOthers) {
  const std::vector<summation::order> others{summation::canonical, summation::serial, summation::chunked(32, 2048),
                                             summation::chunked(16, 4096), summation::chunked(32, 4096, true)};
  std::vector<int> differing(others.size(), 0);
  for (std::uint64_t salt = 1; salt <= 20; ++salt) {
    const auto x = full_numbers<TypeParam>(50000, 2 * salt);
    const auto y = full_numbers<TypeParam>(50000, 2 * salt + 1);
    const auto in = [&](const summation::order& o) {
      return summation::sum_products<TypeParam, TypeParam>(
          50000, [&](std::int64_t i) { return x[static_cast<std::size_t>(i)]; },
          [&](std::int64_t i) { return y[static_cast<std::size_t>(i)]; }, o);
    };
    const auto right = summation::dot<TypeParam, TypeParam>(x, y);
    ASSERT_EQ(right, in(summation::blocked));
    for (std::size_t k = 0; k < others.size(); ++k) differing[k] += right != in(others[k]);
  }
  for (const int count : differing) EXPECT_GT(count, 5);
}

TYPED_TEST(Dots, HaveNormsThatMatchTheReference) {
  using real = real_of<TypeParam>;
  for (const std::int64_t n : lengths) {
    const auto x = full_numbers<TypeParam>(n, 5);
    std::vector<real> squares;
    for (const TypeParam z : x) {
      if constexpr (is_complex<TypeParam>)
        squares.push_back(wide_add(wide_multiply(z.real(), z.real()), wide_multiply(z.imag(), z.imag())));
      else
        squares.push_back(wide_multiply(z, z));
    }
    const real expected = std::sqrt(reference_sum<real>(squares, 0, 4096));
    with_threads([&] { EXPECT_EQ(summation::norm<TypeParam>(x), expected) << n; });
  }
}

TEST(MixedDots, ConvertToTheWiderTypeFirst) {
  const std::vector<float> x{1.0f / 3.0f, 2};
  const std::vector<std::complex<double>> y{{0.1, 0.2}, {3, 4}};
  const double third = x[0];
  EXPECT_EQ((summation::dot<float, std::complex<double>>(x, y)),
            std::complex<double>(third * 0.1 + 6, third * 0.2 + 8));
  EXPECT_THROW((void)(summation::dot<float, std::complex<double>>(std::span(x).first(1), y)), error);
}

TEST(Norms, OfPythagoreanVectorsAreExactAtEveryScale) {
  for (int e = -1070; e <= 1018; ++e)
    EXPECT_EQ(norm({std::ldexp(2, e), std::ldexp(-3, e), std::ldexp(6, e)}), std::ldexp(7, e)) << e;
}

TEST(Norms, OverflowOnlyWhenTheyAreTooLargeThemselves) {
  EXPECT_EQ(norm({most}), most);
  EXPECT_EQ(norm({most / 2, most / 2}), std::sqrt(2.0) * (most / 2));
  EXPECT_EQ(norm({most, most}), inf);
  EXPECT_EQ(norm(std::vector<double>(10000, 0x1p1000)), 100 * 0x1p1000);
  EXPECT_EQ(summation::norm<float>(std::vector<float>(10000, 0x1p120f)), 100 * 0x1p120f);
}

TEST(Norms, DoNotVanishWhileAnElementDoesNot) {
  EXPECT_EQ(norm({least}), least);
  EXPECT_EQ(norm(std::vector<double>(10000, least)), 100 * least);
  EXPECT_EQ(norm({0x1p-600, 0, 0x1p-1000}), 0x1p-600);
  EXPECT_EQ(norm({0.0, -0.0}), 0.0);
  EXPECT_FALSE(std::signbit(norm({-0.0})));
}

TEST(Norms, ScaleWithPowersOfTwoToTheLastBitAcrossBothEndsOfTheRescue) {
  const auto x = full_numbers<double>(500, 6);
  const double plain = norm(x);
  std::vector<double> scaled(x.size());
  for (int e = -960; e <= 1000; ++e) {
    for (std::size_t i = 0; i < x.size(); ++i) scaled[i] = std::ldexp(x[i], e);
    ASSERT_EQ(norm(scaled), std::ldexp(plain, e)) << e;
  }
}

TEST(Norms, OfInfinityAndNaN) {
  EXPECT_EQ(norm({1, -inf}), inf);
  EXPECT_TRUE(std::isnan(norm({inf, nan})));
  EXPECT_TRUE(std::isnan(norm({least, nan})));
  EXPECT_TRUE(std::isnan(norm({most, nan})));
}

TEST(Norms, OfOneComplexNumberAreItsMagnitude) {
  for (std::uint64_t k = 0; k < 1000; ++k) {
    const auto z = full_number<std::complex<double>>(k) * std::ldexp(1.0, static_cast<int>(mix(k) % 2000) - 1000);
    EXPECT_EQ((summation::norm<std::complex<double>>(std::span(&z, 1))), summation::magnitude(z));
  }
}

}  // namespace
}  // namespace lacis::test

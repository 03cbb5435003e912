// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Operations on vectors: the bits of the definition for every type, length, instruction set and number of threads.
#include "summation/vector.hpp"

#include <array>
#include <cfenv>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

#include <lacis/buffer.hpp>
#include <lacis/error.hpp>
#include <lacis/isa.hpp>
#include <lacis/vector.hpp>

#include "summation/hash.hpp"
#include "summation/reference.hpp"

namespace lacis::test {
namespace {

constexpr std::int64_t lengths[] = {0, 1, 31, 32, 33, 4095, 4096, 4097, 3 * 4096 + 17, 40000};

/// check(options) for every instruction set and several numbers of threads.
template <class Check> void for_each_way(Check&& check) {
  for (const isa set : supported_isas())
    for (const int threads : {1, 2, 3, 4, 7}) {
      SCOPED_TRACE(std::string(name_of(set)) + ", " + std::to_string(threads) + " threads");
      check(multiply_options{threads, set});
    }
}

/// Equal bits; NaNs are all one.
template <class T> bool same(T a, T b) {
  if constexpr (is_complex<T>)
    return same(a.real(), b.real()) && same(a.imag(), b.imag());
  else
    return summation::bits_of(a) == summation::bits_of(b);
}

/// The first element that differs, or -1.
template <class T> std::int64_t difference_at(const std::vector<T>& a, const std::vector<T>& b) {
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i)
    if (i >= a.size() || i >= b.size() || !same(a[i], b[i])) return static_cast<std::int64_t>(i);
  return -1;
}

template <class Work> void expect_invalid(Work&& work) {
  try {
    work();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const error& fault) {
    EXPECT_EQ(fault.code(), errc::invalid_argument) << fault.what();
  }
}

/// Full numbers with zeros of both signs, subnormals, the largest numbers, infinities and NaN strewn in.
template <class T> std::vector<T> odd_numbers(std::int64_t count, std::uint64_t salt) {
  using limits = std::numeric_limits<real_of<T>>;
  const real_of<T> odd[] = {0,
                            -real_of<T>(0),
                            limits::denorm_min(),
                            -limits::min(),
                            limits::max(),
                            limits::infinity(),
                            -limits::infinity(),
                            limits::quiet_NaN()};
  auto x = full_numbers<T>(count, salt);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::uint64_t h = mix(salt + 31 * i);
    if (h % 3 != 0) continue;
    if constexpr (is_complex<T>)
      x[i] = {odd[h / 3 % 8], h / 24 % 2 == 0 ? x[i].imag() : odd[h / 48 % 8]};
    else
      x[i] = odd[h / 3 % 8];
  }
  return x;
}

template <class T> std::vector<T> factors() {
  using limits = std::numeric_limits<real_of<T>>;
  std::vector<T> all{T(0), -T(0), T(1), T(-1), full_number<T>(5), T(limits::infinity()), T(limits::quiet_NaN())};
  if constexpr (is_complex<T>) all.insert(all.end(), {T(0, 1), T(1, 1)});
  return all;
}

template <class T> class Vectors : public testing::Test {};
using Types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Vectors, Types);

TYPED_TEST(Vectors, HaveTheDotProductsOfTheDefinition) {
  for (const std::int64_t n : lengths)
    for (const std::uint64_t salt : {1u, 3u, 5u}) {
      const auto x = full_numbers<TypeParam>(n, salt);
      const auto y = full_numbers<TypeParam>(n, salt + 1);
      const auto plain = summation::dot<TypeParam, TypeParam>(x, y);
      const auto conjugated = summation::dotc<TypeParam, TypeParam>(x, y);
      for_each_way([&](const multiply_options& options) {
        EXPECT_TRUE(same(dot(x, y, options), plain)) << n;
        EXPECT_TRUE(same(dotc(x, y, options), conjugated)) << n;
      });
    }
}

TYPED_TEST(Vectors, HaveTheNormOfTheDefinition) {
  for (const std::int64_t n : lengths)
    for (const std::uint64_t salt : {1u, 3u, 5u}) {
      const auto x = full_numbers<TypeParam>(n, salt);
      const auto expected = summation::norm<TypeParam>(x);
      for_each_way([&](const multiply_options& options) { EXPECT_TRUE(same(norm(x, options), expected)) << n; });
    }
}

TYPED_TEST(Vectors, KeepInfinityAndNaNWhereTheyAreInDotProducts) {
  for (std::uint64_t salt = 1; salt < 60; ++salt) {
    const auto x = odd_numbers<TypeParam>(static_cast<std::int64_t>(salt % 7), salt);
    const auto y = odd_numbers<TypeParam>(static_cast<std::int64_t>(salt % 7), 100 + salt);
    const auto plain = summation::dot<TypeParam, TypeParam>(x, y);
    const auto conjugated = summation::dotc<TypeParam, TypeParam>(x, y);
    for_each_way([&](const multiply_options& options) {
      EXPECT_TRUE(same(dot(x, y, options), plain)) << salt;
      EXPECT_TRUE(same(dotc(x, y, options), conjugated)) << salt;
    });
  }
}

TYPED_TEST(Vectors, HaveNormsThatAreRescuedFromBothEndsOfTheRange) {
  using real = real_of<TypeParam>;
  using limits = std::numeric_limits<real>;
  const int ends[] = {limits::min_exponent - limits::digits + 12, limits::min_exponent / 2, 0,
                      limits::max_exponent / 2 + 1, limits::max_exponent - 16};
  for (const std::int64_t n : {1, 33, 4097, 40000})
    for (const int e : ends) {
      auto x = full_numbers<TypeParam>(n, 9);
      for (auto& element : x) {
        if constexpr (is_complex<TypeParam>)
          element = {std::ldexp(element.real(), e), std::ldexp(element.imag(), e)};
        else
          element = std::ldexp(element, e);
      }
      const auto expected = summation::norm<TypeParam>(x);
      EXPECT_TRUE(expected > 0 && expected <= limits::max());
      for_each_way([&](const multiply_options& options) { EXPECT_TRUE(same(norm(x, options), expected)) << n; });
    }
}

TYPED_TEST(Vectors, HaveNormsDecidedByOneElementWhereverItIs) {
  using real = real_of<TypeParam>;
  using limits = std::numeric_limits<real>;
  const std::int64_t n = 2 * 4096 + 37;
  for (const real odd : {limits::max(), limits::denorm_min(), limits::infinity(), limits::quiet_NaN()})
    for (const std::int64_t at : {std::int64_t{0}, std::int64_t{17}, std::int64_t{4096}, n - 6, n - 1}) {
      std::vector<TypeParam> x(static_cast<std::size_t>(n));
      if constexpr (is_complex<TypeParam>)
        x[static_cast<std::size_t>(at)] = {0, odd};
      else
        x[static_cast<std::size_t>(at)] = -odd;
      for_each_way([&](const multiply_options& options) { EXPECT_TRUE(same(norm(x, options), odd)) << odd << at; });
    }
  const std::vector<TypeParam> both{TypeParam(limits::infinity()), TypeParam(limits::quiet_NaN())};
  for_each_way([&](const multiply_options& options) { EXPECT_TRUE(norm(both, options) != norm(both, options)); });
}

TYPED_TEST(Vectors, AreUpdatedAsTheDefinitionSays) {
  for (const std::int64_t n : lengths) {
    const auto x = odd_numbers<TypeParam>(n, 7);
    const auto y = odd_numbers<TypeParam>(n, 8);
    for (const auto alpha : factors<TypeParam>())
      for (const auto beta : factors<TypeParam>()) {
        if (n > 33 && (alpha != full_number<TypeParam>(5) || beta == alpha)) continue;
        auto expected = y;
        summation::axpby<TypeParam, TypeParam>(alpha, x, beta, expected);
        for_each_way([&](const multiply_options& options) {
          auto result = y;
          axpby(alpha, x, beta, result, options);
          EXPECT_EQ(difference_at(result, expected), -1) << n << ' ' << alpha << ' ' << beta;
        });
      }
  }
}

TYPED_TEST(Vectors, AreAddedAndScaledAsTheDefinitionSays) {
  for (const std::int64_t n : {0, 1, 33, 4097, 40000}) {
    const auto x = odd_numbers<TypeParam>(n, 7);
    const auto y = odd_numbers<TypeParam>(n, 8);
    for (const auto alpha : factors<TypeParam>()) {
      auto sum = y;
      summation::axpy<TypeParam, TypeParam>(alpha, x, sum);
      auto scaled = x;
      summation::scale_vector<TypeParam, TypeParam>(alpha, scaled);
      for_each_way([&](const multiply_options& options) {
        auto result = y;
        axpy(alpha, x, result, options);
        EXPECT_EQ(difference_at(result, sum), -1) << n << ' ' << alpha;
        result = x;
        scale(alpha, result, options);
        EXPECT_EQ(difference_at(result, scaled), -1) << n << ' ' << alpha;
      });
    }
  }
}

TYPED_TEST(Vectors, ThatAreNotReadDoNotMatter) {
  const TypeParam nan(std::numeric_limits<real_of<TypeParam>>::quiet_NaN());
  for (const std::int64_t n : {1, 31, 4097}) {
    const auto size = static_cast<std::size_t>(n);
    const auto good = full_numbers<TypeParam>(n, 2);
    const std::vector<TypeParam> bad(size, nan);
    for_each_way([&](const multiply_options& options) {
      auto y = bad;
      axpby(1, good, 0, y, options);
      EXPECT_EQ(difference_at(y, good), -1) << "beta = 0 read y";
      y = good;
      axpy(0, bad, y, options);
      EXPECT_EQ(difference_at(y, good), -1) << "alpha = 0 read x";
      axpby(0, bad, 1, y, options);
      EXPECT_EQ(difference_at(y, good), -1) << "alpha = 0 read x";
      y = bad;
      axpby(0, bad, 0, y, options);
      EXPECT_EQ(difference_at(y, std::vector<TypeParam>(size)), -1) << "0 is not +0";
      y = bad;
      scale(0, y, options);
      EXPECT_EQ(difference_at(y, std::vector<TypeParam>(size)), -1) << "alpha = 0 read x";
    });
  }
}

TYPED_TEST(Vectors, WriteNothingBesideTheirElements) {
  for (const std::int64_t n : {0, 1, 5, 31, 33, 4097}) {
    const auto x = full_numbers<TypeParam>(n + 2, 3);
    const auto before = full_numbers<TypeParam>(n + 2, 4);
    for_each_way([&](const multiply_options& options) {
      auto y = before;
      const auto inner = std::span(y).subspan(1, static_cast<std::size_t>(n));
      axpby(2, std::span(x).subspan(1, static_cast<std::size_t>(n)), 3, inner, options);
      EXPECT_TRUE(same(y.front(), before.front()) && same(y.back(), before.back()));
      scale(2, inner, options);
      EXPECT_TRUE(same(y.front(), before.front()) && same(y.back(), before.back()));
    });
  }
}

TYPED_TEST(Vectors, MayBeTheSameInEveryOperation) {
  for (const std::int64_t n : {1, 31, 4097, 40000}) {
    const auto x = full_numbers<TypeParam>(n, 6);
    const TypeParam alpha = full_number<TypeParam>(1);
    const TypeParam beta = full_number<TypeParam>(2);
    auto expected = x;
    summation::axpby<TypeParam, TypeParam>(alpha, x, beta, expected);
    for_each_way([&](const multiply_options& options) {
      EXPECT_TRUE(same(dot(x, x, options), (summation::dot<TypeParam, TypeParam>(x, x))));
      auto y = x;
      axpby(alpha, y, beta, y, options);
      EXPECT_EQ(difference_at(y, expected), -1);
    });
  }
}

TYPED_TEST(Vectors, MustNotOverlapInPartWhenOneIsWritten) {
  auto x = full_numbers<TypeParam>(40, 6);
  const auto before = x;
  const std::span<TypeParam> all(x);
  expect_invalid([&] { axpy(TypeParam(2), all.first(39), all.last(39)); });
  expect_invalid([&] { axpy(TypeParam(2), all.last(39), all.first(39)); });
  expect_invalid([&] { axpby(TypeParam(0), all.first(21), TypeParam(2), all.last(21)); });
  EXPECT_EQ(difference_at(x, before), -1);
  axpy(TypeParam(2), all.first(20), all.last(20));
  axpy(TypeParam(2), all.first(0), all.subspan(10, 0));
  EXPECT_TRUE(
      same(dot(all.first(39), all.last(39)), (summation::dot<TypeParam, TypeParam>(all.first(39), all.last(39)))));
}

TYPED_TEST(Vectors, OfDifferentLengthsDoNotGoTogether) {
  const std::vector<TypeParam> x(4);
  std::vector<TypeParam> y(5);
  expect_invalid([&] { (void)dot(x, y); });
  expect_invalid([&] { (void)dotc(y, x); });
  expect_invalid([&] { axpy(TypeParam(1), x, y); });
  expect_invalid([&] { axpby(TypeParam(0), x, TypeParam(1), y); });
  expect_invalid([&] { (void)norm(x, {.threads = -1}); });
}

TYPED_TEST(Vectors, MeetVectorsOfEveryOtherType) {
  const auto meets = [&]<class Other>(Other) {
    for (const std::int64_t n : {0, 1, 33, 4097, 40000}) {
      const auto x = full_numbers<TypeParam>(n, 1);
      const auto y = full_numbers<Other>(n, 2);
      const auto plain = summation::dot<TypeParam, Other>(x, y);
      const auto conjugated = summation::dotc<TypeParam, Other>(x, y);
      for_each_way([&](const multiply_options& options) {
        EXPECT_TRUE(same(dot(x, y, options), plain)) << n;
        EXPECT_TRUE(same(dotc(x, y, options), conjugated)) << n;
      });
    }
  };
  meets(float());
  meets(double());
  meets(std::complex<float>());
  meets(std::complex<double>());
}

TYPED_TEST(Vectors, AreSpansArraysBuffersAndStandardVectors) {
  const std::array<TypeParam, 3> x{TypeParam(1), TypeParam(2), TypeParam(3)};
  buffer<TypeParam> y(3, TypeParam(2));
  axpy(2, x, y);
  axpy(1, y, std::span<TypeParam>(y));
  EXPECT_EQ(dot(y, std::vector<TypeParam>{TypeParam(1), TypeParam(1), TypeParam(1)}), TypeParam(36));
  EXPECT_EQ(norm(std::span<const TypeParam>(x).first(1)), 1);
}

TEST(VectorOperations, DoNotDependOnTheRoundingModeOfTheCaller) {
  const auto x = full_numbers<double>(40000, 1);
  const auto y = full_numbers<double>(40000, 2);
  const double plain = dot(x, y);
  const double root = norm(x);
  auto expected = y;
  axpy(0.3, x, expected);
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(mode);
    for_each_way([&](const multiply_options& options) {
      auto result = y;
      axpy(0.3, x, result, options);
      EXPECT_EQ(dot(x, y, options), plain);
      EXPECT_EQ(norm(x, options), root);
      EXPECT_EQ(result, expected);
    });
    EXPECT_EQ(std::fegetround(), mode);
    std::fesetround(FE_TONEAREST);
  }
}

}  // namespace
}  // namespace lacis::test

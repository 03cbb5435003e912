// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The reference product: exact on integers, canonical bits on reals, and every rule about what is read.
#include "summation/spmv.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include "summation/hash.hpp"
#include "summation/reference.hpp"

namespace lacis::test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <value T> std::vector<T> integers(std::int64_t count) {
  std::vector<T> all;
  for (std::int64_t k = 0; k < count; ++k)
    all.push_back(entry_value<T>(static_cast<std::uint64_t>(77 + 5 * k), entries::integers));
  return all;
}

/// a b + c with integers.
struct gaussian {
  std::int64_t re = 0;
  std::int64_t im = 0;
  template <class T> static gaussian from(T z) {
    return {static_cast<std::int64_t>(std::real(z)), static_cast<std::int64_t>(std::imag(z))};
  }
  void add_product(gaussian a, gaussian b) {
    re += a.re * b.re - a.im * b.im;
    im += a.re * b.im + a.im * b.re;
  }
};

template <value A, index Index, value X> void check_integers() {
  using T = product_of<A, X>;
  for (const auto& [name, matrix] : test_matrices<A, Index>(entries::integers)) {
    if (name == "zeros, subnormals, Inf and NaN") continue;
    const auto a = matrix.view();
    const auto x = integers<X>(a.cols);
    auto y = integers<T>(a.rows);
    const auto old = y;
    summation::spmv<A, Index, X>(T(3), a, x, T(-2), y);
    for (std::int64_t i = 0; i < a.rows; ++i) {
      gaussian sum;
      for (std::int64_t k = matrix.row_offsets[i]; k < matrix.row_offsets[i + 1]; ++k)
        sum.add_product(gaussian::from(matrix.values[k]),
                        gaussian::from(x[static_cast<std::size_t>(matrix.columns[k])]));
      gaussian expected;
      expected.add_product({3, 0}, sum);
      expected.add_product({-2, 0}, gaussian::from(old[static_cast<std::size_t>(i)]));
      const T got = y[static_cast<std::size_t>(i)];
      ASSERT_EQ(static_cast<double>(std::real(got)), static_cast<double>(expected.re)) << name << " row " << i;
      ASSERT_EQ(static_cast<double>(std::imag(got)), static_cast<double>(expected.im)) << name << " row " << i;
    }
  }
}

TEST(SpmvReference, IsExactOnIntegersForEveryPairOfTypes) {
  const auto each_vector = []<class A>(A) {
    check_integers<A, std::int32_t, float>();
    check_integers<A, std::int32_t, double>();
    check_integers<A, std::int32_t, std::complex<float>>();
    check_integers<A, std::int32_t, std::complex<double>>();
    check_integers<A, std::int64_t, double>();
  };
  each_vector(float{});
  each_vector(double{});
  each_vector(std::complex<float>{});
  each_vector(std::complex<double>{});
}

TEST(SpmvReference, HasCanonicalBitsOnTheWholeBatteryNaNIncluded) {
  for (const auto& [name, matrix] : test_matrices<double>(entries::reals)) {
    const auto a = matrix.view();
    const auto x = full_numbers<double>(a.cols);
    std::vector<double> y(static_cast<std::size_t>(a.rows), nan);
    summation::spmv<double, std::int32_t, double>(1, a, x, 0, y);
    std::vector<double> expected;
    for (std::int64_t i = 0; i < a.rows; ++i)
      expected.push_back(reference_sum<double>(products_of_row<double, std::int32_t, double>(a, i, x)));
    EXPECT_EQ(summation::solution_hash<double>(y), summation::solution_hash<double>(expected)) << name;
  }
}

TEST(SpmvReference, IsTheSameForAnyNumberOfThreads) {
  const auto a = from_rows<double, std::int32_t>(3000, 3000, entries::reals, [](std::int64_t i) {
    return i == 1500 ? consecutive(0, 3000) : random_columns(i, i % 70, 3000, 21);
  });
  const auto x = full_numbers<double>(3000);
  std::vector<std::uint64_t> hashes;
  const int before = omp_get_max_threads();
  for (const int threads : {1, 2, 3, 7}) {
    omp_set_num_threads(threads);
    auto y = full_numbers<double>(3000, 9);
    summation::spmv<double, std::int32_t, double>(1.25, a.view(), x, 0.3, y);
    hashes.push_back(summation::solution_hash<double>(y));
  }
  omp_set_num_threads(before);
  for (const auto hash : hashes) EXPECT_EQ(hash, hashes[0]);
}

TEST(SpmvReference, GivesPlusZeroForEmptyRowsAndMatrices) {
  csr_matrix<double> nothing;
  nothing.rows = 3;
  nothing.row_offsets = buffer<std::int64_t>(4, 0);
  std::vector<double> y{nan, nan, nan};
  summation::spmv<double, std::int32_t, double>(1, nothing.view(), {}, 0, y);
  for (const double element : y) EXPECT_TRUE(element == 0 && !std::signbit(element));
  const csr_matrix<double> empty;
  EXPECT_NO_THROW((summation::spmv<double, std::int32_t, double>(1, empty.view(), {}, 0, {})));
}

TEST(SpmvReference, NeverLetsAnUnusedElementOfXIn) {
  const auto a = from_rows<double, std::int32_t>(4, 8, entries::integers, [](auto i) { return std::vector{2 * i}; });
  std::vector<double> x(8, nan);
  for (std::size_t j = 0; j < 8; j += 2) x[j] = 1;
  std::vector<double> y(4, nan);
  summation::spmv<double, std::int32_t, double>(1, a.view(), x, 0, y);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(y[i], a.values[static_cast<std::int64_t>(i)]);
}

TEST(SpmvReference, ReadsNeitherMatrixNorVectorWhenAlphaIsZero) {
  // Columns out of range and out of order: reading them would show.
  const auto a = from_rows<double, std::int32_t>(2, 2, entries::integers,
                                                 [](auto) { return std::vector<std::int64_t>{1 << 30, 5}; });
  const std::vector<double> x(2, nan);
  std::vector<double> y{-0.0, 4};
  summation::spmv<double, std::int32_t, double>(0, a.view(), x, 0.5, y);
  EXPECT_TRUE(std::signbit(y[0]) && y[1] == 2);
  y = {nan, nan};
  summation::spmv<double, std::int32_t, double>(0, a.view(), x, 0, y);
  EXPECT_EQ(y, (std::vector<double>{0, 0}));
}

TEST(SpmvReference, RefusesRowsThatAreNotCanonicalAndNamesTheFirst) {
  const auto columns = [](std::int64_t i) {
    return i == 3   ? std::vector<std::int64_t>{1, 0}
           : i == 4 ? std::vector<std::int64_t>{2, 2}
                    : std::vector<std::int64_t>{0, 3};
  };
  const auto a = from_rows<double, std::int32_t>(6, 4, entries::integers, columns);
  const std::vector<double> x(4, 1);
  std::vector<double> y(6, 7);
  try {
    summation::spmv<double, std::int32_t, double>(1, a.view(), x, 0, y);
    FAIL() << "accepted unsorted rows";
  } catch (const error& e) {
    EXPECT_EQ(e.code(), errc::invalid_matrix);
    EXPECT_NE(std::string(e.what()).find("row 3 "), std::string::npos) << e.what();
  }
  EXPECT_EQ(y, std::vector<double>(6, 7));
}

TEST(SpmvReference, RefusesWrongSizesAndOverlappingVectors) {
  const auto a = from_rows<double, std::int32_t>(3, 3, entries::integers, [](auto i) { return std::vector{i}; });
  std::vector<double> both(6, 1);
  const auto x = std::span<const double>(both).first(3);
  const auto run = [&](std::span<const double> in, std::span<double> out) {
    summation::spmv<double, std::int32_t, double>(1, a.view(), in, 0, out);
  };
  EXPECT_THROW(run(x.first(2), std::span(both).last(3)), error);
  EXPECT_THROW(run(x, std::span(both).last(2)), error);
  EXPECT_THROW(run(x, std::span(both).subspan(2, 3)), error);
  EXPECT_NO_THROW(run(x, std::span(both).last(3)));
}

TEST(SpmmReference, IsAnSpmvForEachColumnAndLeavesTheGapsAlone) {
  const auto a =
      from_rows<double, std::int32_t>(50, 60, entries::reals, [](auto i) { return random_columns(i, i, 60, 22); });
  const auto x = full_numbers<double>(3 * 64, 5);
  auto y = full_numbers<double>(3 * 53, 6);
  const auto old = y;
  summation::spmm<double, std::int32_t, double>(1.5, a.view(), {x.data(), 60, 3, 64}, 0.7, {y.data(), 50, 3, 53});
  for (std::size_t j = 0; j < 3; ++j) {
    std::vector<double> column(old.begin() + static_cast<std::ptrdiff_t>(53 * j),
                               old.begin() + static_cast<std::ptrdiff_t>(53 * j + 50));
    summation::spmv<double, std::int32_t, double>(1.5, a.view(), std::span(x).subspan(64 * j, 60), 0.7, column);
    for (std::size_t i = 0; i < 53; ++i) EXPECT_EQ(y[53 * j + i], i < 50 ? column[i] : old[53 * j + i]);
  }
  EXPECT_THROW(
      (summation::spmm<double, std::int32_t, double>(1, a.view(), {x.data(), 60, 2, 64}, 0, {y.data(), 50, 3, 53})),
      error);
  EXPECT_THROW((summation::spmm<double, std::int32_t, double>(1, a.view(), {y.data(), 60, 2, 64}, 0,
                                                              {y.data() + 64, 50, 1, 50})),
               error);
}

}  // namespace
}  // namespace lacis::test

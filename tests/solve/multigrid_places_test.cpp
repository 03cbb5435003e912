// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// New values of R A P by places that are known, against the product itself.
#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <omp.h>

#include "solve/multigrid/galerkin.hpp"
#include "solve/multigrid/product_places.hpp"
#include "support/matrices.hpp"

namespace lacis::test {
namespace {

template <class S, class Index>
multigrid::product_places<Index> places_of(const csr_matrix<S, Index>& r, const csr_matrix<S, Index>& a,
                                           const csr_matrix<S, Index>& p, const csr_matrix<S, Index>& coarse) {
  const auto pattern = [](const csr_matrix<S, Index>& m) { return multigrid::row_pattern<Index>(m.view()); };
  return multigrid::product_places<Index>(pattern(r), pattern(a), pattern(p), pattern(coarse));
}

/// Rows of different lengths, some of them empty, with columns in no pattern around the diagonal.
template <class S, class Index>
csr_matrix<S, Index> uneven(std::int64_t rows, std::int64_t cols, std::int64_t longest, std::uint64_t seed) {
  constexpr std::int64_t width = 24;
  return from_rows<S, Index>(rows, cols, entries::reals, [&](std::int64_t i) {
    const std::int64_t first = std::max<std::int64_t>(0, i * cols / rows - width / 2);
    std::vector<std::int64_t> columns = random_columns(i, i * 5 % (longest + 1), std::min(cols - first, width), seed);
    for (std::int64_t& column : columns) column += first;
    return columns;
  });
}

template <class S, class Index> void expect_the_bits_of_the_product(std::int64_t rows) {
  const std::int64_t cols = rows / 6;
  const auto a = uneven<S, Index>(rows, rows, 11, 3);
  // From the last column of P nothing is interpolated.
  auto p = uneven<S, Index>(rows, cols - 1, 6, 5);
  p.cols = cols;
  const auto r = uneven<S, Index>(cols, rows, 15, 4);
  const auto expected = multigrid::galerkin_product(r.view(), a.view(), p.view());
  auto found = expected;
  const auto places = places_of(r, a, p, expected);
  ASSERT_TRUE(places.fit());
  EXPECT_GT(places.storage_bytes(), a.nnz() + r.nnz());
  for (int round = 0; round < 2; ++round) {
    std::fill(found.values.data.begin(), found.values.data.end(), S(std::numeric_limits<real_of<S>>::quiet_NaN()));
    places.refill(r.view(), a.view(), p.view(), found);
    EXPECT_TRUE(std::ranges::equal(found.values.data, expected.values.data));
  }
}

TEST(MultigridPlaces, GiveTheBitsOfTheProduct) {
  const int before = omp_get_max_threads();
  for (const int threads : {1, 3}) {
    omp_set_num_threads(threads);
    for (const std::int64_t rows : {61, 20000}) {
      SCOPED_TRACE(rows);
      expect_the_bits_of_the_product<float, std::int32_t>(rows);
      expect_the_bits_of_the_product<double, std::int32_t>(rows);
      expect_the_bits_of_the_product<double, std::int64_t>(rows);
      expect_the_bits_of_the_product<std::complex<float>, std::int32_t>(rows);
      expect_the_bits_of_the_product<std::complex<double>, std::int64_t>(rows);
    }
  }
  omp_set_num_threads(before);
}

TEST(MultigridPlaces, KeepTheSignOfZero) {
  // -1 times 0 alone is -0, and so is the sum.
  const auto with = [](std::int64_t rows, double value) {
    auto m = from_rows<double, std::int32_t>(rows, 4, entries::integers, [&](std::int64_t i) {
      return rows == 1 ? consecutive(0, 4) : consecutive(i, i + 1);
    });
    std::fill(m.values.data.begin(), m.values.data.end(), value);
    return m;
  };
  const auto r = with(1, 1);
  const auto a = with(4, -1);
  const auto p = with(4, 0);
  auto coarse = multigrid::galerkin_product(r.view(), a.view(), p.view());
  std::fill(coarse.values.data.begin(), coarse.values.data.end(), 7.0);
  const auto places = places_of(r, a, p, coarse);
  places.refill(r.view(), a.view(), p.view(), coarse);
  for (std::int64_t k = 0; k < coarse.nnz(); ++k) EXPECT_TRUE(std::signbit(coarse.values[k])) << k;
}

TEST(MultigridPlaces, AreBytes) {
  // One row of A P and of the result with that many entries.
  const auto fits = [](std::int64_t entries) {
    const auto a = from_rows<double, std::int32_t>(entries, entries, entries::integers, [&](std::int64_t i) {
      return i == 0 ? consecutive(0, entries) : consecutive(i, i + 1);
    });
    const auto p = from_rows<double, std::int32_t>(entries, entries, entries::integers,
                                                   [](std::int64_t i) { return consecutive(i, i + 1); });
    const auto expected = multigrid::galerkin_product(p.view(), a.view(), p.view());
    const auto places = places_of(p, a, p, expected);
    if (!places.fit()) return false;
    auto found = expected;
    std::fill(found.values.data.begin(), found.values.data.end(), 0.0);
    places.refill(p.view(), a.view(), p.view(), found);
    EXPECT_TRUE(std::ranges::equal(found.values.data, expected.values.data));
    return true;
  };
  EXPECT_TRUE(fits(4));
  EXPECT_TRUE(fits(240));
  EXPECT_FALSE(fits(241));
  EXPECT_FALSE(fits(3)) << "products are taken by fours";
  // A long row of A P that no row of R refers to.
  const auto a = from_rows<double, std::int32_t>(
      2, 250, entries::integers, [](std::int64_t i) { return i == 0 ? consecutive(0, 250) : consecutive(0, 1); });
  const auto p = from_rows<double, std::int32_t>(250, 250, entries::integers,
                                                 [](std::int64_t i) { return consecutive(i, i + 1); });
  const auto r =
      from_rows<double, std::int32_t>(1, 2, entries::integers, [](std::int64_t) { return consecutive(1, 2); });
  EXPECT_FALSE(places_of(r, a, p, multigrid::galerkin_product(r.view(), a.view(), p.view())).fit());
}

}  // namespace
}  // namespace lacis::test

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Masked products: what a mask leaves of the whole product, bit for bit, by every way to find its places.
#include "summation/spgemm_masked.hpp"

#include <gtest/gtest.h>

#include <lacis/spgemm_masked.hpp>
#include <lacis/structure.hpp>

#include "support/compare.hpp"
#include "support/errors.hpp"
#include "support/matrices.hpp"
#include "support/ways.hpp"

namespace lacis::test {
namespace {

/// A mask of about `count` columns in each row.
template <index Index>
csr_matrix<float, Index> scattered_mask(std::int64_t rows, std::int64_t cols, std::int64_t count) {
  return from_rows<float, Index>(rows, cols, entries::integers, [=](std::int64_t i) {
    return random_columns(i, (i * 7 + count) % (2 * count + 1), cols, 31);
  });
}

template <class Matrix, class Mask> void check(const Matrix& a, const Matrix& b, const Mask& mask) {
  const auto whole = summation::spgemm(a.view(), b.view());
  for (const mask_side side : {mask_side::stored, mask_side::complement}) {
    SCOPED_TRACE(side == mask_side::stored ? "stored" : "complement");
    const auto expected = with_plain_nans(summation::select(whole.view(), pattern_of(mask), side));
    for_each_way([&](const multiply_options& how) {
      EXPECT_EQ(difference(with_plain_nans(multiply_masked(a, b, mask, side, how)), expected), "");
    });
  }
}

template <value Value, index Index> void check_test_matrices() {
  for (const auto& [name, a] : quick_test_matrices<Value, Index>(entries::reals)) {
    if (name == "one huge column") continue;
    SCOPED_TRACE(name);
    const auto across = transpose(a);
    check(a, across, scattered_mask<Index>(a.rows, a.rows, 5));
    if (a.rows != a.cols) continue;
    check(a, a, a);
    check(a, a, scattered_mask<Index>(a.rows, a.cols, 20));
  }
}

TEST(MaskedSpgemm, HasTheBitsOfTheWholeProductOnTheBatteryOfFloats) { check_test_matrices<float, std::int64_t>(); }
TEST(MaskedSpgemm, HasTheBitsOfTheWholeProductOnTheBatteryOfDoubles) { check_test_matrices<double, std::int32_t>(); }
TEST(MaskedSpgemm, HasTheBitsOfTheWholeProductOnTheBatteryOfComplexFloats) {
  check_test_matrices<std::complex<float>, std::int32_t>();
}
TEST(MaskedSpgemm, HasTheBitsOfTheWholeProductOnTheBatteryOfComplexDoubles) {
  check_test_matrices<std::complex<double>, std::int64_t>();
}

csr_matrix<double> scattered(std::int64_t rows, std::int64_t cols, std::int64_t count, std::uint64_t salt) {
  return from_rows<double, std::int32_t>(rows, cols, entries::reals,
                                         [=](auto i) { return random_columns(i, count, cols, salt); });
}

TEST(MaskedSpgemm, PutsManyPiecesInOrder) {
  const auto a = scattered(3000, 3000, 11, 1);
  check(a, a, scattered_mask<std::int32_t>(3000, 3000, 40));
  check(a, a, multiply_masked(a, a, scattered_mask<std::int32_t>(3000, 3000, 40), mask_side::complement));
}

TEST(MaskedSpgemm, SearchesRowsThatAreMuchLongerThanTheMask) {
  const auto a = scattered(40, 30, 6, 2);
  const auto b = scattered(30, 5000, 900, 3);
  check(a, b, scattered_mask<std::int32_t>(40, 5000, 3));
  const auto ends = from_rows<float, std::int32_t>(40, 5000, entries::integers,
                                                   [](auto) { return std::vector<std::int64_t>{0, 4999}; });
  check(a, b, ends);
}

TEST(MaskedSpgemm, TakesATableWhereColumnsAreFarApart) {
  constexpr std::int64_t wide = 40'000'000;
  const auto a = scattered(50, 60, 9, 4);
  const auto b = scattered(60, wide, 12, 5);
  const auto some = multiply_masked(a, b, scattered_mask<std::int32_t>(50, wide, 3), mask_side::complement);
  auto half = some;  // every second entry of the product, and places that it does not have
  for (std::int64_t k = 0; k < half.nnz(); k += 2)
    if (k + 1 == half.nnz() || half.columns[k] + 1 < half.columns[k + 1]) ++half.columns[k];
  check(a, b, canonical(half, duplicates::keep_first));
}

TEST(MaskedSpgemm, LeavesNothingOfAnEmptyMaskAndEverythingOfItsComplement) {
  const auto a = scattered(80, 80, 7, 6);
  const csr_matrix<float> none{
      .rows = 80, .cols = 80, .row_offsets = buffer<std::int64_t>(81, 0), .columns = {}, .values = {}};
  EXPECT_EQ(multiply_masked(a, a, none).nnz(), 0);
  EXPECT_EQ(difference(multiply_masked(a, a, none, mask_side::complement), summation::spgemm(a.view(), a.view())), "");
}

TEST(MaskedSpgemm, RefusesSizesThatDoNotFitRowsOutOfOrderAndNegativeThreads) {
  const auto a = scattered(8, 6, 3, 7);
  const auto b = scattered(6, 9, 3, 8);
  const auto mask = scattered_mask<std::int32_t>(8, 9, 2);
  EXPECT_EQ(code_of([&] { (void)multiply_masked(a, a, mask); }), errc::invalid_argument);
  EXPECT_EQ(code_of([&] { (void)multiply_masked(a, b, b); }), errc::invalid_argument);
  EXPECT_EQ(code_of([&] { (void)multiply_masked(a, b, mask, mask_side::stored, {.threads = -1}); }),
            errc::invalid_argument);
  const auto twisted = [](auto m) {
    std::swap(m.columns[0], m.columns[1]);
    return m;
  };
  EXPECT_EQ(code_of([&] { (void)multiply_masked(twisted(a), b, mask); }), errc::invalid_matrix);
  EXPECT_EQ(code_of([&] { (void)multiply_masked(a, twisted(b), mask); }), errc::invalid_matrix);
  EXPECT_EQ(code_of([&] { (void)multiply_masked(a, b, twisted(mask)); }), errc::invalid_matrix);
}

}  // namespace
}  // namespace lacis::test

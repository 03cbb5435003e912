// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Small matrices made in one line, single entries, and comparisons.
#include <complex>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include <lacis/convert.hpp>
#include <lacis/error.hpp>
#include <lacis/structure.hpp>
#include <lacis/wide_offsets.hpp>

namespace lacis::test {
namespace {

template <class Function> errc code_of(Function&& function) {
  try {
    function();
  } catch (const error& problem) {
    return problem.code();
  }
  ADD_FAILURE() << "nothing was thrown";
  return errc::io;
}

TEST(Constructors, IdentityHasOnesOnItsDiagonal) {
  EXPECT_EQ(identity<double>(3), (csr_matrix{3, 3, std::vector<std::int64_t>{0, 1, 2, 3}, std::vector{0, 1, 2},
                                             std::vector{1.0, 1.0, 1.0}}));
  EXPECT_EQ((identity<std::complex<float>, std::int64_t>(2).values[1]), 1.0F);
  EXPECT_EQ(identity<float>(0).nnz(), 0);
  EXPECT_EQ(code_of([] { static_cast<void>(identity<float>(-1)); }), errc::invalid_argument);
  EXPECT_EQ(code_of([] { static_cast<void>(identity<float>(std::int64_t{1} << 31)); }), errc::overflow);
}

TEST(Constructors, FromDiagonalStoresEveryValueAndDiagonalGivesThemBack) {
  const std::vector<double> values = {2, 0, -3};
  const auto a = from_diagonal(values);
  EXPECT_EQ(a.nnz(), 3);
  EXPECT_EQ(diagonal(a), buffer<double>(std::span<const double>(values)));
  EXPECT_TRUE(is_canonical(from_diagonal<std::int64_t>(values)));
}

TEST(Constructors, FromTripletsTakesAnyOrderAndSumsEntriesOfOnePlace) {
  const auto a = from_triplets<double>(2, 3, {{1, 2, 4}, {0, 1, 1.5}, {1, 0, 1}, {1, 2, -1}});
  const std::vector<triplet<double>> sorted = {{0, 1, 1.5}, {1, 0, 1}, {1, 2, 3}};
  EXPECT_EQ(a, from_triplets<double>(2, 3, sorted));
  EXPECT_EQ(from_triplets<float>(2, 2, {}).row_offsets[2], 0);
  EXPECT_EQ(code_of([] { static_cast<void>(from_triplets<float>(2, 2, {{2, 0, 1}})); }), errc::invalid_argument);
}

TEST(Coefficients, AreThoseStoredAndZeroElsewhere) {
  const auto a = from_triplets<double, std::int64_t>(3, 4, {{0, 0, 1}, {0, 2, 2}, {0, 3, 3}, {2, 1, 4}});
  for (std::int64_t i = 0; i < a.rows; ++i) {
    std::vector<double> row(4);
    for (const auto [column, value] : a.row(i)) row[static_cast<std::size_t>(column)] = value;
    for (std::int64_t j = 0; j < a.cols; ++j) EXPECT_EQ(at(a, i, j), row[static_cast<std::size_t>(j)]) << i << ' ' << j;
  }
  for (const auto& [i, j] : {std::pair{-1, 0}, {3, 0}, {0, -1}, {0, 4}})
    EXPECT_EQ(code_of([&] { static_cast<void>(at(a, i, j)); }), errc::invalid_argument);
}

TEST(Coefficients, OfNarrowOffsetsAndOfOneValueForAllEntries) {
  const std::vector<std::int32_t> offsets = {0, 1, 2}, columns = {1, 0};
  const std::vector<double> values = {5, 6};
  const csr_view narrow(2, 2, offsets, columns, values);
  EXPECT_EQ(at(narrow, 0, 1), 5);
  EXPECT_EQ(at(narrow, 1, 1), 0);
  csr_matrix<double> pattern = identity<double>(2);
  pattern.values = values_array<double>::same(7);
  EXPECT_EQ(at(pattern, 1, 1), 7);
  EXPECT_EQ(at(pattern, 1, 0), 0);
}

template <template <class, class> class Matrix> void compare_formats(const csr_matrix<double>& a) {
  const auto made = convert<Matrix<double, std::int32_t>>(a);
  auto copy = made;
  EXPECT_EQ(copy, made);
  ++copy.rows;
  EXPECT_NE(copy, made);
}

TEST(Comparison, HoldsForCopiesInEveryFormat) {
  const auto a = from_triplets<double>(4, 4, {{0, 0, 1}, {1, 1, 2}, {1, 3, 5}, {3, 2, 4}});
  compare_formats<coo_matrix>(a);
  compare_formats<csr_matrix>(a);
  compare_formats<csc_matrix>(a);
  compare_formats<ell_matrix>(a);
  compare_formats<hyb_matrix>(a);
  compare_formats<jds_matrix>(a);
  compare_formats<sell_matrix>(a);
  compare_formats<bsr_matrix>(a);
  compare_formats<dia_matrix>(a);
}

TEST(Comparison, LooksAtValuesPlacesAndHowTheyAreStored) {
  const auto a = identity<double>(2);
  auto other = a;
  other.values.data[1] = 2;
  EXPECT_NE(other, a);
  EXPECT_NE(from_triplets<double>(2, 2, {{0, 0, 1}, {1, 0, 1}}), a);
  EXPECT_NE(from_triplets<double>(2, 2, {{0, 0, 1}}), a);
  other.values = values_array<double>::same(1);
  EXPECT_NE(other, a) << "one value for all entries is stored differently";
  const std::vector<double> zero = {0.0}, minus_zero = {-0.0}, nan = {std::numeric_limits<double>::quiet_NaN()};
  EXPECT_EQ(from_diagonal(zero), from_diagonal(minus_zero));
  EXPECT_NE(from_diagonal(nan), from_diagonal(nan));
}

}  // namespace
}  // namespace lacis::test

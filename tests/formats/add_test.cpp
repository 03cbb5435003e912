// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Sums of two matrices: the bits of the definition, whatever the pattern, the factors and the number of threads.
#include "summation/add.hpp"

#include <omp.h>

#include <lacis/structure.hpp>

#include "formats/model.hpp"

namespace lacis::test {
namespace {

template <class Matrix> class Add : public testing::Test {};
TYPED_TEST_SUITE(Add, structure_types);

TYPED_TEST(Add, HasTheBitsOfItsDefinitionOnOneToSevenThreads) {
  using V = typename TypeParam::value_type;
  const V some = full_number<V>(3);
  const V other = full_number<V>(4);
  const std::pair<V, V> factors[] = {{V(1), V(1)}, {V(1), other}, {some, V(1)}, {some, other}, {V(0), V(-1)}};
  for (const bool iso : {false, true})
    for (const auto& [name, a, places] : structure_test_matrices<TypeParam>()) {
      SCOPED_TRACE(name);
      const auto b = partner_of<TypeParam>(places, iso);
      for (const auto& [alpha, beta] : factors) {
        const auto expected = with_plain_nans(summation::add(alpha, a.view(), beta, b.view()));
        for (int threads = 1; threads <= 7; ++threads) {
          omp_set_num_threads(threads);
          EXPECT_EQ(difference(with_plain_nans(add(alpha, a, beta, b)), expected), "") << threads << " threads";
        }
      }
    }
}

TYPED_TEST(Add, WithoutFactorsIsTheSameAsWithOnes) {
  using V = typename TypeParam::value_type;
  for (const auto& [name, a, places] : structure_test_matrices<TypeParam>()) {
    const auto b = partner_of<TypeParam>(places, false);
    EXPECT_EQ(difference(add(a, b), add(V(1), a, V(1), b)), "") << name;
  }
}

csr_matrix<double> row_of(const std::vector<std::int64_t>& columns, const std::vector<double>& values) {
  auto a = from_rows<double, std::int32_t>(1, 9, entries::integers, [&](std::int64_t) { return columns; });
  a.values = values_array<double>(buffer<double>(std::span<const double>(values)));
  return a;
}

TEST(AddEntries, RoundEachProductAndThenTheSum) {
  // 3 (1 + 2^-52) rounds up by 2^-52; a fused step would leave the difference behind.
  const auto sum = add(3.0, row_of({4}, {1 + 0x1p-52}), -1.0, row_of({4}, {3 + 0x1p-50}));
  ASSERT_EQ(sum.nnz(), 1);
  EXPECT_EQ(sum.values[0], 0);
}

TEST(AddEntries, StayWhereTheyCancelAndKeepTheSignOfAZeroThatStandsAlone) {
  const auto sum = add(row_of({1, 2, 5}, {-0.0, 7, -0.0}), row_of({2, 5, 8}, {-7, -0.0, -0.0}));
  EXPECT_EQ(difference(sum, row_of({1, 2, 5, 8}, {-0.0, 0, -0.0, -0.0})), "");
}

TEST(AddErrors, SayWhatDoesNotFit) {
  const auto a = row_of({1}, {1});
  const auto taller = from_rows<double, std::int32_t>(2, 9, entries::integers, [](auto) { return consecutive(0, 2); });
  EXPECT_ERROR(add(a, taller), errc::invalid_argument, "add needs two matrices of one size, not 1 x 9 and 2 x 9");
  const auto repeating = row_of({2, 2}, {1, 1});
  const std::string advice =
      "add needs strictly ascending columns, but row 0 has column 2 after column 2; call canonical() first";
  EXPECT_ERROR(add(a, repeating), errc::invalid_matrix, advice);
  EXPECT_ERROR(add(repeating, a), errc::invalid_matrix, advice);
}

}  // namespace
}  // namespace lacis::test

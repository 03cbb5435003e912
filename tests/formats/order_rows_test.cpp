// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The order of columns in rows: asked for, established, and duplicates resolved.
#include <lacis/structure.hpp>

#include "formats/model.hpp"

namespace lacis::test {
namespace {

template <class Matrix> class OrderRows : public testing::Test {};
TYPED_TEST_SUITE(OrderRows, structure_types);

/// One row of three columns, then `columns` in the last of 20000 rows.
template <class Matrix> Matrix with_last_row(const std::vector<std::int64_t>& columns) {
  return from_rows<typename Matrix::value_type, typename Matrix::index_type>(
      20000, 100, entries::integers,
      [&](std::int64_t i) { return i == 19999 ? columns : std::vector<std::int64_t>{i % 100}; });
}

TYPED_TEST(OrderRows, TellsSortedFromCanonicalFromNeither) {
  const auto canonical_matrix = with_last_row<TypeParam>({3, 50, 99});
  const auto repeating = with_last_row<TypeParam>({3, 50, 50});
  const auto unsorted = with_last_row<TypeParam>({3, 50, 2});
  for_each_thread_count([&] {
    EXPECT_TRUE(is_sorted(canonical_matrix));
    EXPECT_TRUE(is_canonical(canonical_matrix));
    EXPECT_TRUE(is_sorted(repeating));
    EXPECT_FALSE(is_canonical(repeating));
    EXPECT_FALSE(is_sorted(unsorted));
    EXPECT_FALSE(is_canonical(unsorted));
  });
  EXPECT_TRUE(is_canonical(TypeParam{}));
}

TYPED_TEST(OrderRows, CallsTheWholeBatteryCanonicalAndLeavesItAsItIs) {
  for (const auto& [name, a, places] : structure_test_matrices<TypeParam>()) {
    SCOPED_TRACE(name);
    for_each_thread_count([&] {
      EXPECT_TRUE(is_canonical(a));
      EXPECT_EQ(difference(sort_rows(a), a), "");
      EXPECT_EQ(difference(canonical(a, duplicates::reject), a), "");
    });
  }
}

TYPED_TEST(OrderRows, SortsAndKeepsEntriesOfOnePlaceInTheirOrder) {
  const auto a = disordered_and_distinct<TypeParam>(900, 40);
  const auto sorted = matrix_of<TypeParam>(model_of(a));
  ASSERT_FALSE(is_sorted(a));
  for_each_thread_count([&] { EXPECT_EQ(difference(sort_rows(a), sorted), ""); });
}

TYPED_TEST(OrderRows, SortsAnIsoMatrixWithoutTouchingItsValue) {
  const auto a = disordered<TypeParam>(900, 40, true);
  EXPECT_EQ(difference(sort_rows(a), matrix_of<TypeParam>(model_of(a))), "");
}

TYPED_TEST(OrderRows, ResolvesDuplicatesByEachRule) {
  using V = typename TypeParam::value_type;
  const auto a = disordered_and_distinct<TypeParam>(900, 40);
  auto summed = model_of(a);
  auto first = summed;
  auto last = summed;
  for (auto& [place, values] : summed.places) {
    V sum = values[0];
    for (std::size_t k = 1; k < values.size(); ++k) sum += values[k];
    values = {sum};
  }
  for (auto& [place, values] : first.places) values = {values.front()};
  for (auto& [place, values] : last.places) values = {values.back()};
  for_each_thread_count([&] {
    EXPECT_EQ(difference(canonical(a), matrix_of<TypeParam>(summed)), "");
    EXPECT_EQ(difference(canonical(a, duplicates::keep_first), matrix_of<TypeParam>(first)), "");
    EXPECT_EQ(difference(canonical(a, duplicates::keep_last), matrix_of<TypeParam>(last)), "");
    EXPECT_EQ(thrown_by([&] { static_cast<void>(canonical(a, duplicates::reject)); }).first, errc::invalid_matrix);
  });
}

TYPED_TEST(OrderRows, KeepsAnIsoMatrixIsoUnlessDuplicatesAreSummed) {
  using V = typename TypeParam::value_type;
  const auto a = disordered<TypeParam>(900, 40, true);
  auto one_each = model_of(a);
  auto summed = one_each;
  summed.iso.reset();
  for (auto& [place, values] : one_each.places) values.resize(1);
  for (auto& [place, values] : summed.places) {
    V sum = values[0];
    for (std::size_t k = 1; k < values.size(); ++k) sum += values[k];
    values = {sum};
  }
  EXPECT_EQ(difference(canonical(a, duplicates::keep_first), matrix_of<TypeParam>(one_each)), "");
  EXPECT_EQ(difference(canonical(a, duplicates::sum), matrix_of<TypeParam>(summed)), "");
}

TYPED_TEST(OrderRows, LetsOperationsNameTheFirstDisorderWhateverTheThreads) {
  auto a = with_last_row<TypeParam>({3, 50, 2});
  for_each_thread_count([&] {
    EXPECT_ERROR(diagonal(a), errc::invalid_matrix,
                 "diagonal needs strictly ascending columns, but row 19999 has column 2 after column 50; "
                 "call canonical() first");
  });
}

}  // namespace
}  // namespace lacis::test

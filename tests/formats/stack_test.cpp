// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Matrices side by side, and one below the other.
#include <lacis/structure.hpp>

#include "formats/model.hpp"

namespace lacis::test {
namespace {

template <value Value> model<Value> stacked(const std::vector<model<Value>>& parts, bool horizontal) {
  model<Value> all = without_places(parts[0], horizontal ? parts[0].rows : 0, horizontal ? 0 : parts[0].cols);
  for (const auto& part : parts) {
    if (part.iso != all.iso) all.iso.reset();
    for (const auto& [place, values] : part.places)
      all.places[horizontal ? std::pair{place.first, place.second + all.cols}
                            : std::pair{place.first + all.rows, place.second}] = values;
    (horizontal ? all.cols : all.rows) += horizontal ? part.cols : part.rows;
  }
  return all;
}

template <class Matrix> class Stack : public testing::Test {};
TYPED_TEST_SUITE(Stack, structure_types);

TYPED_TEST(Stack, PutsAMatrixBesideAndBelowItself) {
  for (const bool horizontal : {true, false})
    check_on_test_matrices<TypeParam>(
        [&](const TypeParam& a) { return horizontal ? hstack(std::vector{a, a, a}) : vstack(std::vector{a, a, a}); },
        [&](const auto& m) { return stacked(std::vector{m, m, m}, horizontal); });
}

TYPED_TEST(Stack, PutsDifferentPartsTogether) {
  const auto wide = disordered_and_distinct<TypeParam>(500, 40);
  const auto narrow = disordered_and_distinct<TypeParam>(500, 3);
  const auto tall = disordered_and_distinct<TypeParam>(900, 40);
  const std::vector beside{wide, narrow, wide};
  const std::vector below{wide, tall, wide};
  for_each_thread_count([&] {
    const auto side_by_side = hstack(beside);
    EXPECT_EQ(side_by_side.cols, 83);
    EXPECT_EQ(difference(extract(side_by_side, 0, 500, 0, 40), wide), "");
    EXPECT_EQ(difference(extract(side_by_side, 0, 500, 40, 43), narrow), "");
    EXPECT_EQ(difference(extract(side_by_side, 0, 500, 43, 83), wide), "");
    const auto one_below_the_other = vstack(below);
    EXPECT_EQ(one_below_the_other.rows, 1900);
    EXPECT_EQ(difference(extract(one_below_the_other, 0, 500, 0, 40), wide), "");
    EXPECT_EQ(difference(extract(one_below_the_other, 500, 1400, 0, 40), tall), "");
    EXPECT_EQ(difference(extract(one_below_the_other, 1400, 1900, 0, 40), wide), "");
  });
}

TYPED_TEST(Stack, StaysIsoOnlyWhenEveryEntryHasTheSameBits) {
  using V = typename TypeParam::value_type;
  const auto iso = disordered<TypeParam>(300, 8, true);
  auto other = iso;
  other.values = values_array<V>::same(V(0));
  auto negative = iso;
  negative.values = values_array<V>::same(-V(0));
  const TypeParam empty = tril(disordered<TypeParam>(300, 8), -1000);
  ASSERT_FALSE(empty.values.iso);
  for (const bool horizontal : {true, false}) {
    const auto put = [&](const std::vector<TypeParam>& parts) { return horizontal ? hstack(parts) : vstack(parts); };
    EXPECT_TRUE(put({iso, iso}).values.iso);
    EXPECT_TRUE(put({iso, empty, iso}).values.iso);
    EXPECT_FALSE(put({other, negative}).values.iso);
    EXPECT_FALSE(put({empty, empty}).values.iso);
    const auto mixed = put({iso, other});
    EXPECT_FALSE(mixed.values.iso);
    EXPECT_EQ(mixed.values.data.size(), 2 * iso.nnz());
  }
}

TEST(StackErrors, SayWhichPartDoesNotFit) {
  const auto a = from_rows<double, std::int32_t>(5, 4, entries::integers, [](auto) { return consecutive(0, 1); });
  const auto b = from_rows<double, std::int32_t>(6, 3, entries::integers, [](auto) { return consecutive(0, 1); });
  EXPECT_ERROR(hstack(std::vector{a, a, b}), errc::invalid_argument, "hstack: part 2 has 6 rows, part 0 has 5");
  EXPECT_ERROR(vstack(std::vector{a, b}), errc::invalid_argument, "vstack: part 1 has 3 columns, part 0 has 4");
  EXPECT_ERROR(hstack(std::vector<csr_matrix<double>>{}), errc::invalid_argument, "hstack of no matrices has no size");
  EXPECT_ERROR(vstack(std::vector<csr_matrix<double>>{}), errc::invalid_argument, "vstack of no matrices has no size");
  csr_matrix<float> widest;
  widest.cols = std::numeric_limits<std::int32_t>::max();
  EXPECT_ERROR(hstack(std::vector{widest, widest}), errc::overflow,
               "4294967294 columns do not fit 32-bit indices; use 64-bit ones (std::int64_t)");
  csr_matrix<float, std::int64_t> most;
  most.cols = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(thrown_by([&] { static_cast<void>(hstack(std::vector{most, most})); }).first, errc::overflow);
}

}  // namespace
}  // namespace lacis::test

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The builder: the same bits from any threads in any order, and its manners.
#include <atomic>
#include <bit>
#include <omp.h>

#include <lacis/builder.hpp>
#include <lacis/structure.hpp>

#include "formats/model.hpp"

namespace lacis::test {
namespace {

template <value Value> struct entry {
  std::int64_t row;
  std::int64_t col;
  Value value;
};

/// Many entries with all bits in use on few places, so that the order of their sums shows.
template <value Value> std::vector<entry<Value>> crowded_entries(std::int64_t count) {
  std::vector<entry<Value>> all;
  for (std::int64_t k = 0; k < count; ++k) {
    const std::uint64_t h = mix(static_cast<std::uint64_t>(k));
    all.push_back({static_cast<std::int64_t>(h % 300), static_cast<std::int64_t>((h >> 20) % 11),
                   entry_value<Value>(h, entries::reals) / real_of<Value>(h % 5 == 0 ? 0.003 : 3)});
  }
  return all;
}

template <value Value> auto bits_of(Value v) {
  using real = real_of<Value>;
  using bits = std::conditional_t<sizeof(real) == 4, std::uint32_t, std::uint64_t>;
  if constexpr (is_complex<Value>)
    return std::pair(std::bit_cast<bits>(v.real()), std::bit_cast<bits>(v.imag()));
  else
    return std::bit_cast<bits>(v);
}

template <class Matrix> class Builder : public testing::Test {};
TYPED_TEST_SUITE(Builder, structure_types);

TYPED_TEST(Builder, AddsDuplicatesToTheSameBitsFromAnyThreadsInAnyOrder) {
  using V = typename TypeParam::value_type;
  using I = typename TypeParam::index_type;
  const auto all = crowded_entries<V>(40000);
  model<V> expected{300, 11, {}, {}};
  for (const auto& e : all) expected.places[{e.row, e.col}].push_back(e.value);
  for (auto& [place, values] : expected.places) {
    std::sort(values.begin(), values.end(), [](V x, V y) { return bits_of(x) < bits_of(y); });
    V sum = values[0];
    for (std::size_t k = 1; k < values.size(); ++k) sum += values[k];
    values = {sum};
  }
  const auto matrix = matrix_of<TypeParam>(expected);
  for (const int threads : {1, 2, 3, 7}) {
    const auto order = shuffled(static_cast<std::int64_t>(all.size()), static_cast<std::uint64_t>(threads));
    builder<V, I> b(300, 11);
    std::atomic<std::size_t> ticket{0};
#pragma omp parallel num_threads(threads)
    {
      auto put = b.inserter();
      for (std::size_t k = ticket++; k < order.size(); k = ticket++) {
        const auto& e = all[static_cast<std::size_t>(order[k])];
        put(e.row, e.col, e.value);
      }
    }
    EXPECT_EQ(b.size(), 40000);
    omp_set_num_threads(threads);
    EXPECT_EQ(difference(b.build(), matrix), "") << threads;
    EXPECT_EQ(b.size(), 0);
  }
}

TYPED_TEST(Builder, LetsTheLastEntryOfTheLastInserterWin) {
  using V = typename TypeParam::value_type;
  using I = typename TypeParam::index_type;
  const auto all = crowded_entries<V>(40000);
  model<V> expected{300, 11, {}, {}};
  for (const auto& e : all) expected.places[{e.row, e.col}] = {e.value};
  const auto matrix = matrix_of<TypeParam>(expected);
  for (const int threads : {1, 2, 3, 7}) {
    omp_set_num_threads(threads);
    builder<V, I> b(300, 11, assembly::insert);
    std::vector<typename builder<V, I>::inserter_handle> inserters;
    for (int t = 0; t < threads; ++t) inserters.push_back(b.inserter());
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int t = 0; t < threads; ++t) {
      const auto size = static_cast<std::int64_t>(all.size());
      for (std::int64_t k = size * t / threads; k < size * (t + 1) / threads; ++k) {
        const auto& e = all[static_cast<std::size_t>(k)];
        inserters[static_cast<std::size_t>(t)](e.row, e.col, e.value);
      }
    }
    EXPECT_EQ(difference(b.build(), matrix), "") << threads;
  }
}

TYPED_TEST(Builder, RebuildsTheWholeBattery) {
  using V = typename TypeParam::value_type;
  using I = typename TypeParam::index_type;
  omp_set_num_threads(3);
  for (const auto& [name, a, places] : structure_test_matrices<TypeParam>()) {
    auto expected = places;
    expected.iso.reset();
    builder<V, I> b(a.rows, a.cols);
    auto even = b.inserter();
    auto odd = b.inserter();
    for (std::int64_t i = a.rows - 1; i >= 0; --i)
      for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
        (k % 2 == 0 ? even : odd)(i, a.columns[k], a.values[k]);
    EXPECT_EQ(difference(b.build(), matrix_of<TypeParam>(expected)), "") << name;
  }
}

TYPED_TEST(Builder, BuildsEmptyMatricesAndStartsAfresh) {
  using V = typename TypeParam::value_type;
  builder<V, typename TypeParam::index_type> b(3, 4);
  for (int round = 0; round < 2; ++round) {
    const auto empty = b.build();
    EXPECT_EQ(empty.rows, 3);
    EXPECT_EQ(empty.cols, 4);
    EXPECT_EQ(empty.nnz(), 0);
    EXPECT_EQ(empty.row_offsets.size(), 4);
    auto put = b.inserter();
    put(2, 3, V(5));
    put(2, 3, V(6));
    put(0, 0, V(0));
    EXPECT_EQ(b.size(), 3);
    const auto built = b.build();
    EXPECT_EQ(built.nnz(), 2);
    EXPECT_EQ(built.columns[1], 3);
    EXPECT_EQ(built.values.data[0], V(0));
    EXPECT_EQ(built.values.data[1], V(11));
  }
}

TEST(BuilderErrors, SayWhichPlaceIsOutside) {
  builder<double> b(5, 4);
  auto put = b.inserter();
  EXPECT_ERROR(put(5, 0, 1.0), errc::invalid_argument,
               "the place (5, 0) lies outside the 5 x 4 matrix; indices count from 0");
  EXPECT_ERROR(put(0, 4, 1.0), errc::invalid_argument,
               "the place (0, 4) lies outside the 5 x 4 matrix; indices count from 0");
  EXPECT_ERROR(put(-1, 0, 1.0), errc::invalid_argument,
               "the place (-1, 0) lies outside the 5 x 4 matrix; indices count from 0");
  EXPECT_ERROR(put(0, -7, 1.0), errc::invalid_argument,
               "the place (0, -7) lies outside the 5 x 4 matrix; indices count from 0");
  EXPECT_EQ(b.size(), 0);
}

TEST(BuilderErrors, RefuseSizesThatIndicesCannotHold) {
  const std::int64_t many = std::int64_t{1} << 31;
  EXPECT_ERROR((builder<float>(many, 4)), errc::overflow,
               "2147483648 rows do not fit 32-bit indices; use 64-bit ones (std::int64_t)");
  EXPECT_ERROR((builder<float>(4, many)), errc::overflow,
               "2147483648 columns do not fit 32-bit indices; use 64-bit ones (std::int64_t)");
  EXPECT_ERROR((builder<float, std::int64_t>(-1, 4)), errc::invalid_argument,
               "the number of rows must not be negative: -1");
  EXPECT_EQ((builder<float, std::int64_t>(4, many).build().cols), many);
}

TEST(BuilderMoves, TakeTheEntriesAlong) {
  builder<double> a(2, 2);
  a.inserter()(1, 1, 3.0);
  builder<double> b(std::move(a));
  EXPECT_EQ(b.size(), 1);
  EXPECT_EQ(b.build().values.data[0], 3.0);
}

}  // namespace
}  // namespace lacis::test

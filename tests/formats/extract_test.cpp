// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Parts of a matrix: blocks, listed rows and columns, triangles, diagonals.
#include <lacis/structure.hpp>

#include "formats/model.hpp"

namespace lacis::test {
namespace {

using list = std::vector<std::int64_t>;
constexpr std::int64_t farthest = std::numeric_limits<std::int64_t>::max();

template <class Matrix> class Extract : public testing::Test {};
TYPED_TEST_SUITE(Extract, structure_types);

TYPED_TEST(Extract, CutsBlocks) {
  struct part {
    std::int64_t numerator_first, numerator_last;  // in quarters of a side
  };
  for (const auto& [rows, cols] : {std::pair{part{0, 4}, part{1, 3}}, std::pair{part{1, 3}, part{0, 4}},
                                   std::pair{part{2, 4}, part{1, 2}}, std::pair{part{1, 1}, part{4, 4}}}) {
    const auto cut = [&](std::int64_t size, std::int64_t quarters) { return size * quarters / 4; };
    check_on_test_matrices<TypeParam>(
        [&](const auto& a) {
          return extract(a, cut(a.rows, rows.numerator_first), cut(a.rows, rows.numerator_last),
                         cut(a.cols, cols.numerator_first), cut(a.cols, cols.numerator_last));
        },
        [&](const auto& m) {
          const std::int64_t first_row = cut(m.rows, rows.numerator_first);
          const std::int64_t last_row = cut(m.rows, rows.numerator_last);
          const std::int64_t first_col = cut(m.cols, cols.numerator_first);
          const std::int64_t last_col = cut(m.cols, cols.numerator_last);
          auto block = without_places(m, last_row - first_row, last_col - first_col);
          for (const auto& [place, values] : m.places)
            if (place.first >= first_row && place.first < last_row && place.second >= first_col &&
                place.second < last_col)
              block.places[{place.first - first_row, place.second - first_col}] = values;
          return block;
        });
  }
}

TYPED_TEST(Extract, TakesListedRowsAndColumnsInTheirOrder) {
  // Half of the rows shuffled and the first of them again; two thirds of the columns shuffled, or all ascending.
  for (const bool ascending : {false, true}) {
    const auto rows_of = [](const auto& a) {
      list rows = shuffled(a.rows, 6);
      rows.resize(rows.size() / 2);
      if (!rows.empty()) rows.push_back(rows.front());
      return rows;
    };
    const auto cols_of = [&](const auto& a) {
      list cols = shuffled(a.cols, 7);
      cols.resize(cols.size() * 2 / 3);
      if (ascending) std::sort(cols.begin(), cols.end());
      return cols;
    };
    check_on_test_matrices<TypeParam>(
        [&](const auto& a) { return extract(a, rows_of(a), cols_of(a)); },
        [&](const auto& m) {
          const list rows = rows_of(m);
          const list cols = cols_of(m);
          auto part = without_places(m, static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(cols.size()));
          std::map<std::int64_t, std::int64_t> col_place;
          for (const std::int64_t j : cols) col_place.emplace(j, static_cast<std::int64_t>(col_place.size()));
          for (std::int64_t i = 0; i < part.rows; ++i) {
            const std::int64_t row = rows[static_cast<std::size_t>(i)];
            for (auto it = m.places.lower_bound({row, 0}); it != m.places.end() && it->first.first == row; ++it)
              if (const auto found = col_place.find(it->first.second); found != col_place.end())
                part.places[{i, found->second}] = it->second;
          }
          return part;
        });
  }
}

TYPED_TEST(Extract, TakesNothingFromEmptyLists) {
  const auto a = disordered<TypeParam>(9, 5);
  const auto nothing = extract(a, list{}, list{});
  EXPECT_EQ(nothing.rows, 0);
  EXPECT_EQ(nothing.cols, 0);
  EXPECT_EQ(extract(a, list{3, 3, 3}, list{}).nnz(), 0);
}

TYPED_TEST(Extract, CutsTriangles) {
  for (const std::int64_t k : {std::int64_t{0}, std::int64_t{-40}, std::int64_t{2}, farthest, -farthest - 1}) {
    const auto half = [&](const auto& m, bool lower) {
      auto result = without_places(m, m.rows, m.cols);
      for (const auto& [place, values] : m.places) {
        const std::int64_t diagonal_of = place.second - place.first;
        if (lower ? diagonal_of <= k : diagonal_of >= k) result.places[place] = values;
      }
      return result;
    };
    check_on_test_matrices<TypeParam>([&](const auto& a) { return tril(a, k); },
                                      [&](const auto& m) { return half(m, true); });
    check_on_test_matrices<TypeParam>([&](const auto& a) { return triu(a, k); },
                                      [&](const auto& m) { return half(m, false); });
  }
}

TYPED_TEST(Extract, KeepsTheOrderOfDisorderedRows) {
  const auto a = disordered_and_distinct<TypeParam>(700, 40);
  EXPECT_EQ(difference(extract(a, 0, 700, 0, 40), a), "");
  EXPECT_EQ(difference(tril(a, 40), a), "");
}

TYPED_TEST(Extract, ReadsDiagonals) {
  using V = typename TypeParam::value_type;
  for (const auto& [name, a, places] : structure_test_matrices<TypeParam>()) {
    SCOPED_TRACE(name);
    for (const std::int64_t k : {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1}, std::int64_t{100},
                                 std::int64_t{-37}, farthest, -farthest - 1}) {
      std::vector<V> expected;
      if (k > -a.rows && k < a.cols)
        for (std::int64_t i = std::max<std::int64_t>(0, -k); i < a.rows && i + k < a.cols; ++i) {
          const auto found = places.places.find({i, i + k});
          expected.push_back(found == places.places.end() ? V{} : found->second[0]);
        }
      for_each_thread_count([&] {
        const buffer<V> read = diagonal(a, k);
        EXPECT_TRUE(same_bits<V>(read, expected)) << k;
      });
    }
  }
}

TEST(ExtractErrors, SayWhatIsOutside) {
  const auto a = from_rows<double, std::int32_t>(5, 4, entries::integers, [](auto) { return list{0}; });
  EXPECT_ERROR(extract(a, 2, 6, 0, 4), errc::invalid_argument,
               "there are no rows 2 to 6 (excluded) in a matrix with 5 rows");
  EXPECT_ERROR(extract(a, 0, 5, 3, 2), errc::invalid_argument,
               "there are no columns 3 to 2 (excluded) in a matrix with 4 columns");
  EXPECT_ERROR(extract(a, -1, 5, 0, 4), errc::invalid_argument,
               "there are no rows -1 to 5 (excluded) in a matrix with 5 rows");
  EXPECT_ERROR(extract(a, list{0, 5}, list{0}), errc::invalid_argument,
               "position 1 of the list of rows is 5, but the matrix has 5 rows");
  EXPECT_ERROR(extract(a, list{0}, list{1, 3, 1}), errc::invalid_argument,
               "position 2 of the list of columns is 1 again (as position 0 is); columns may not repeat");
}

}  // namespace
}  // namespace lacis::test

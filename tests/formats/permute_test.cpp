// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Rows and columns in another order.
#include <omp.h>

#include <lacis/structure.hpp>

#include "formats/model.hpp"

namespace lacis::test {
namespace {

using list = std::vector<std::int64_t>;

list inverse(const list& order) {
  list places(order.size());
  for (std::size_t k = 0; k < order.size(); ++k)
    places[static_cast<std::size_t>(order[k])] = static_cast<std::int64_t>(k);
  return places;
}

template <value Value> model<Value> permuted_model(const model<Value>& m, const list& rows, const list& cols) {
  const list row_place = inverse(rows);
  const list col_place = inverse(cols);
  auto p = without_places(m, m.rows, m.cols);
  for (const auto& [place, values] : m.places) {
    const auto [i, j] = place;
    p.places[{rows.empty() ? i : row_place[static_cast<std::size_t>(i)],
              cols.empty() ? j : col_place[static_cast<std::size_t>(j)]}] = values;
  }
  return p;
}

template <class Matrix> class Permute : public testing::Test {};
TYPED_TEST_SUITE(Permute, structure_types);

TYPED_TEST(Permute, MovesRowsAndColumnsWhereTheListsSay) {
  for (const bool moves_rows : {false, true})
    for (const bool moves_cols : {false, true}) {
      const auto rows_of = [&](const auto& a) { return moves_rows ? shuffled(a.rows, 1) : list{}; };
      const auto cols_of = [&](const auto& a) { return moves_cols ? shuffled(a.cols, 2) : list{}; };
      check_on_test_matrices<TypeParam>([&](const auto& a) { return permute(a, rows_of(a), cols_of(a)); },
                                        [&](const auto& m) { return permuted_model(m, rows_of(m), cols_of(m)); });
    }
}

TYPED_TEST(Permute, IsUndoneByTheInverse) {
  for (const auto& [name, a, places] : structure_test_matrices<TypeParam>()) {
    const list rows = shuffled(a.rows, 3);
    const list cols = shuffled(a.cols, 4);
    EXPECT_EQ(difference(permute(permute(a, rows, cols), inverse(rows), inverse(cols)), a), "") << name;
  }
}

TYPED_TEST(Permute, KeepsTheOrderOfRowsWhenOnlyRowsMove) {
  const auto a = disordered_and_distinct<TypeParam>(900, 40);
  list backwards(900);
  for (std::size_t i = 0; i < backwards.size(); ++i) backwards[i] = 899 - static_cast<std::int64_t>(i);
  const auto once = permute(a, backwards, {});
  EXPECT_EQ(once.row_offsets[900 - 69] - once.row_offsets[900 - 70], 69);
  EXPECT_EQ(difference(permute(once, backwards, {}), a), "");
}

TEST(PermuteErrors, NamesTheFirstBadPosition) {
  omp_set_num_threads(3);
  const auto a = from_rows<double, std::int32_t>(30000, 4, entries::integers, [](auto) { return list{0}; });
  list rows = shuffled(30000, 5);
  EXPECT_ERROR(permute(a, list{0, 1, 2}, {}), errc::invalid_argument,
               "a permutation of 3 rows for a matrix with 30000; give one position for each, or none to leave them");
  const std::int64_t good = std::exchange(rows[29000], 30000);
  rows[29500] = -1;
  EXPECT_ERROR(permute(a, rows, {}), errc::invalid_argument,
               "position 29000 of the list of rows is 30000, but the matrix has 30000 rows");
  rows[29000] = good;
  rows[29500] = rows[100];
  EXPECT_ERROR(permute(a, rows, {}), errc::invalid_argument,
               "position 29500 of the list of rows is " + std::to_string(rows[100]) +
                   " again (as position 100 is); rows may not repeat");
  EXPECT_ERROR(permute(a, {}, list{0, 1, 2, 2}), errc::invalid_argument,
               "position 3 of the list of columns is 2 again (as position 2 is); columns may not repeat");
}

}  // namespace
}  // namespace lacis::test

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Weak entries apart from the others: which they are, that nothing is lost, and what the levels gain.
#include <algorithm>
#include <gtest/gtest.h>
#include <omp.h>

#include <lacis/builder.hpp>
#include <lacis/precondition.hpp>
#include <lacis/solve.hpp>
#include <lacis/spgemm.hpp>
#include <lacis/structure.hpp>

#include "solve/lines.hpp"
#include "solve/multigrid/galerkin.hpp"
#include "solve/multigrid/hierarchy.hpp"
#include "solve/multigrid/weak_part.hpp"
#include "solve/systems.hpp"

namespace lacis::test {
namespace {

using multigrid::apart_mark;
using multigrid::strong_mark;
using multigrid::weak_mark;

/// The marks of entries, the diagonal's among them.
template <class S> std::vector<std::uint8_t> strong_marks(const csr_matrix<S>& a) {
  std::vector<std::uint8_t> marks(static_cast<std::size_t>(a.nnz()));
  (void)multigrid::strong_connections(a.view(), 0, multigrid::roots_of_largest(a.view(), 0), 0.25, marks);
  return marks;
}

/// The aggregates of lines: three rows that follow each other.
std::vector<std::int32_t> threes(std::int64_t rows) {
  std::vector<std::int32_t> of(static_cast<std::size_t>(rows));
  for (std::size_t i = 0; i < of.size(); ++i) of[i] = static_cast<std::int32_t>(i / 3);
  return of;
}

std::vector<std::uint8_t> marked(const csr_matrix<double>& a, const std::vector<std::int32_t>& of) {
  auto marks = strong_marks(a);
  const auto may = multigrid::rows_that_part<double, std::int32_t, std::int32_t>(a.view(), 0, marks, of);
  (void)multigrid::mark_apart<double, std::int32_t>(a.view(), 0, may, marks);
  return marks;
}

/// C.
csr_matrix<double> weak_part(const csr_matrix<double>& a, const std::vector<std::uint8_t>& marks) {
  builder<double> weak(a.rows, a.cols);
  auto put = weak.inserter();
  for (std::int64_t i = 0; i < a.rows; ++i) {
    std::int64_t last = -1;
    multigrid::each_weak_entry(a.view(), 0, marks, i, [&](std::int32_t column, double value) {
      EXPECT_GT(column, last);
      last = column;
      put(i, column, value);
    });
  }
  return weak.build();
}

std::int64_t count_of(const std::vector<std::uint8_t>& marks, std::uint8_t mark) {
  return std::count(marks.begin(), marks.end(), mark);
}

TEST(MultigridWeakPart, HasTheNegativeWeakEntriesAndRowsThatSumToZero) {
  const auto a = lines(12, 9, -8, -1);
  const auto marks = marked(a, threes(a.rows));
  const std::int64_t across = 2 * 12 * 8;
  ASSERT_EQ(count_of(marks, apart_mark), across);
  EXPECT_EQ(count_of(marks, strong_mark), 2 * 11 * 9);
  const auto rest = multigrid::rest_of<double, std::int32_t>(a.view(), 0, marks);
  const auto weak = weak_part(a, marks);
  EXPECT_EQ(weak.nnz(), across + a.rows);
  EXPECT_TRUE(is_canonical(rest));
  const auto whole = add(rest, weak);
  EXPECT_TRUE(std::ranges::equal(whole.columns, a.columns) && std::ranges::equal(whole.values.data, a.values.data));
  for (std::int64_t i = 0; i < a.rows; ++i) {
    double sum = 0;
    for (const auto [j, value] : weak.row(i)) sum += value;
    EXPECT_EQ(sum, 0) << i;
    for (const auto [j, value] : rest.row(i)) EXPECT_EQ(j / 12, i / 12) << i << ' ' << j;
  }
}

TEST(MultigridWeakPart, LeavesWhatHoldsTheRestTogether) {
  // Positive entries weigh as much as the weak ones that would go: bilinear elements of long boxes have such.
  const auto balanced = lines(12, 9, -8, -1, 0.5);
  EXPECT_EQ(count_of(marked(balanced, threes(balanced.rows)), apart_mark), 2 * 12 * 8) << "15 of 17 is enough";
  const auto loose = lines(12, 9, -8, -1, 1);
  constexpr std::int64_t outer = 2 * 12;
  constexpr std::int64_t at_walls = 2 * 6;
  EXPECT_EQ(count_of(marked(loose, threes(loose.rows)), apart_mark), 2 * (outer + at_walls)) << "14 of 18 is not";
  const auto held = lines(12, 9, -8, -1.5, 3);
  EXPECT_GT(count_of(strong_marks(held), strong_mark), 2 * 11 * 9) << "those across, which are positive";
  EXPECT_EQ(count_of(marked(held, threes(held.rows)), apart_mark), 2 * 4) << "the walls' ends of two pairs of lines";
  // Positive weak entries stay, whatever the others do.
  const auto positive = lines(12, 9, -8, 1);
  EXPECT_EQ(count_of(marked(positive, threes(positive.rows)), apart_mark), 0);
}

TEST(MultigridWeakPart, LeavesDirectionsInWhichRowsArePutTogether) {
  const auto a = lines(12, 9, -8, -1);
  std::vector<std::int32_t> squares(static_cast<std::size_t>(a.rows));
  for (std::int32_t i = 0; i < a.rows; ++i) squares[static_cast<std::size_t>(i)] = i / 12 / 3 * 4 + i % 12 / 3;
  EXPECT_EQ(count_of(marked(a, squares), apart_mark), 0);
  // One pair of aggregates across lines: its rows and what they are coupled with stay whole.
  auto of = threes(a.rows);
  of[12 * 4 + 6] = of[12 * 5 + 6];
  const auto marks = marked(a, of);
  EXPECT_EQ(count_of(marks, apart_mark), 2 * (12 * 8 - 3));
}

TEST(MultigridWeakPart, AreWorthItWhereTheyAreMany) {
  EXPECT_TRUE(multigrid::is_worth_parting({.apart = 100, .others = 0}, 3200));
  EXPECT_FALSE(multigrid::is_worth_parting({.apart = 100, .others = 0}, 3300));
  EXPECT_TRUE(multigrid::is_worth_parting({.apart = 100, .others = 100}, 800));
  EXPECT_FALSE(multigrid::is_worth_parting({.apart = 100, .others = 100}, 900));
  EXPECT_FALSE(multigrid::is_worth_parting({.apart = 0, .others = 0}, 5));
}

TEST(MultigridWeakPart, PlainProductsOfWholeNumbersAreExact) {
  const auto a = lines(300, 41, -8, -1);
  auto of = threes(a.rows);
  for (std::size_t i = 100; i < 110; ++i) of[i] = -1;
  const auto marks = marked(a, of);
  const std::int64_t count = of.back() + 1;
  builder<double> p0(a.rows, count);
  auto put = p0.inserter();
  for (std::int64_t i = 0; i < a.rows; ++i)
    if (const auto to = of[static_cast<std::size_t>(i)]; to >= 0) put(i, to, 1);
  const auto ones = p0.build();
  const auto r = transpose(ones);
  // R may have more than the rows of an aggregate.
  const auto wide = transpose(multiply(a, ones));
  const auto expected = multiply(r, multiply(weak_part(a, marks), ones));
  const int before = omp_get_max_threads();
  for (const int threads : {1, 3}) {
    omp_set_num_threads(threads);
    for (const auto* restriction : {&r, &wide}) {
      const auto found = multigrid::plain_product<double, std::int32_t>(restriction->view(), a.view(), marks, of);
      EXPECT_TRUE(std::ranges::equal(found.row_offsets, expected.row_offsets));
      EXPECT_TRUE(std::ranges::equal(found.columns, expected.columns));
      EXPECT_TRUE(std::ranges::equal(found.values.data, expected.values.data));
    }
  }
  omp_set_num_threads(before);
}

template <class S> using levels_type = multigrid::hierarchy<S, std::int32_t>;
template <class S>
std::unique_ptr<levels_type<S>> levels_of(const csr_matrix<S>& a, const multigrid_options& options = {}) {
  return std::make_unique<levels_type<S>>(a, multigrid::near_null_space_of<S>(options, a.rows, 1), 0, options, true, 1);
}
/// One per level: 1 where weak entries go apart.
template <class S> std::vector<int> parted_levels(const csr_matrix<S>& a, const multigrid_options& options = {}) {
  std::vector<int> are;
  const auto all = levels_of(a, options);
  for (const auto& one : all->levels()) are.push_back(one.is_parted ? 1 : 0);
  return are;
}

TEST(MultigridWeakPart, LinesStayAboutFivePerRow) {
  const auto a = lines(150, 150, -1000, -1);
  const auto all = levels_of(a);
  ASSERT_GE(all->levels().size(), 4U);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_TRUE(all->levels()[k].is_parted) << k;
    EXPECT_LT(all->levels()[k + 1].a.nnz(), 6 * all->levels()[k + 1].a.rows) << k << ": not 9";
  }
  const auto m = make_preconditioner(a, {.kind = preconditioner_kind::amg});
  std::vector<double> x(static_cast<std::size_t>(a.rows));
  const auto found = solve<double>(solve_method::cg, *make_operator(multiply_inspect(a)), right_side<double>(a.rows), x,
                                   {.tolerance = 1e-8}, m.get());
  EXPECT_TRUE(found.converged());
  EXPECT_LE(found.iterations, 12);
}

TEST(MultigridWeakPart, OnlySomeMatricesHaveOne) {
  EXPECT_EQ(parted_levels(laplacian("@poisson2d:60")), (std::vector<int>{0, 0, 0}));
  const auto a = lines(60, 60, -100, -1);
  EXPECT_TRUE(parted_levels(a)[0]);
  EXPECT_FALSE(parted_levels(a, {.truncation = 0.1})[0]);
  EXPECT_FALSE(parted_levels(cast_values<std::complex<double>>(a))[0]);
  std::vector<double> space(static_cast<std::size_t>(a.rows), 2.0);
  EXPECT_FALSE(parted_levels(a, {.near_null_space = space})[0]) << "not constant one";
}

TEST(MultigridWeakPart, FollowsNewValues) {
  const auto before = lines(90, 90, -100, -1);
  const auto after = lines(90, 90, -100, -1.5);  // the same are strong
  const auto made = levels_of(after);
  const auto updated = levels_of(before);
  for (int round = 0; round < 2; ++round) {
    updated->update(true, [&](std::span<double> to) { std::ranges::copy(after.values.data, to.begin()); }, [] {});
    ASSERT_EQ(updated->levels().size(), made->levels().size());
    for (std::size_t k = 0; k < made->levels().size(); ++k)
      EXPECT_TRUE(std::ranges::equal(updated->levels()[k].a.values.data, made->levels()[k].a.values.data)) << k;
  }
  EXPECT_TRUE(updated->levels()[1].is_parted);
}

}  // namespace
}  // namespace lacis::test

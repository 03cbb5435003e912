// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The levels of a hierarchy against their definitions.
#include <gtest/gtest.h>

#include <lacis/precondition.hpp>
#include <lacis/solve.hpp>
#include <lacis/structure.hpp>

#include "solve/convection.hpp"
#include "solve/multigrid/hierarchy.hpp"
#include "solve/multigrid/rules.hpp"
#include "solve/systems.hpp"

namespace lacis::test {
namespace {

template <class T>
std::unique_ptr<multigrid::hierarchy<T, std::int32_t>> levels_of(const csr_matrix<T>& a, bool hermitian,
                                                                 const multigrid_options& options = {}) {
  return std::make_unique<multigrid::hierarchy<T, std::int32_t>>(
      a, multigrid::near_null_space_of<T>(options, a.rows, options.block), 0, options, hermitian, 1);
}

template <class T> bool is_same(const csr_matrix<T>& a, const csr_matrix<T>& b) {
  return std::ranges::equal(a.row_offsets, b.row_offsets) && std::ranges::equal(a.columns, b.columns) &&
         std::ranges::equal(a.values.data, b.values.data);
}

/// The restriction of A is the conjugate transpose of what A^H is interpolated with, whose aggregates are the same.
template <class T> void expect_restriction_of_adjoint(const csr_matrix<T>& a, const multigrid_options& options = {}) {
  const auto here = levels_of(a, false, options);
  const auto there = levels_of(conjugate_transpose(a), false, options);
  const auto& one = here->levels().front();
  const auto& adjoint = there->levels().front();
  ASSERT_TRUE(std::ranges::equal(one.nodes.of, adjoint.nodes.of));
  EXPECT_TRUE(is_same(one.r, conjugate_transpose(adjoint.p)));
  EXPECT_TRUE(is_same(adjoint.r, conjugate_transpose(one.p)));
  EXPECT_FALSE(is_same(one.r, conjugate_transpose(one.p))) << "a matrix that tells the two apart";
}

TEST(MultigridLevels, RestrictionIsMadeOfTheAdjoint) {
  const auto a = convection(40, 3);
  expect_restriction_of_adjoint(a);
  using complex = std::complex<double>;
  auto turned = cast_values<complex>(a);
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      turned.values.data[k] *= complex(1, static_cast<double>(i % 3) - 0.5);
  expect_restriction_of_adjoint(turned);
  expect_restriction_of_adjoint(a, {.block = 2});
  expect_restriction_of_adjoint(a, {.truncation = 0.2});
}

TEST(MultigridLevels, NewValuesOfAMatrixThatIsNotHermitianMakeTheLevelsOfThose) {
  const auto a = convection(40, 3);
  auto other = a;
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      if (a.columns[k] == i) other.values.data[k] *= 1 + static_cast<double>(i % 5) / 8;  // strength has no part in it
  for (const int block : {1, 2}) {
    const multigrid_options options{.block = block};
    const auto updated = levels_of(a, false, options);
    const csr_matrix<double> before = updated->levels().front().r;
    updated->update(false, [&](std::span<double> to) { std::ranges::copy(other.values.data, to.begin()); }, [] {});
    const auto made = levels_of(other, false, options);
    ASSERT_EQ(made->levels().size(), 2U);
    ASSERT_TRUE(std::ranges::equal(updated->levels()[0].nodes.of, made->levels()[0].nodes.of));
    EXPECT_FALSE(is_same(updated->levels().front().r, before));
    for (std::size_t k = 0; k < made->levels().size(); ++k) {
      EXPECT_TRUE(is_same(updated->levels()[k].a, made->levels()[k].a)) << k;
      EXPECT_TRUE(is_same(updated->levels()[k].r, made->levels()[k].r)) << k;
    }
  }
}

TEST(MultigridLevels, TheNearNullSpaceHasOneConstantPerRowOfANode) {
  const auto constants = multigrid::near_null_space_of<double>({.block = 2}, 4, 2);
  EXPECT_EQ(std::vector<double>(constants.rows.begin(), constants.rows.end()),
            (std::vector<double>{1, 0, 0, 1, 1, 0, 0, 1}));
  const std::vector<double> two{1, 2, 3, 5, 6, 7};  // vectors one after the other become rows
  const auto given = multigrid::near_null_space_of<double>({.near_null_space = two}, 3, 2);
  EXPECT_EQ(std::vector<double>(given.rows.begin(), given.rows.end()), (std::vector<double>{1, 5, 2, 6, 3, 7}));
}

TEST(MultigridLevels, ALastLevelWithoutFactorsTakesMoreSteps) {
  const auto diagonal = with_large_diagonal(from_rows<double, std::int32_t>(
      5000, 5000, entries::integers, [](std::int64_t i) { return std::vector<std::int64_t>{i}; }));
  const auto all = levels_of(diagonal, true);
  ASSERT_EQ(all->levels().size(), 1U);
  EXPECT_EQ(all->factors(), nullptr);
  EXPECT_EQ(all->levels().back().steps.size(), static_cast<std::size_t>(multigrid::last_steps));
}

TEST(MultigridLevels, AFactorOfAllEntriesChangesNoIteration) {
  using complex = std::complex<double>;
  const auto a = cast_values<complex>(convection(60, 3));
  const auto b = right_side<complex>(a.rows);
  const auto iterations = [&](complex factor) {
    auto scaled = a;
    for (complex& one : scaled.values.data) one *= factor;
    const auto m = make_preconditioner(scaled, {.kind = preconditioner_kind::amg});
    std::vector<complex> x(b.size());
    const auto found = solve<complex>(solve_method::fgmres, *make_operator(multiply_inspect(scaled)), b, x,
                                      {.tolerance = 1e-8}, m.get());
    EXPECT_TRUE(found.converged());
    return found.iterations;
  };
  const auto plain = iterations(1);
  EXPECT_LE(plain, 20);
  for (const complex factor : {complex(0, 1), complex(-1, 0), complex(0, -4)})
    EXPECT_EQ(iterations(factor), plain) << factor;  // powers of two and of i: no number is rounded otherwise
}

}  // namespace
}  // namespace lacis::test

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// SPAI(0): the diagonal that is nearest to the inverse.
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <utility>

#include <lacis/hash.hpp>
#include <lacis/precondition.hpp>

#include "solve/precondition/make.hpp"
#include "solve/systems.hpp"
#include "support/errors.hpp"

namespace lacis::test {
namespace {

constexpr preconditioner_options how{.kind = preconditioner_kind::spai0};

template <class T> csr_matrix<T> matrix(std::int64_t cols, const std::vector<std::vector<std::pair<int, T>>>& rows) {
  std::vector<std::int64_t> offsets = {0};
  std::vector<std::int32_t> columns;
  std::vector<T> values;
  for (const auto& row : rows) {
    for (const auto& [column, value] : row) {
      columns.push_back(column);
      values.push_back(value);
    }
    offsets.push_back(static_cast<std::int64_t>(columns.size()));
  }
  csr_matrix<T> a{static_cast<std::int64_t>(rows.size()), cols, {}, {}, {}};
  a.row_offsets = std::move(offsets);
  a.columns = std::move(columns);
  a.values.data = std::move(values);
  return a;
}

/// The elements of the diagonal.
template <class T> std::vector<T> elements(const preconditioner<T>& m) {
  auto& space = m.space();
  const auto ones = space.zeros(m.cols());
  const auto z = space.zeros(m.rows());
  std::vector<T> host(static_cast<std::size_t>(m.rows()), T(1));
  space.from_host(host, ones);
  m.apply(ones, z);
  space.to_host(z, host);
  return host;
}

// Rows and columns have different squares, so that the wrong side shows.
template <class T> csr_matrix<T> integers() {
  return matrix<T>(3, {{{0, T(2)}, {1, T(1)}}, {{1, T(-3)}, {2, T(4)}}, {{0, T(1)}, {1, T(7)}, {2, T(5)}}});
}

TEST(Spai0, DividesEachDiagonalEntryByTheSquaresOfItsRow) {
  const auto expect = [](auto zero) {
    using T = decltype(zero);
    using real = real_of<T>;
    const auto found = elements(*make_preconditioner(integers<T>(), how));
    EXPECT_EQ(found, (std::vector<T>{T(real(2) / 5), T(real(-3) / 25), T(real(5) / 75)}));
  };
  expect(0.0F);
  expect(0.0);
  expect(std::complex<float>());
  expect(std::complex<double>());
}

TEST(Spai0, TakesTheConjugateOfAComplexDiagonal) {
  using T = std::complex<double>;
  const auto a = matrix<T>(2, {{{0, {3, 4}}, {1, {1, -2}}}, {{0, {0, 5}}, {1, {0, -1}}}});
  const auto found = elements(*make_preconditioner(a, how));
  EXPECT_EQ(found, (std::vector<T>{{3.0 / 30, -4.0 / 30}, {0, 1.0 / 26}}));
}

TEST(Spai0, HasTheSmallestDistanceOfAllDiagonals) {
  const auto a = dominant<double>(50, 6);
  const auto m = elements(*make_preconditioner(a, how));
  const auto distance = [&](std::int64_t i, double element) {  // of row i of I - M A from zero, squared
    double sum = 0;
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      sum += std::pow((a.columns[k] == i ? 1 : 0) - element * a.values[k], 2);
    return sum;
  };
  for (std::int64_t i = 0; i < a.rows; ++i) {
    const double best = m[static_cast<std::size_t>(i)];
    for (const double factor : {0.99, 1.01}) EXPECT_LT(distance(i, best), distance(i, factor * best)) << i;
  }
}

TEST(Spai0, HasTheSameDigitsWhereSquaresLeaveTheRangeOfNumbers) {
  const auto expected = elements(*make_preconditioner(integers<double>(), how));
  for (const int exponent : {-1000, -540, 540, 1000}) {
    auto a = integers<double>();
    for (double& value : a.values.data) value = std::ldexp(value, exponent);
    auto found = elements(*make_preconditioner(a, how));
    for (double& element : found) element = std::ldexp(element, exponent);
    EXPECT_EQ(found, expected) << exponent;
  }
}

/// Positive definite, with a diagonal from 1 to 10000.
template <class T> csr_matrix<T> uneven() {
  auto a = generate<T>("@poisson2d:30");
  const auto factor = [](std::int64_t i) { return static_cast<real_of<T>>(1 + i % 100); };
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      a.values.data[k] = a.values[k] * (factor(i) * factor(a.columns[k]));
  return a;
}

template <class T> void expect_cg_to_converge_faster() {
  const auto a = uneven<T>();
  const auto m = make_preconditioner(a, how);
  for (const T element : elements(*m)) EXPECT_GT(std::real(element), 0);
  const auto plan = multiply_inspect(a);
  const auto b = right_side<T>(a.rows);
  std::vector<T> x(b.size());
  const auto with = cg(plan, b, x, {.preconditioner = m});
  EXPECT_TRUE(with.converged()) << with.reason;
  EXPECT_LE(residual_of(a, b, x), 1.01e-8);
  std::vector<T> plain(b.size());
  EXPECT_LT(3 * with.iterations, cg(plan, b, plain).iterations);
}

TEST(Spai0, IsPositiveForAPositiveDefiniteMatrixAndHelpsCg) {
  expect_cg_to_converge_faster<double>();
  expect_cg_to_converge_faster<std::complex<double>>();
}

TEST(Spai0, OfTheRowsOfOneRankIsThatOfTheWholeMatrix) {
  // Rows 1 and 2 of the integers, their columns after two of other ranks: 0 of the whole is 1 here.
  const auto rows = matrix<double>(4, {{{2, -3.0}, {3, 4.0}}, {{1, 1.0}, {2, 7.0}, {3, 5.0}}});
  const auto m = solver::make_of_rows(rows.view(), 2, how);
  const auto whole = elements(*make_preconditioner(integers<double>(), how));
  EXPECT_EQ(elements(*m), (std::vector<double>{whole[1], whole[2]}));
}

TEST(Spai0, RefusesADiagonalEntryThatIsMissingZeroOrNotFinite) {
  const auto refused = [](std::vector<std::pair<int, double>> row) {
    expect_error(errc::invalid_matrix, "spai0: the diagonal entry of row 1, counted from 0, is missing or singular",
                 [&] { static_cast<void>(make_preconditioner(matrix<double>(2, {{{0, 1.0}}, row}), how)); });
  };
  refused({{0, 1.0}});
  refused({{0, 1.0}, {1, 0.0}});
  refused({{0, 1.0}, {1, std::nan("")}});
  refused({{0, std::nan("")}, {1, 1.0}});
  refused({{0, std::numeric_limits<double>::infinity()}, {1, 1.0}});
}

}  // namespace
}  // namespace lacis::test

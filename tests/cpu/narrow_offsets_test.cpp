// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Matrices with 32-bit offsets: the bits of those with 64-bit ones, and the same refusals.
#include <cstring>
#include <filesystem>
#include <gtest/gtest.h>
#include <limits>
#include <type_traits>
#include <vector>

#include <lacis/facts.hpp>
#include <lacis/generate.hpp>
#include <lacis/io.hpp>
#include <lacis/multiply.hpp>
#include <lacis/pagerank.hpp>
#include <lacis/plan.hpp>
#include <lacis/solve_auto.hpp>
#include <lacis/spgemm.hpp>
#include <lacis/spgemm_masked.hpp>
#include <lacis/structure.hpp>
#include <lacis/triangular.hpp>

#include "support/errors.hpp"
#include "support/matrices.hpp"

namespace lacis::test {
namespace {

template <class Value> class NarrowOffsetsOf : public testing::Test {};
using value_types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(NarrowOffsetsOf, value_types);

std::vector<std::int32_t> narrow(std::span<const std::int64_t> offsets) { return {offsets.begin(), offsets.end()}; }

template <class Value, class Index> struct narrowed {
  csr_matrix<Value, Index> wide;
  std::vector<std::int32_t> offsets;
  explicit narrowed(csr_matrix<Value, Index> a) : wide(std::move(a)), offsets(narrow(wide.row_offsets)) {}
  csr_view<Value, Index, std::int32_t> view() const {
    return {wide.rows, wide.cols, offsets, wide.columns, wide.values.view()};
  }
};

/// Rows of every length class, one long enough to be cut between threads, more rows than are copied at a time.
template <class Value, class Index = std::int32_t> narrowed<Value, Index> many_rows() {
  constexpr std::int64_t cols = 60'000;
  return narrowed(from_rows<Value, Index>(1500, cols, entries::reals, [](std::int64_t i) {
    return i == 700 ? consecutive(100, cols / 2) : random_columns(i, i % 5 == 0 ? i % 90 : i % 7, cols, 3);
  }));
}

template <class T> bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}
template <class A, class B> void expect_same_matrix(const A& a, const B& b) {
  EXPECT_TRUE(std::ranges::equal(a.row_offsets, b.row_offsets));
  EXPECT_TRUE(std::ranges::equal(a.columns, b.columns));
  EXPECT_TRUE(std::ranges::equal(a.values.data, b.values.data));
}

TYPED_TEST(NarrowOffsetsOf, GiveTheSameBitsInEveryProduct) {
  const auto check = [](const auto& a) {
    const auto x = full_numbers<TypeParam>(a.wide.cols, 5);
    const auto left = full_numbers<TypeParam>(a.wide.rows, 6);
    for (const int threads : {1, 2, 7}) {
      std::vector<TypeParam> expected(static_cast<std::size_t>(a.wide.rows), TypeParam(2));
      auto y = expected;
      multiply(TypeParam(3), a.wide, x, TypeParam(-1), expected, {.threads = threads});
      multiply(TypeParam(3), a.view(), x, TypeParam(-1), y, {.threads = threads});
      EXPECT_TRUE(same_bits(expected, y)) << threads;
      std::vector<TypeParam> expected_left(static_cast<std::size_t>(a.wide.cols));
      auto y_left = expected_left;
      multiply(transposed(a.wide), left, expected_left, {.threads = threads});
      multiply(transposed(a.view()), left, y_left, {.threads = threads});
      EXPECT_TRUE(same_bits(expected_left, y_left)) << threads;
      const auto columns = full_numbers<TypeParam>(a.wide.cols * 3, 7);
      std::vector<TypeParam> expected_columns(static_cast<std::size_t>(a.wide.rows * 3));
      auto y_columns = expected_columns;
      const auto dense = row_major(std::span<const TypeParam>(columns), a.wide.cols, 3);
      multiply(a.wide, dense, row_major(std::span(expected_columns), a.wide.rows, 3), {.threads = threads});
      multiply(a.view(), dense, row_major(std::span(y_columns), a.wide.rows, 3), {.threads = threads});
      EXPECT_TRUE(same_bits(expected_columns, y_columns)) << threads;
    }
  };
  check(many_rows<TypeParam>());
  check(many_rows<TypeParam, std::int64_t>());
}

TYPED_TEST(NarrowOffsetsOf, GiveTheSamePlansAndMatrices) {
  const narrowed<TypeParam, std::int32_t> a(generate<TypeParam>("@poisson2d:30"));
  const auto x = full_numbers<TypeParam>(a.wide.cols, 5);
  std::vector<TypeParam> expected(static_cast<std::size_t>(a.wide.rows));
  auto y = expected;
  const auto plan = multiply_inspect(a.view());
  EXPECT_EQ(plan.layout(), multiply_inspect(a.wide).layout());
  multiply(a.wide, x, expected);
  multiply(plan, x, y);
  EXPECT_TRUE(same_bits(expected, y));
  expect_same_matrix(multiply(a.view(), a.view()), multiply(a.wide, a.wide));
  expect_same_matrix(multiply(a.wide, a.view()), multiply(a.wide, a.wide));
  expect_same_matrix(multiply_masked(a.view(), a.view(), a.view()), multiply_masked(a.wide, a.wide, a.wide));
  expect_same_matrix(transpose(a.view()), transpose(a.wide));
  expect_same_matrix(vstack(std::vector{a.view(), a.view()}), vstack(std::vector{a.wide, a.wide}));
  expect_same_matrix(add(a.view(), a.wide), add(a.wide, a.wide));
  expect_same_matrix(convert<csr_matrix<TypeParam>>(a.view()), a.wide);
  EXPECT_EQ(norm_one(a.view()), norm_one(a.wide));
  EXPECT_EQ(find_facts(a.view()).longest_row, find_facts(a.wide).longest_row);
  EXPECT_EQ(validate(a.view()).has_value(), false);
  EXPECT_EQ(triangular_inspect(a.view()).nnz(), triangular_inspect(a.wide).nnz());
  std::vector<TypeParam> solution(expected.size());
  auto narrow_solution = solution;
  const auto known = solve_auto(a.wide, std::span<const TypeParam>(expected), std::span(solution));
  const auto found = solve_auto(a.view(), std::span<const TypeParam>(expected), std::span(narrow_solution));
  EXPECT_EQ(found.result().iterations, known.result().iterations);
  EXPECT_TRUE(same_bits(narrow_solution, solution));
  const auto ranks = pagerank(a.view());
  EXPECT_TRUE(std::ranges::equal(ranks.ranks, pagerank(a.wide).ranks));
}

TEST(NarrowOffsets, AreWritten) {
  const auto path = std::filesystem::temp_directory_path() / "lacis_narrow_offsets.mtx";
  const narrowed<double, std::int32_t> a(generate<double>("@poisson2d:9"));
  write(path, a.view());
  expect_same_matrix(read<double>(path), a.wide);
  std::filesystem::remove(path);
}

TEST(NarrowOffsets, OfBrokenMatricesAreRefused) {
  const auto good = many_rows<double>();
  const std::vector<double> x(static_cast<std::size_t>(good.wide.cols), 1.0);
  std::vector<double> y(static_cast<std::size_t>(good.wide.rows));
  constexpr std::int32_t lowest = std::numeric_limits<std::int32_t>::min();
  constexpr std::int32_t highest = std::numeric_limits<std::int32_t>::max();
  for (const std::size_t place : {std::size_t{0}, std::size_t{1}, std::size_t{511}, std::size_t{512}, std::size_t{513},
                                  std::size_t{701}, std::size_t{1499}, std::size_t{1500}})
    for (const std::int32_t wrong : {lowest, -1, highest}) {
      auto bad = many_rows<double>();
      bad.offsets[place] = wrong;
      for (const int threads : {1, 2, 7})
        EXPECT_EQ(code_of([&] { multiply(bad.view(), x, y, {.threads = threads}); }), errc::invalid_matrix)
            << place << ' ' << wrong << ' ' << threads;
      EXPECT_EQ(code_of([&] { static_cast<void>(multiply_inspect(bad.view())); }), errc::invalid_matrix);
      EXPECT_TRUE(validate(bad.view()).has_value());
    }
  auto unsorted = many_rows<double>();
  std::swap(unsorted.wide.columns[unsorted.offsets[999]], unsorted.wide.columns[unsorted.offsets[999] + 1]);
  EXPECT_EQ(code_of([&] { multiply(unsorted.view(), x, y); }), errc::invalid_matrix);
}

}  // namespace
}  // namespace lacis::test

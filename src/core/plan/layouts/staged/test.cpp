// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The layout `staged`.
#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <lacis/isa.hpp>
#include <lacis/operator.hpp>
#include <lacis/plan.hpp>

#include "plan/layout.hpp"
#include "plan/layouts/staged/layout.hpp"
#include "summation/spmv.hpp"
#include "support/matrices.hpp"

namespace lacis::test {
namespace {

std::vector<double> product(const csr_matrix<double>& a, const std::vector<double>& x) {
  std::vector<double> y(static_cast<std::size_t>(a.rows));
  summation::spmv<double, std::int32_t, double>(1, a.view(), x, 0, y);
  return y;
}

const detail::staged_layout<double, std::int32_t>& layout_of(const plan<double>& p) {
  return std::get<detail::staged_layout<double, std::int32_t>>(p.internals()->plain.arrays);
}

TEST(LayoutStaged, CutsRowsAndColumnsIntoBlocks) {
  const auto a = from_rows<double, std::int32_t>(3000, 200000, entries::reals, [](std::int64_t i) {
    if (i == 10) return consecutive(1000, 151000);
    return random_columns(i, i % 50, 200000, 5);
  });
  const auto p = multiply_inspect(a, {.layout = plan_layout::staged, .column_blocks = 2});
  const auto& staged = layout_of(p).staged;
  EXPECT_EQ(staged.pieces(), 4);
  EXPECT_GT(staged.blocks.size(), 3);
  EXPECT_EQ(staged.cut_rows.size(), 1u);
  const auto x = full_numbers<double>(a.cols);
  const auto wanted = product(a, x);
  for (const isa set : supported_isas()) {
    std::vector<double> y(3000);
    multiply(multiply_inspect(a, {.threads = 2, .isa = set, .layout = plan_layout::staged, .column_blocks = 2}), x, y);
    EXPECT_EQ(y, wanted) << name_of(set);
  }
}

TEST(LayoutStaged, ServesSeveralThreadsAtATime) {
  const auto a = from_rows<double, std::int32_t>(2000, 70000, entries::reals,
                                                 [](std::int64_t i) { return random_columns(i, 9, 70000, 6); });
  const auto p = multiply_inspect(a, {.threads = 1, .layout = plan_layout::staged, .column_blocks = 2});
  const auto x = full_numbers<double>(a.cols);
  const auto wanted = product(a, x);
  std::vector<int> right(16);
#pragma omp parallel for num_threads(4)
  for (int k = 0; k < 16; ++k) {
    std::vector<double> y(2000);
    multiply(p, x, y);
    right[static_cast<std::size_t>(k)] = y == wanted ? 1 : 0;
  }
  EXPECT_EQ(right, std::vector<int>(16, 1));
}

/// Rows of up to 47 entries, most of them in the first 1000 columns, and one of `longest`.
csr_matrix<double> skewed(std::int64_t longest) {
  return from_rows<double, std::int32_t>(3000, 200000, entries::reals, [=](std::int64_t i) {
    if (i == 10) return consecutive(1000, 1000 + longest);
    std::vector<std::int64_t> columns = random_columns(i, i % 40, 1000, 7);
    for (const std::int64_t column : random_columns(i, i % 9, 100000, 8)) columns.push_back(100000 + column);
    return columns;
  });
}

TEST(LayoutStaged, PutsColumnsOfMostEntriesInFront) {
  const std::vector<std::int32_t> entries = {7, 3, 3, 9, 3, 9, 1, 7, 3};
  const auto order = detail::by_frequency<std::int32_t>(entries, 11);
  EXPECT_EQ(std::vector<std::int32_t>(order.begin(), order.end()),
            (std::vector<std::int32_t>{3, 7, 9, 1, 0, 2, 4, 5, 6, 8, 10}));
  std::vector<std::int64_t> many;
  for (std::int64_t k = 0; k < 300000; ++k) many.push_back(k % 3 == 0 ? 5 : k % 1000);
  const auto other = detail::by_frequency<std::int64_t>(many, 1000);
  EXPECT_EQ(other[0], 5);
  EXPECT_TRUE(std::is_sorted(other.begin() + 1, other.end())) << "equal columns keep their order";
}

TEST(LayoutStaged, SharesAPermutationOfX) {
  const auto a = skewed(150000);  // cut between blocks
  const auto x = full_numbers<double>(a.cols);
  const auto wanted = product(a, x);
  for (const isa set : supported_isas())
    for (const int threads : {1, 3}) {
      const plan_options options{.threads = threads, .isa = set, .layout = plan_layout::staged, .column_blocks = 1};
      auto p = multiply_inspect(a, options);
      EXPECT_EQ(p.layout(), "staged-8 by frequency");
      const auto& staged = layout_of(p).staged;
      EXPECT_TRUE(staged.permutes());
      EXPECT_GT(staged.blocks.size(), 2);
      EXPECT_EQ(staged.cut_rows.size(), 1u);
      std::vector<double> y(3000);
      multiply(p, x, y);
      EXPECT_EQ(y, wanted) << name_of(set);
      const auto back = detail::csr_of(p.internals()->plain);
      EXPECT_TRUE(std::equal(back.columns.begin(), back.columns.end(), a.columns.begin(), a.columns.end()));
      auto doubled = a;
      for (double& value : doubled.values.data) value *= 2;
      update_values(p, std::span<const double>(doubled.values.data.data(), static_cast<std::size_t>(a.nnz())));
      multiply(p, x, y);
      EXPECT_EQ(y, product(doubled, x)) << name_of(set);
    }
}

/// A with values of type T whose products are exact in every order of their digits, or not, as in `a`.
template <class T> csr_matrix<T> converted(const csr_matrix<double>& a) {
  csr_matrix<T> other{a.rows, a.cols, a.row_offsets, a.columns, values_array<T>(a.nnz())};
  for (std::int64_t k = 0; k < a.nnz(); ++k) other.values.data[k] = static_cast<T>(a.values.data[k]);
  return other;
}

/// Dense columns of both orders, and every vector of an operator, against the definition.
template <class T> void expect_several_vectors(const csr_matrix<T>& a, const plan_options& options) {
  constexpr std::int64_t columns = 3;
  const auto p = multiply_inspect(a, options);
  ASSERT_EQ(p.layout().substr(p.layout().find(' ') + 1), "by frequency");
  const auto x = full_numbers<T>(a.cols * columns);
  const auto before = full_numbers<T>(a.rows * columns);
  workspace memory;
  const struct {
    T alpha, beta;
    bool by_rows;
  } cases[] = {{1, 0, true}, {T(-0.3), T(1.7), false}, {0, T(0.5), true}};
  for (const auto& [alpha, beta, by_rows] : cases) {
    auto y = before;
    const auto x_view = dense_view<const T>{x.data(), a.cols, columns, by_rows ? columns : 1, by_rows ? 1 : a.cols};
    const auto y_view = dense_view<T>{y.data(), a.rows, columns, by_rows ? columns : 1, by_rows ? 1 : a.rows};
    const auto old = dense_view<const T>{before.data(), a.rows, columns, y_view.row_stride, y_view.col_stride};
    multiply(alpha, p, x_view, beta, y_view, memory);
    for (std::int64_t c = 0; c < columns; ++c) {
      std::vector<T> column, wanted, found;
      for (std::int64_t j = 0; j < a.cols; ++j) column.push_back(x_view(j, c));
      for (std::int64_t i = 0; i < a.rows; ++i) wanted.push_back(old(i, c)), found.push_back(y_view(i, c));
      summation::spmv<T, std::int32_t, T>(alpha, a.view(), column, beta, wanted);
      EXPECT_EQ(found, wanted) << "column " << c << (by_rows ? ", by rows" : ", by columns");
    }
  }
  const auto matrix = make_operator(p);
  std::vector<space_vector<T>> from, to;
  for (std::int64_t c = 0; c < columns; ++c) {
    from.push_back(matrix->space().zeros(a.cols));
    to.push_back(matrix->space().zeros(a.rows));
    std::copy_n(x.data() + c * a.cols, a.cols, from.back().data());
  }
  matrix->apply_to_each(from, to);
  for (std::int64_t c = 0; c < columns; ++c) {
    std::vector<T> wanted(static_cast<std::size_t>(a.rows));
    const std::vector<T> column(x.begin() + c * a.cols, x.begin() + (c + 1) * a.cols);
    summation::spmv<T, std::int32_t, T>(1, a.view(), column, 0, wanted);
    const T* const found = to[static_cast<std::size_t>(c)].data();
    EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), found)) << "vector " << c;
  }
  EXPECT_LT(matrix->moved_bytes_of_each(columns), columns * matrix->moved_bytes());
}

TEST(LayoutStaged, MultipliesTwoVectorsAtOnce) {
  const auto a = skewed(40000);
  for (const isa set : supported_isas()) {
    SCOPED_TRACE(name_of(set));
    plan_options options{.threads = 3, .isa = set, .layout = plan_layout::staged, .column_blocks = 1};
    expect_several_vectors<float>(converted<float>(a), options);
    expect_several_vectors<double>(a, options);
    options.threads = 1;
    expect_several_vectors<double>(a, options);
  }
}

TEST(LayoutStaged, MultipliesTwoVectorsWithNarrowValues) {
  const auto a = skewed(5000);
  for (const isa set : supported_isas()) {
    const plan_options options{.threads = 2, .isa = set, .layout = plan_layout::staged, .column_blocks = 1};
    for (const auto& [number, form] : {std::pair{0.1f, cpu::value_form::half}, {3.0f, cpu::value_form::byte}}) {
      SCOPED_TRACE(name_of(set));
      auto narrow = a;
      for (std::int64_t k = 0; k < a.nnz(); ++k) narrow.values.data[k] = number * static_cast<float>(1 + k % 3);
      EXPECT_EQ(multiply_inspect(narrow, options).internals()->plain.form, form);
      expect_several_vectors<double>(narrow, options);
    }
    auto same = a;
    same.values.iso = true;
    same.values.data = buffer<double>(1, 0.7);
    expect_several_vectors<double>(same, options);
  }
}

TEST(LayoutStaged, HasNothingToPermuteWithoutColumns) {
  const auto a = from_rows<double, std::int32_t>(5, 0, entries::reals, [](std::int64_t) { return consecutive(0, 0); });
  std::vector<double> y(5, 1.0);
  multiply(multiply_inspect(a, {.threads = 2, .layout = plan_layout::staged, .column_blocks = 1}),
           std::vector<double>(), y);
  EXPECT_EQ(y, std::vector<double>(5));
}

TEST(LayoutStaged, SamplesHowOftenColumnsOccur) {
  const auto few = skewed(150000);
  const auto found = detail::frequent_columns_of<std::int32_t>(few.columns, few.cols);
  EXPECT_EQ(found.share_of(0), 0);
  EXPECT_EQ(found.share_of(few.cols), 1);
  EXPECT_NEAR(found.share_of(1000), 0.25, 0.05);
  EXPECT_NEAR(found.share_of(100), 0.03, 0.015);
  const auto even = from_rows<double, std::int32_t>(20000, 200000, entries::integers,
                                                    [](std::int64_t i) { return random_columns(i, 20, 200000, 9); });
  const auto equal = detail::frequent_columns_of<std::int32_t>(even.columns, even.cols);
  EXPECT_NEAR(equal.share_of(5000), 5000.0 / 200000, 0.01) << "columns that occur twice by chance have no larger share";
  EXPECT_NEAR(equal.share_of(100000), 0.5, 0.01);
}

}  // namespace
}  // namespace lacis::test

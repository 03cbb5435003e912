// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Dense products at the places of a pattern: the bits of the definition for every type, depth, layout and way to run.
#include "summation/sddmm.hpp"

#include <cmath>
#include <gtest/gtest.h>

#include <lacis/sddmm.hpp>

#include "support/compare.hpp"
#include "support/errors.hpp"
#include "support/matrices.hpp"
#include "support/ways.hpp"

namespace lacis::test {
namespace {

constexpr std::int64_t gap = 3;

/// The same numbers in three layouts: row after row, column after column, and rows with gaps between them.
template <class T> class laid_out {
 public:
  laid_out(std::int64_t rows, std::int64_t cols, std::uint64_t salt)
      : rows_(rows), cols_(cols), by_row_(full_numbers<T>(rows * cols, salt)), by_column_(by_row_) {
    apart_.assign(static_cast<std::size_t>(rows * (cols + gap)), T(1));
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < cols; ++j) {
        const T element = by_row_[static_cast<std::size_t>(i * cols + j)];
        by_column_[static_cast<std::size_t>(j * rows + i)] = element;
        apart_[static_cast<std::size_t>(i * (cols + gap) + j)] = element;
      }
  }

  [[nodiscard]] std::vector<dense_view<const T>> views() const {
    return {{by_row_.data(), rows_, cols_, cols_, 1},
            {by_column_.data(), rows_, cols_, 1, rows_},
            {apart_.data(), rows_, cols_, cols_ + gap, 1}};
  }

 private:
  std::int64_t rows_;
  std::int64_t cols_;
  std::vector<T> by_row_;
  std::vector<T> by_column_;
  std::vector<T> apart_;
};

template <value T, class Mask> void check(const Mask& mask, std::int64_t depth) {
  const laid_out<T> x(mask.rows, depth, 3);
  const laid_out<T> y(depth, mask.cols, 4);
  const auto expected = summation::sddmm<T>(pattern_of(mask), x.views()[0], y.views()[0]);
  for_each_way([&](const multiply_options& how) {
    for (const auto& left : x.views())
      for (const auto& right : y.views()) EXPECT_EQ(difference(sddmm(mask, left, right, how), expected), "");
  });
}

template <value T, index Index> void check_depths() {
  const auto mask = from_rows<float, Index>(60, 70, entries::integers, [](std::int64_t i) {
    return i % 5 == 3 ? std::vector<std::int64_t>{} : random_columns(i, i, 70, 5);
  });
  for (const std::int64_t depth : {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 100}) {
    SCOPED_TRACE(depth);
    check<T>(mask, depth);
  }
}

TEST(Sddmm, HasTheBitsOfItsDefinitionForEveryDepth) {
  check_depths<float, std::int32_t>();
  check_depths<double, std::int64_t>();
  check_depths<std::complex<float>, std::int64_t>();
  check_depths<std::complex<double>, std::int32_t>();
}

TEST(Sddmm, HasTheBitsOfItsDefinitionOnTheBattery) {
  for (const auto& [name, mask] : quick_test_matrices<double, std::int32_t>()) {
    SCOPED_TRACE(name);
    check<double>(mask, 11);
    check<std::complex<float>>(mask, 6);
  }
}

TEST(Sddmm, TakesElementsInAscendingKAndHasNoNegativeZero) {
  const auto one = from_rows<double, std::int32_t>(1, 1, entries::integers, [](auto) { return consecutive(0, 1); });
  const auto sum_of = [&](std::vector<double> x, std::vector<double> y) {
    const auto depth = static_cast<std::int64_t>(x.size());
    return sddmm(one, row_major(std::span<const double>(x), 1, depth), row_major(std::span<const double>(y), depth, 1))
        .values[0];
  };
  EXPECT_EQ(sum_of({1, 0x1p53, -0x1p53}, {1, 1, 1}), 0);
  EXPECT_EQ(sum_of({0x1p53, -0x1p53, 1}, {1, 1, 1}), 1);
  EXPECT_EQ(sum_of({-3 - 0x1p-50, 3}, {1, 1 + 0x1p-52}), 0);
  EXPECT_FALSE(std::signbit(sum_of({-1}, {0})));
}

TEST(Sddmm, RefusesSizesThatDoNotFitAndAMaskOutOfOrder) {
  const std::vector<double> numbers(60, 1.0);
  const auto dense = [&](std::int64_t rows, std::int64_t cols) {
    return dense_view<const double>{numbers.data(), rows, cols, cols, 1};
  };
  auto mask = from_rows<float, std::int32_t>(4, 5, entries::integers, [](auto) { return consecutive(1, 3); });
  EXPECT_EQ(sddmm(mask, dense(4, 3), dense(3, 5)).nnz(), 8);
  EXPECT_EQ(code_of([&] { (void)sddmm(mask, dense(5, 3), dense(3, 5)); }), errc::invalid_argument);
  EXPECT_EQ(code_of([&] { (void)sddmm(mask, dense(4, 3), dense(3, 4)); }), errc::invalid_argument);
  EXPECT_EQ(code_of([&] { (void)sddmm(mask, dense(4, 3), dense(2, 5)); }), errc::invalid_argument);
  EXPECT_EQ(code_of([&] { (void)sddmm(mask, dense(4, 3), dense(3, 5), {.threads = -1}); }), errc::invalid_argument);
  std::swap(mask.columns[0], mask.columns[1]);
  EXPECT_EQ(code_of([&] { (void)sddmm(mask, dense(4, 3), dense(3, 5)); }), errc::invalid_matrix);
}

}  // namespace
}  // namespace lacis::test

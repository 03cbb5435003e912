// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// Products with dense columns of matrices that no cache holds: rows of X are fetched ahead, rows of Y written past the
// caches. Every column has the bits of the product with that vector alone.
#include <complex>
#include <cstdint>
#include <gtest/gtest.h>
#include <span>
#include <string>
#include <vector>

#include <lacis/dense.hpp>
#include <lacis/generate.hpp>
#include <lacis/multiply.hpp>
#include <lacis/plan.hpp>

#include "support/errors.hpp"
#include "support/matrices.hpp"

namespace lacis::test {
namespace {

struct order {
  const char* name;
  bool by_rows;
  std::int64_t gap;  ///< elements between rows or columns
};

template <class T> dense_view<T> view_of(T* data, std::int64_t rows, std::int64_t cols, const order& o) {
  if (o.by_rows) return {data, rows, cols, cols + o.gap, 1};
  return {data, rows, cols, 1, rows + o.gap};
}

/// Y = alpha A X + beta Y by `product`, compared with the products of single vectors.
template <class T, class Product>
void expect_bits_of_vectors(const csr_matrix<T>& a, std::int64_t cols, const order& o, T alpha, T beta,
                            const std::string& what, Product&& product) {
  const auto x_numbers = full_numbers<T>(a.cols * cols, 3);
  const auto y_numbers = full_numbers<T>(a.rows * cols, 4);
  const std::int64_t x_size = o.by_rows ? a.cols * (cols + o.gap) : cols * (a.cols + o.gap);
  const std::int64_t y_size = o.by_rows ? a.rows * (cols + o.gap) : cols * (a.rows + o.gap);
  buffer<T> x(x_size), y(y_size);
  const auto x_view = view_of(x.data(), a.cols, cols, o);
  const auto y_view = view_of(y.data(), a.rows, cols, o);
  for (std::int64_t c = 0; c < cols; ++c) {
    for (std::int64_t j = 0; j < a.cols; ++j) x_view(j, c) = x_numbers[static_cast<std::size_t>(c * a.cols + j)];
    for (std::int64_t i = 0; i < a.rows; ++i) y_view(i, c) = y_numbers[static_cast<std::size_t>(c * a.rows + i)];
  }
  product(alpha, dense_view<const T>(x_view), beta, y_view);
  for (std::int64_t c = 0; c < cols; c += cols > 8 ? 7 : 1) {
    const std::span<const T> column(x_numbers.data() + c * a.cols, static_cast<std::size_t>(a.cols));
    std::vector<T> wanted(y_numbers.begin() + c * a.rows, y_numbers.begin() + (c + 1) * a.rows);
    multiply(alpha, a, column, beta, std::span<T>(wanted));
    for (std::int64_t i = 0; i < a.rows; ++i)
      ASSERT_EQ(y_view(i, c), wanted[static_cast<std::size_t>(i)])
          << what << ", " << o.name << ", " << cols << " columns, row " << i << ", column " << c;
  }
}

#ifndef LACIS_ADDRESS_SANITIZER  // takes minutes there
TEST(PlanColumns, HaveTheBitsOfVectorsBeyondTheCaches) {
  constexpr order orders[] = {{"row-major", true, 0}, {"row-major with gaps", true, 3}, {"column-major", false, 0}};
  // 27 diagonals, short rows in no order, and rows of some hundreds and thousands of entries.
  for (const char* spec : {"@stencil27:33", "@uniform:36000,9", "@powerlaw:36000,12,4000"}) {
    const auto a = generate<double>(spec, {.values = generated_values::random});
    for (const plan_layout layout : plan_layouts) {
      if (layout == plan_layout::staged || layout == plan_layout::bsr)
        continue;  // as sell, by rows that are made for them
      const auto plan = multiply_inspect(a, {.threads = 2, .layout = layout, .columns = 64});
      workspace memory;
      const auto product = [&](double alpha, const auto& x, double beta, const auto& y) {
        multiply(alpha, plan, x, beta, y, memory);
      };
      for (const order& o : orders) expect_bits_of_vectors<double>(a, 64, o, 1, 0, plan.layout(), product);
      expect_bits_of_vectors<double>(a, 64, orders[0], 2, -0.5, plan.layout(), product);
      expect_bits_of_vectors<double>(a, 71, orders[0], 1, 0, plan.layout(), product);
      expect_bits_of_vectors<double>(a, 4, orders[0], 1, 0, plan.layout(), product);
    }
    const auto without = [&](double alpha, const auto& x, double beta, const auto& y) {
      multiply(alpha, a, x, beta, y);
    };
    for (const std::int64_t cols : {64, 16, 5})
      expect_bits_of_vectors<double>(a, cols, orders[0], 1, 0, "csr", without);
  }
}
#endif

TEST(PlanColumns, RowsForThemAreMadeOnceAndCounted) {
  const auto a = generate<double>("@uniform:3000,9", {.values = generated_values::random});
  const auto plan = multiply_inspect(a, {.layout = plan_layout::sell});
  const std::int64_t before = plan.storage_bytes();
  const auto x = full_numbers<double>(a.cols * 4, 3);
  std::vector<double> y(static_cast<std::size_t>(a.rows * 4));
  const auto multiply_columns = [&](const auto& with, std::int64_t cols) {
    multiply(with, dense_view<const double>{x.data(), a.cols, cols, cols, 1},
             dense_view<double>{y.data(), a.rows, cols, cols, 1});
  };
  multiply_columns(plan, 1);
  EXPECT_EQ(plan.storage_bytes(), before) << "a single column is a vector";
  multiply_columns(plan, 4);
  const std::int64_t rows = (a.rows + 1) * 8 + a.nnz() * 12;
  EXPECT_EQ(plan.storage_bytes(), before + rows);
  multiply_columns(plan, 2);
  EXPECT_EQ(plan.storage_bytes(), before + rows);

  const auto tight = multiply_inspect(a, {.layout = plan_layout::sell, .memory_limit = before + rows - 1});
  multiply_columns(tight, 4);
  EXPECT_EQ(tight.storage_bytes(), before) << "rows that do not fit the limit are not made";
  const auto in_place = multiply_inspect(a, {.layout = plan_layout::csr});
  const std::int64_t all = in_place.storage_bytes();
  multiply_columns(in_place, 4);
  EXPECT_EQ(in_place.storage_bytes(), all) << "csr has them";
}

TEST(PlanColumns, TakeNewValues) {
  constexpr order by_rows{"row-major", true, 0};
  auto a = generate<double>("@uniform:500,9", {.values = generated_values::random});
  for (const plan_layout layout : plan_layouts) {
    auto plan = multiply_inspect(a, {.layout = layout});
    workspace memory;
    const auto product = [&](double alpha, const auto& x, double beta, const auto& y) {
      multiply(alpha, plan, x, beta, y, memory);
    };
    expect_bits_of_vectors<double>(a, 3, by_rows, 1, 0, plan.layout(), product);
    for (double& value : a.values.data) value += 1;
    update_values(plan, std::span<const double>(a.values.data));
    expect_bits_of_vectors<double>(a, 3, by_rows, 1, 0, plan.layout() + " with new values", product);
    const auto iso = values_array<double>(std::vector<double>(static_cast<std::size_t>(a.nnz()), 2.5));
    a.values = iso;
    update_values(plan, std::span<const double>(a.values.data));
    expect_bits_of_vectors<double>(a, 3, by_rows, 1, 0, plan.layout() + " with one value", product);
  }
}

TEST(PlanColumns, HaveTheBitsOfVectorsForEveryType) {
  constexpr order by_rows{"row-major", true, 0};
#ifdef LACIS_ADDRESS_SANITIZER
  const std::vector<std::int64_t> counts{3, 8, 24};
#else
  const std::vector<std::int64_t> counts{1, 2, 3, 4, 7, 8, 12, 16, 24, 33, 64};
#endif
  const auto check = [&]<class T>(T) {
    for (const char* spec : {"@stencil27:12", "@powerlaw:3000,12,2000"}) {
      const auto a = generate<T>(spec, {.values = generated_values::random});
      for (const plan_layout layout : {plan_layout::csr, plan_layout::stencil, plan_layout::staged}) {
        const auto plan = multiply_inspect(a, {.layout = layout, .columns = 24});
        workspace memory;
        const auto product = [&](T alpha, const auto& x, T beta, const auto& y) {
          multiply(alpha, plan, x, beta, y, memory);
        };
        for (const std::int64_t cols : counts)
          expect_bits_of_vectors<T>(a, cols, by_rows, T(1), T(0), plan.layout(), product);
      }
    }
  };
  check(double{});
  check(float{});
  check(std::complex<float>{});
  check(std::complex<double>{});
}

TEST(PlanColumns, HaveTheBitsOfVectorsForStencilsOfConstants) {
  constexpr order orders[] = {{"row-major", true, 0}, {"row-major with gaps", true, 3}, {"column-major", false, 0}};
  const auto check = [&]<class T>(T) {
    // Constants that are alike on neighbouring diagonals, and ones that are not; lines that do not fill slices.
    for (const char* spec : {"@stencil27:13", "@poisson3d:11", "@poisson2d:37"}) {
      auto a = generate<T>(spec);
      for (const bool differ : {false, true}) {
        if (differ)
          for (std::int64_t i = 0; i < a.rows; ++i)
            for (std::int64_t k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
              a.values.data[k] = T(1) / static_cast<T>(300 + a.columns[k] - i);
        const auto plan = multiply_inspect(a, {.layout = plan_layout::stencil});
        workspace memory;
        const auto product = [&](T alpha, const auto& x, T beta, const auto& y) {
          multiply(alpha, plan, x, beta, y, memory);
        };
        for (const std::int64_t cols : {1, 3, 4, 5, 8, 12, 16, 17, 32, 40})
          for (const order& o : orders) expect_bits_of_vectors<T>(a, cols, o, T(1), T(0), spec, product);
      }
    }
  };
  check(double{});
  check(float{});
}

TEST(PlanColumns, RefuseOperandsOfAnotherSizeInEveryLayout) {
  const auto a = generate<double>("@stencil27:8");
  std::vector<double> x(static_cast<std::size_t>(a.cols * 2)), y(static_cast<std::size_t>(a.rows * 2));
  for (const plan_layout layout : plan_layouts) {
    const auto plan = multiply_inspect(a, {.layout = layout});
    workspace memory;
    const auto product = [&](std::int64_t x_rows, std::int64_t y_rows) {
      return code_of([&] {
        multiply(1.0, plan, dense_view<const double>{x.data(), x_rows, 2, 2, 1}, 0.0,
                 dense_view<double>{y.data(), y_rows, 2, 2, 1}, memory);
      });
    };
    EXPECT_EQ(product(a.cols - 1, a.rows), errc::invalid_argument) << name_of(layout);
    EXPECT_EQ(product(a.cols, a.rows - 1), errc::invalid_argument) << name_of(layout);
  }
}

}  // namespace
}  // namespace lacis::test

// SPDX-FileCopyrightText: The lacis authors
// SPDX-License-Identifier: Apache-2.0
// The layout `staged`.
#include <gtest/gtest.h>
#include <variant>
#include <vector>

#include <lacis/isa.hpp>
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
  const auto p = multiply_inspect(a, {.layout = plan_layout::staged});
  const auto& staged = layout_of(p).staged;
  EXPECT_EQ(staged.pieces(), 4);
  EXPECT_GT(staged.blocks.size(), 3);
  EXPECT_EQ(staged.cut_rows.size(), 1u);
  const auto x = full_numbers<double>(a.cols);
  const auto wanted = product(a, x);
  for (const isa set : supported_isas()) {
    std::vector<double> y(3000);
    multiply(multiply_inspect(a, {.threads = 2, .isa = set, .layout = plan_layout::staged}), x, y);
    EXPECT_EQ(y, wanted) << name_of(set);
  }
}

TEST(LayoutStaged, ServesSeveralThreadsAtATime) {
  const auto a = from_rows<double, std::int32_t>(2000, 70000, entries::reals,
                                                 [](std::int64_t i) { return random_columns(i, 9, 70000, 6); });
  const auto p = multiply_inspect(a, {.threads = 1, .layout = plan_layout::staged});
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

}  // namespace
}  // namespace lacis::test
